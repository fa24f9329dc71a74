import Core
import Foundation
import ImageIO
import RasterIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// Images of all kinds and reference systems, tiled and compared with closed formulas.
@Suite(.blocking) struct RasterTests {
  let folder = TemporaryFolder()

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let image: WaveImage
    /// Of the opaque pixels at the largest zoom, at least.
    var pixels = 100_000

    init(
      _ name: String, _ system: MapSystem, _ placing: GeoTransform, _ width: Int = 500, _ height: Int = 400,
      period: (Double, Double), pixels: Int = 100_000
    ) {
      testDescription = name
      image = WaveImage(system: system, placing: placing, width: width, height: height, period: period)
      self.pixels = pixels
    }
  }

  private static func north(_ x: Double, _ y: Double, _ pixel: Double, _ height: Double? = nil)
    -> GeoTransform
  { GeoTransform(originX: x, originY: y, pixelWidth: pixel, pixelHeight: -(height ?? pixel)) }

  private static func turned(by degrees: Double) -> GeoTransform {
    let (cosine, sine) = (30 * cos(degrees * .pi / 180), 30 * sin(degrees * .pi / 180))
    return GeoTransform(
      originX: 500_000, originY: 4_200_000, pixelWidth: cosine, pixelHeight: -cosine, rotationX: sine,
      rotationY: sine)
  }

  private static let degrees = WaveImage(
    system: .degrees, placing: north(-10, 60, 0.01), width: 500, height: 400, period: (0.3, 0.3))
  private static let utm = MapSystem.utm(meridian: -123)
  private static let fine = (0.012, 0.01)

  static let cases = [
    Case("degrees", .degrees, north(-10, 60, 0.01), period: (0.3, 0.3)),
    Case("degrees in the far north", .degrees, north(10, 84, 0.02, 0.005), period: (0.6, 0.2)),
    Case("UTM", utm, north(480_000, 4_200_000, 30), period: fine),
    Case("rotated", utm, turned(by: 30), period: fine),
    Case("lying on its side", utm, turned(by: 100), period: fine),
    Case(
      "south at the top", utm,
      GeoTransform(originX: 480_000, originY: 4_180_000, pixelWidth: 30, pixelHeight: 30), period: fine),
    Case(
      "mirrored", utm, GeoTransform(originX: 520_000, originY: 4_200_000, pixelWidth: -30, pixelHeight: -30),
      period: fine),
    Case("Web Mercator", .webMercator, north(-13_600_000, 4_600_000, 30), period: (0.01, 0.008)),
    Case("around the pole", .polar, north(-2_000_000, 2_000_000, 8000), 500, 500, period: (20, 4)),
    Case("beside the pole", .polar, north(500_000, -500_000, 2000), 500, 500, period: (5, 1.2)),
    Case("across 180 degrees", .degrees, north(174, 10, 0.02), 500, 400, period: (0.6, 0.6)),
    Case("across 180 degrees from the west", .degrees, north(-186, 10, 0.02), 500, 400, period: (0.6, 0.6)),
    Case(
      "Web Mercator across 180 degrees", .webMercator, north(19_000_000, 1_000_000, 4000), period: (1.5, 1.5)),
    Case("the world", .degrees, north(-180, 90, 0.5), 720, 360, period: (20, 20), pixels: 200_000),
    Case("the world from 0 to 360", .degrees, north(0, 90, 0.5), 720, 360, period: (20, 20), pixels: 200_000),
    Case("the world by points", .degrees, north(-0.5, 90.5, 1), 360, 181, period: (40, 40), pixels: 60_000),
    Case("most of the world", .degrees, north(-100, 80, 0.5), 700, 320, period: (20, 20)),
  ]

  @Test(arguments: cases) func `each pixel shows its place`(test: Case) throws {
    let file = folder.file("image.tif")
    try test.image.writeColors(to: file)
    let tiled = try tile(file, format: .png32)
    var (sum, worst, count) = (0.0, 0.0, 0)
    try tiled.forEachPixel { place, pixel in
      let expected = test.image.color(at: place)
      for error in [abs(Double(pixel.red) - expected.red), abs(Double(pixel.green) - expected.green)] {
        sum += error
        worst = max(worst, error)
      }
      count += 1
    }
    #expect(count >= test.pixels)
    // A shift by a tenth of a pixel is an error of two levels in the middle of a wave.
    #expect(sum / Double(2 * count) < 1.1)
    #expect(worst < 8)
  }

  @Test func `an image of the world has no seam at 180 degrees`() throws {
    let image = WaveImage(
      system: .degrees, placing: RasterTests.north(-0.5, 90.5, 1), width: 360, height: 181, period: (40, 40))
    try image.writeColors(to: folder.file("image.tif"))
    let tiled = try tile(folder.file("image.tif"), format: .png32, zooms: 0...2)
    #expect(tiled.metadata["bounds"] == "-180,-85.051129,180,85.051129")
    #expect(tiled.metadata[ArchiveMetadata.adjustedBoundsKey] == nil)
    for tile in try tiled.tiles { #expect(try tiled.image(tile)?.isOpaque == true) }
    #expect(try tiled.tiles.count == 1 + 4 + 16)
  }

  @Test func `tiles across 180 degrees are on both sides and name their extent`() throws {
    let image = WaveImage(
      system: .degrees, placing: RasterTests.north(174, 10, 0.02), width: 500, height: 400, period: (0.6, 0.6)
    )
    try image.writeColors(to: folder.file("image.tif"))
    let tiled = try tile(folder.file("image.tif"), format: .png32)
    #expect(tiled.metadata["bounds"] == "-180,2,180,10")
    #expect(tiled.metadata[ArchiveMetadata.adjustedBoundsKey] == "174,2,184,10")
    let columns = try tiled.tiles.filter { $0.zoom == tiled.maxZoom }.map(\.column)
    #expect(columns.contains(0) && columns.contains((1 << tiled.maxZoom) - 1))
  }

  @Test func `a palette stays a palette, and photographs become WebP`() throws {
    let image = WaveImage()
    let samples = image.samples
    let ramp = (0..<256).map { PaletteColor(red: UInt8($0), green: UInt8(255 - $0), blue: 40) }
    try image.write([samples.map { UInt8($0.red.rounded()) }], to: folder.file("palette.tif"), palette: ramp)
    let palette = try tile(folder.file("palette.tif"))
    #expect(palette.metadata["format"] == "png")
    // Most colours of the waves are in the palette, and none is far from one.
    try expectNear(palette, image, limit: 14)
    try image.writeColors(to: folder.file("colors.tif"))
    #expect(try tile(folder.file("colors.tif")).metadata["format"] == "webp")
    try image.write([samples.map { UInt8($0.red.rounded()) }], to: folder.file("gray.tif"))
    let gray = try tile(folder.file("gray.tif"), format: .png32)
    try expectNear(gray, image, limit: 8)
  }

  @Test func `16 bits and floating point become the bytes between their least and greatest value`() throws {
    let image = RasterTests.degrees
    let reds = image.samples.map(\.red)
    let words = reds.flatMap { value in
      withUnsafeBytes(of: UInt16((value * 40 + 1000).rounded()).littleEndian, Array.init)
    }
    try image.writeRaw(Data(words), type: 12, bands: 1, to: folder.file("words.img"))
    let floats = reds.flatMap { value in
      withUnsafeBytes(of: Float(value / 1000 - 5).bitPattern.littleEndian, Array.init)
    }
    try image.writeRaw(Data(floats), type: 4, bands: 1, to: folder.file("floats.img"))
    // Waves are from 28 to 228.
    for name in ["words.img", "floats.img"] {
      let tiled = try tile(folder.file(name), format: .png32)
      var worst = 0.0
      try tiled.forEachPixel { place, pixel in
        worst = max(worst, abs((image.color(at: place).red - 28) * 255 / 200 - Double(pixel.red)))
      }
      #expect(worst < 10, "\(name)")
    }
    let fixed = try tile(folder.file("words.img"), format: .png32, range: 1000...11_200)
    try expectNear(fixed, image, limit: 8)
  }

  @Test func `alpha, NoData and values that are no number are transparent`() throws {
    let image = RasterTests.degrees
    let samples = image.samples
    // The western half is valid.
    let isWest = samples.indices.map { $0 % 500 < 250 }
    let reds = samples.map { UInt8($0.red.rounded()) }
    try image.write(
      [reds, samples.map { UInt8($0.green.rounded()) }, reds.map { _ in 200 }, isWest.map { $0 ? 255 : 0 }],
      to: folder.file("alpha.tif"), options: ["ALPHA=YES", "PHOTOMETRIC=RGB"])
    let bytes = zip(reds, isWest).map { $1 ? $0 : 255 }
    try image.writeRaw(
      Data(bytes), type: 1, bands: 1, to: folder.file("bytes.img"), more: "data ignore value = 255")
    let floats = zip(samples, isWest).flatMap { sample, isWest in
      withUnsafeBytes(of: (isWest ? Float(sample.red) : .nan).bitPattern.littleEndian, Array.init)
    }
    try image.writeRaw(Data(floats), type: 4, bands: 1, to: folder.file("numbers.img"))
    for name in ["alpha.tif", "bytes.img", "numbers.img"] {
      let tiled = try tile(folder.file(name), format: .png32, range: name == "numbers.img" ? 0...255 : nil)
      #expect(tiled.metadata[ArchiveMetadata.coverageKey] == ArchiveMetadata.partialCoverage)
      try expectNear(tiled, image, limit: 8)
      var (east, count) = (-180.0, 0)
      try tiled.forEachPixel { place, _ in (east, count) = (max(east, place.longitude), count + 1) }
      #expect(abs(east - -7.5) < 0.02, "\(name)")
      #expect(count > 50_000, "\(name)")
    }
  }

  @Test func `a PNG with a world file takes its reference system from the call`() throws {
    let image = RasterTests.degrees
    var pixels: [UInt8] = []
    for sample in image.samples {
      pixels += [UInt8(sample.red.rounded()), UInt8(sample.green.rounded()), 200, 255]
    }
    try Data(PNG.encode(RGBAImage(width: 500, height: 400, pixels: pixels))).write(
      to: folder.file("image.png"))
    try folder.file("image.pgw").put("0.01\n0\n0\n-0.01\n-9.995\n59.995\n")
    #expect(throws: UserError.self) { try tile(folder.file("image.png")) }
    try expectNear(try tile(folder.file("image.png"), format: .png32, system: "EPSG:4326"), image, limit: 8)
  }

  /// The image has its own reference system and place, or none of them; those of the file beside it count.
  @Test(arguments: [true, false])
  func `a GeoTIFF takes its place from the aux.xml beside it`(hasOwn: Bool) throws {
    let image = WaveImage(
      system: .degrees, placing: RasterTests.north(10, 50, 0.01), width: 500, height: 400, period: (0.3, 0.3))
    let file = folder.file("image.tif")
    try image.writeColors(to: file, claiming: hasOwn ? RasterTests.north(-122, 38, 0.001) : nil)
    let aux = folder.file("image.tif.aux.xml")
    try aux.put(
      "<PAMDataset><SRS>EPSG:4326</SRS><GeoTransform>10,0.01,0,50,0,-0.01</GeoTransform></PAMDataset>")
    #expect(RasterBuilder.filesBeside(file).map(\.lastPathComponent) == [aux.lastPathComponent])
    try expectNear(try tile(file, format: .png32), image, limit: 8)
  }

  @Test(.timeLimit(.minutes(15))) func `a pipe is not opened`() throws {
    let pipe = folder.file("pipe.tif")
    try #require(mkfifo(pipe.path, 0o600) == 0)
    #expect(RasterBuilder.filesBeside(pipe).isEmpty)
    let fault = #expect(throws: UserError.self) { try tile(pipe) }
    #expect(fault?.reason == "it is a pipe, a socket or a device")
  }

  private func expectNear(_ tiled: TiledImage, _ image: WaveImage, limit: Double) throws {
    var (worst, count) = (0.0, 0)
    try tiled.forEachPixel { place, pixel in
      worst = max(worst, abs(image.color(at: place).red - Double(pixel.red)))
      count += 1
    }
    #expect(worst < limit)
    #expect(count > 10_000)
  }

  private func tile(
    _ file: URL, format: TileSettings.Format? = nil, zooms: ClosedRange<Int>? = nil, system: String? = nil,
    range: ClosedRange<Double>? = nil
  ) throws -> TiledImage {
    var request = RasterRequest(file: file)
    (request.format, request.zooms, request.system, request.range) = (format, zooms, system, range)
    let out = folder.file("\(UUID().uuidString).mbtiles")
    _ = try RasterBuilder.tile(request, to: out, jobs: 2, progress: SilentProgress(), step: "")
    return try TiledImage(out)
  }
}
