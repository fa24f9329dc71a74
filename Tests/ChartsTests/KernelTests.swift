import Core
import Foundation
import ImageIO
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite("Warp kernel", .slow)
struct KernelTests {
  private func picture(
    _ noise: NoiseSheet, zoom: Int, instructions: KernelWarper.Instructions = .fastest
  ) throws -> RGBAImage {
    let warper = try KernelWarper(try noise.job(zoom: zoom), instructions: instructions)
    return try #require(
      try warper.picture(of: noise.middle(zoom: zoom), size: 256, from: noise.rows), "nothing to see")
  }

  /// The difference between a part of the middle tile and the exact warp: in decibels, and the shift that explains most of it.
  private func compare(_ noise: NoiseSheet, zoom: Int) throws -> (
    decibels: Double, across: Double, down: Double
  ) {
    let image = try picture(noise, zoom: zoom)
    let tile = noise.middle(zoom: zoom)
    let scale = Double(try noise.job(zoom: zoom).scales[tile.row].largest) / Double(RowScales.unit)
    // A part in which no kernel reaches beyond the sheet.
    let (first, side) = (104, 48)
    var exact: [[Double]] = []
    for row in first..<first + side {
      for column in first..<first + side {
        exact.append(
          noise.color(
            at: noise.position(
              zoom: zoom, column: Double(tile.column * 256 + column) + 0.5,
              row: Double(tile.row * 256 + row) + 0.5), scale: scale))
      }
    }
    var (squares, across, down) = (0.0, (0.0, 0.0), (0.0, 0.0))
    for row in 1..<side - 1 {
      for column in 1..<side - 1 {
        let pixel = image[first + column, first + row]
        #expect(pixel.alpha == 255)
        let place = row * side + column
        for (channel, value) in [pixel.red, pixel.green, pixel.blue].enumerated() {
          let error = Double(value) - exact[place][channel]
          let slopeAcross = (exact[place + 1][channel] - exact[place - 1][channel]) / 2
          let slopeDown = (exact[place + side][channel] - exact[place - side][channel]) / 2
          squares += error * error
          across = (across.0 + error * slopeAcross, across.1 + slopeAcross * slopeAcross)
          down = (down.0 + error * slopeDown, down.1 + slopeDown * slopeDown)
        }
      }
    }
    let mean = squares / Double((side - 2) * (side - 2) * 3)
    return (10 * log10(255 * 255 / mean), across.0 / across.1, down.0 / down.1)
  }

  @Test(arguments: [24.0, 32, 40, 48, 56, 64], [11, 12])
  func `colours and positions match the exact warp in every band of the FAA's projections`(
    band: Double, zoom: Int
  ) throws {
    let found = try compare(try NoiseSheet(band: band...band + 8), zoom: zoom)
    #expect(found.decibels > 55)
    #expect(abs(found.across) < 0.01 && abs(found.down) < 0.01)
  }

  @Test func `colours and positions match in a rotated image and on both sides of 180 degrees`() throws {
    for noise in [
      try NoiseSheet(band: 32...40, turn: 12), try NoiseSheet(band: 48...56, longitude: 179.99),
      try NoiseSheet(band: 48...56, longitude: -179.99),
    ] {
      let found = try compare(noise, zoom: 12)
      #expect(found.decibels > 55)
      #expect(abs(found.across) < 0.01 && abs(found.down) < 0.01)
    }
  }

  @Test(arguments: [9, 11, 12, 13])
  func `plain C and vector instructions give the same bytes`(zoom: Int) throws {
    // Both edges of the neatline and of the image cross the tile of the lower zooms.
    let noise = try NoiseSheet(band: 32...40, turn: 5, inset: 170.3)
    let plain = try picture(noise, zoom: zoom, instructions: .plain)
    for instructions in [KernelWarper.Instructions.baseline, .fastest] {
      #expect(try picture(noise, zoom: zoom, instructions: instructions) == plain)
    }
  }

  @Test func `pixels cut at the neatline equal those of the whole map where it is complete`() throws {
    let whole = try picture(try NoiseSheet(band: 32...40), zoom: 11)
    let cut = try picture(try NoiseSheet(band: 32...40, inset: 175), zoom: 11)
    var (same, clear) = (0, 0)
    for start in stride(from: 0, to: whole.pixels.count, by: 4) {
      let pixel = Array(cut.pixels[start..<start + 4])
      if pixel[3] == 0 {
        #expect(pixel == [0, 0, 0, 0])
        clear += 1
      } else if pixel == Array(whole.pixels[start..<start + 4]) {
        same += 1
      }
    }
    #expect(clear > 1000)
    // Along the cut, a kernel with fewer pixels gives other colours.
    #expect(same > (65_536 - clear) * 9 / 10)
  }

  @Test func `a tile of 512 pixels equals four tiles of the next zoom`() throws {
    let noise = try NoiseSheet(band: 40...48, inset: 60)
    let warper = try KernelWarper(try noise.job(zoom: 12))
    let tile = noise.middle(zoom: 11)
    let large = try #require(try warper.picture(of: tile, size: 512, from: noise.rows))
    var joined = RGBAImage(width: 512, height: 512)
    for child in tile.children {
      guard let part = try warper.picture(of: child, size: 256, from: noise.rows) else { continue }
      joined.paste(part, column: (child.column & 1) * 256, row: (child.row & 1) * 256)
    }
    #expect(large == joined)
  }

  @Test func `ignores rows that no kernel reaches and reports missing rows`() throws {
    let noise = try NoiseSheet(band: 32...40)
    let tile = noise.middle(zoom: 12)
    let warper = try KernelWarper(try noise.job(zoom: 12))
    func band(_ range: Range<Int>) -> SheetRows {
      SheetRows(
        range: range, width: noise.side,
        indexes: Array(noise.rows.indexes[range.lowerBound * noise.side..<range.upperBound * noise.side]))
    }
    let range = try SheetPositions(noise.sheet).rows(under: [tile], blockZoom: 12, scale: RowScales.unit)
    #expect(range.count < noise.side * 2 / 3)
    let whole = try warper.picture(of: tile, size: 256, from: noise.rows)
    #expect(try warper.picture(of: tile, size: 256, from: band(range)) == whole)
    #expect(throws: RowsMissing.self) {
      try warper.picture(of: tile, size: 256, from: band(range.lowerBound + 60..<range.upperBound))
    }
  }

  @Test func `positions beside the sheet or without a place are transparent`() throws {
    let noise = try NoiseSheet(band: 32...40)
    let warper = try KernelWarper(try noise.job(zoom: 12))
    for column in stride(from: 0, to: 4096, by: 256) {
      for row in stride(from: 0, to: 4096, by: 256) {
        let tile = TileID(zoom: 12, column: column, row: row)
        #expect(try warper.picture(of: tile, size: 256, from: noise.rows) == nil)
      }
    }
    let world = try KernelWarper(try noise.job(zoom: 1))
    for tile in TileID(zoom: 0, column: 0, row: 0).children {
      _ = try world.picture(of: tile, size: 256, from: noise.rows)
    }
  }

  @Test(arguments: [64, 65, 91, 160, 256])
  func `each phase's weights add up and the phases are mirrored`(scale: Int) {
    let weights = KernelWeights(scale: scale)
    let phases = (0..<KernelWeights.phases).map {
      Array(weights.values[$0 * weights.taps..<($0 + 1) * weights.taps].map { Int($0) })
    }
    #expect(phases.allSatisfy { $0.reduce(0, +) == KernelWeights.one })
    for phase in 1..<128 {
      let mirrored = Array(phases[256 - phase].reversed())
      #expect(zip(phases[phase], mirrored).allSatisfy { abs($0 - $1) <= 2 })
    }
  }

  @Test(arguments: [(11, 0.0), (12, 0), (12, 20.6)])
  func `GDAL's warper agrees with the kernel`(zoom: Int, turn: Double) throws {
    let noise = try NoiseSheet(band: 32...40, turn: turn, inset: 120)
    let tile = noise.middle(zoom: zoom)
    let warper = try KernelWarper(try noise.job(zoom: zoom))
    let own = try #require(try warper.picture(of: tile, size: 256, from: noise.rows))
    let other = try noise.warpedByGDAL(tile)
    var (sum, most, count) = (0, 0, 0)
    for start in stride(from: 0, to: own.pixels.count, by: 4)
    where own.pixels[start + 3] == 255 && other.pixels[start + 3] == 255 {
      for place in start..<start + 3 {
        let apart = abs(Int(own.pixels[place]) - Int(other.pixels[place]))
        (sum, most, count) = (sum + apart, max(most, apart), count + 1)
      }
    }
    #expect(count > 20_000)
    #expect(Double(sum) / Double(count) < 1)
    #expect(most <= 8)
  }
}

@Suite("Averaging of lower zooms")
struct BoxFilterTests {
  private func mean(_ pixels: [UInt8]) -> [UInt8] {
    RGBAImage(width: 2, height: 2, pixels: pixels).halved().pixels
  }

  @Test func `averages opaque pixels and rounds to nearest`() {
    #expect(mean([10, 0, 255, 255, 11, 0, 255, 255, 11, 0, 255, 255, 11, 2, 254, 255]) == [11, 1, 255, 255])
    #expect(mean([1, 1, 1, 255, 0, 1, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]) == [0, 1, 0, 255])
  }

  @Test func `a transparent pixel affects the alpha and not the colour`() {
    let red: [UInt8] = [200, 10, 20, 255]
    let nothing: [UInt8] = [0, 0, 0, 0]
    #expect(mean(red + red + nothing + nothing) == [200, 10, 20, 128])
    #expect(mean(nothing + nothing + nothing + red) == [200, 10, 20, 64])
    #expect(mean(nothing + nothing + nothing + nothing) == nothing)
  }

  @Test func `weights colours by their alphas`() {
    #expect(mean([100, 0, 0, 255, 200, 0, 0, 85, 0, 0, 0, 0, 0, 0, 0, 0]) == [125, 0, 0, 85])
  }

  @Test func `the faintest pixel stays visible so that no tile loses its parent`() {
    #expect(mean([9, 8, 7, 1] + [UInt8](repeating: 0, count: 12)) == [9, 8, 7, 1])
  }

  @Test func `copies each tile into its own quarter`() {
    var image = RGBAImage(width: 4, height: 4)
    for row in 0..<4 {
      for column in 0..<4 {
        let value = UInt8((row / 2) * 2 + column / 2 + 1)
        let start = (row * 4 + column) * 4
        image.pixels.replaceSubrange(start..<start + 4, with: [value, value, value, 255])
      }
    }
    #expect(image.halved().pixels.enumerated().filter { $0.offset % 4 == 0 }.map(\.element) == [1, 2, 3, 4])
  }
}
