import Core
import Foundation
import RasterIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// Images whose samples have 16 bits, by their channels.
@Suite(.blocking) struct RasterSampleTests {
  private let folder = TemporaryFolder()
  private let image = WaveImage(
    system: .degrees,
    placing: GeoTransform(originX: -10, originY: 60, pixelWidth: 0.01, pixelHeight: -0.01), width: 400,
    height: 300, period: (0.3, 0.3))

  /// The western half of images with alpha is opaque.
  private func samples(channels: Int) -> [UInt16] {
    image.samples.enumerated().flatMap { pixel, color -> [UInt16] in
      let (red, green) = (UInt16((color.red * 257).rounded()), UInt16((color.green * 257).rounded()))
      let colors: [UInt16] = channels < 3 ? [red] : [red, green, 200 * 257]
      let alpha: UInt16 = pixel % image.width < image.width / 2 ? 65_535 : 0
      return channels % 2 == 0 ? colors + [alpha] : colors
    }
  }

  private func tile(channels: Int, jobs: Int = 2) throws -> (tiled: TiledImage, file: URL) {
    let source = folder.file("image.tif")
    try PlainTIFF(width: image.width, height: image.height, channels: channels).write(
      samples(channels: channels), to: source)
    try folder.file("image.tfw").put("0.01\n0\n0\n-0.01\n-9.995\n59.995\n")
    var request = RasterRequest(file: source)
    (request.system, request.format, request.range) = ("EPSG:4326", .png32, 0...65_535)
    let out = folder.file("\(UUID().uuidString).mbtiles")
    _ = try RasterBuilder.tile(request, to: out, jobs: jobs, progress: SilentProgress(), step: "")
    return (try TiledImage(out), out)
  }

  @Test(arguments: 1...4) func `each pixel shows its place`(channels: Int) throws {
    let tiled = try tile(channels: channels).tiled
    let (isGray, hasAlpha) = (channels < 3, channels % 2 == 0)
    let coverage = hasAlpha ? ArchiveMetadata.partialCoverage : ArchiveMetadata.fullCoverage
    #expect(tiled.metadata[ArchiveMetadata.coverageKey] == coverage)
    var (worst, east, count) = (0.0, -180.0, 0)
    try tiled.forEachPixel { place, pixel in
      let expected = image.color(at: place)
      worst = max(worst, abs(expected.red - Double(pixel.red)))
      worst = max(worst, abs((isGray ? expected.red : expected.green) - Double(pixel.green)))
      worst = max(worst, abs((isGray ? expected.red : 200) - Double(pixel.blue)))
      (east, count) = (max(east, place.longitude), count + 1)
    }
    #expect(worst < 8)
    #expect(abs(east - (hasAlpha ? -8 : -6)) < 0.02)
    #expect(count > (hasAlpha ? 40_000 : 80_000))
  }

  @Test(arguments: 1...4) func `any number of workers gives the same bytes`(channels: Int) throws {
    let archives = try [1, 3].map { try tile(channels: channels, jobs: $0).file.data }
    #expect(archives[0] == archives[1])
  }
}
