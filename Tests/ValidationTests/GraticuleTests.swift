import ImageIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// The search for the printed graticule, on drawn lines.
@Suite(.slow) struct GraticuleTests {
  private static let reach = 90
  private static let flank = 4

  @Test(arguments: [-89.0, -40.3, -1, 0, 0.4, 2.7, 20, 64.25, 88.6])
  func `finds a line at any offset among text, ticks and roads`(offset: Double) throws {
    for isUpright in [true, false] {
      let peak = try #require(peak(isUpright: isUpright) { _ in offset })
      #expect(abs(peak.offset - offset) < 0.15, "\(peak)")
      #expect(peak.stations >= 20)
    }
  }

  @Test func `finds a graticule with every other line`() throws {
    #expect(abs(try #require(peak { $0 % 2 == 0 ? 12 : nil }).offset - 12) < 0.15)
  }

  @Test func `rejects roads alone and two sets of lines`() {
    #expect(peak { _ in nil } == nil)
    #expect(peak { $0 % 2 == 0 ? -20 : 30 } == nil)
    #expect(peak(count: 3) { _ in 0 } == nil)
  }

  @Test func `extrapolates the offsets to the corners`() throws {
    // A scale that is wrong by a thousandth: the offset grows eastward alone.
    var ninths = (0..<9).map { number -> GraticuleSurvey.Reading? in
      let offset = 0.5 + Double(number % 3 - 1) * 2
      return GraticuleSurvey.Reading(offset: offset, stations: 8)
    }
    ninths[4] = nil
    let trend = try #require(GraticuleSurvey.trend(ninths))
    #expect(abs(trend(1, -1).offset - 3.5) < 1e-9)
    for number in 3..<9 { ninths[number] = nil }
    #expect(GraticuleSurvey.trend(ninths) == nil)
  }

  /// Stations with roads at random places and a line at a given place.
  private func peak(
    isUpright: Bool = true, count: Int = 24, line: (Int) -> Double?
  ) -> GraticuleSurvey.Reading? {
    var noise = PrintNoise()
    let profiles = (0..<count).map { number in
      let picture = DrawnStation(
        line: line(number).map { $0 + 95.3 }, roads: [noise.next(190), noise.next(190)],
        label: noise.next(60), phase: noise.next(7)
      ).picture(isUpright: isUpright)
      return LineProfile(
        picture, line: 95.3, isUpright: isUpright, reach: GraticuleTests.reach, flank: GraticuleTests.flank)
    }
    return GraticuleSurvey.peak(of: profiles, share: 0.2, lead: 1.6)
  }
}

/// A station of 191 by 65 pixels: tinted ground with a texture, roads across the whole of it, and one line of the graticule
/// with ticks, blurred, with lettering on a third of it.
private struct DrawnStation {
  let line: Double?
  let roads: [Int]
  let label: Int
  let phase: Int

  func picture(isUpright: Bool) -> RGBAImage {
    let (breadth, length) = (191, 65)
    var picture = RGBAImage(width: isUpright ? breadth : length, height: isUpright ? length : breadth)
    for across in 0..<breadth {
      let darkness = roads.reduce(0) { $0 + 90 * ink(Double(across) + 0.5 - Double($1), width: 2) }
      for along in 0..<length {
        let light = UInt8(min(max(light(across, along, darkness), 0), 255).rounded())
        let (column, row) = isUpright ? (across, along) : (along, across)
        let start = (row * picture.width + column) * 4
        for channel in start..<start + 3 { picture.pixels[channel] = light }
        picture.pixels[start + 3] = 255
      }
    }
    return picture
  }

  /// - Parameter darkness: of the roads.
  private func light(_ across: Int, _ along: Int, _ darkness: Double) -> Double {
    var light = 215 + Double((across * 5 + along * 3 + phase) % 7) - darkness
    guard let line else { return light }
    let distance = Double(across) + 0.5 - line
    if (label..<label + 20).contains(along), abs(distance) < 9 { return (along + across) % 3 == 0 ? 40 : 235 }
    if along % 24 == phase, abs(distance) < 7 { light -= 120 }
    return light - 130 * ink(distance, width: 1.5)
  }

  /// Of a line that is blurred by about a pixel.
  private func ink(_ distance: Double, width: Double) -> Double {
    max(0, min(1, (width / 2 + 1 - abs(distance)) / 2))
  }
}

/// Numbers without a pattern, the same in every run.
private struct PrintNoise {
  private var state: UInt64 = 4_101_842_887_655_102_017

  mutating func next(_ limit: Int) -> Int {
    state ^= state >> 21
    state ^= state << 35
    state ^= state >> 4
    return Int((state &* 2_685_821_657_736_338_717) >> 33) % limit
  }
}
