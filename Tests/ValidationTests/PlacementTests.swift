import Core
import ImageIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// The verdict from reference patches, depending on their contrast.
struct PlaceVerdictTests {
  private static let reach = 3

  @Test func `accepts faint texture changed by a palette`() {
    // Six levels of texture, which the palette reduces to steps, one pixel late.
    let verdict = PlacementVerdict([
      measurement({ 200 + Double(($0 * 7 + $1 * 5) % 13) }) {
        200 + Double((($0 - 1) * 7 + $1 * 5) % 13 / 5 * 5)
      }
    ])
    #expect(!verdict.isLost && verdict.strays.isEmpty)
    #expect(verdict.weakness != nil)
  }

  @Test func `accepts a line in one direction, and reports a shift across it`() {
    let line = { (row: Int, _: Int) in row == 20 ? 60.0 : 215 }
    let right = PlacementVerdict([measurement({ line($1, $0) }) { line($1, $0) }])
    #expect(!right.isLost && right.strays.isEmpty && right.agreement == nil)
    #expect(right.weakness?.contains("no reference patch") == true)
    for shift in [1, 2, 3] {
      let wrong = PlacementVerdict([measurement({ line($1, $0) }) { line($1 - shift, $0) }])
      #expect(wrong.isLost || !wrong.strays.isEmpty, "\(shift)")
    }
  }

  @Test func `detects a shift of one pixel and another chart`() {
    let right = PlacementVerdict((0..<4).map { number in measurement(print(number), print(number)) })
    #expect(!right.isLost && right.strays.isEmpty && right.weakness == nil)
    #expect(right.agreement?.points == 4)
    let moved = PlacementVerdict(
      (0..<4).map { number in measurement(print(number)) { print(number)($0 - 1, $1) } })
    #expect(!moved.isLost && moved.shift.map { abs($0.x - 1) < 0.1 } == true)
    let other = PlacementVerdict((0..<4).map { number in measurement(print(number), print(number + 9)) })
    #expect(other.isLost)
  }

  @Test func `reports one patch of another chart without rejecting the chart`() {
    let faint = (0..<3).map { _ in
      measurement({ x, _ in 200 + Double(x % 24) }, { x, _ in 200 + Double(x % 24) })
    }
    let verdict = PlacementVerdict(faint + [measurement(print(1), print(7))])
    #expect(!verdict.isLost && verdict.strays.count == 1)
  }

  /// Blots at places that depend on a number.
  private func print(_ number: Int) -> (Int, Int) -> Double {
    { x, y in
      let cell = (x / 5 * 31 + y / 4 * 17 + number * 101) % 11
      return cell < 3 ? 40 : 220
    }
  }

  private func measurement(
    _ sheet: (Int, Int) -> Double, _ tile: (Int, Int) -> Double
  ) -> PlacementSurvey.Measurement {
    let box = PixelBox(column: 0, row: 0, width: 46, height: 46)
    func view(_ box: PixelBox, _ light: (Int, Int) -> Double) -> PatchView {
      let pixels = (0..<box.width * box.height).flatMap { index -> [UInt8] in
        let value = UInt8(light(box.column + index % box.width, box.row + index / box.width))
        return [value, value, value, 255]
      }
      return PatchView(RGBAImage(width: box.width, height: box.height, pixels: pixels), box: box)
    }
    let inner = box.shrunk(by: PlaceVerdictTests.reach)
    let (expected, found) = (view(box, sheet), view(inner, tile))
    return PlacementSurvey.Measurement(
      tile: TileID(zoom: 0, column: 0, row: 0),
      peak: ShiftSearch(found, in: expected, reach: PlaceVerdictTests.reach).peak(),
      contrast: expected.part(inner).contrast,
      colorDifference: found.colorDifference(to: expected.part(inner)), isOpaque: found.isOpaque)
  }
}

@Suite struct SymbolSeverityTests {
  @Test func `a distance of navaids and fixes is never an error`() {
    let pixels = [1.9, 5.9, 6.1, 60]
    #expect(
      pixels.map { PlaceAirports.severity(of: $0, isEnroute: false) } == [nil, .warning, .error, .error])
    #expect(
      pixels.map { PlaceAirports.severity(of: $0, isEnroute: true) } == [nil, nil, .warning, .warning])
  }
}

/// Measurements of the place of correct charts.
@Suite(.slow) struct PlaceFactTests {
  private static let facts = Result {
    let build = try CleanBuild()
    return try withExtendedLifetime(build) {
      try Validator().validate([build.folder], progress: SilentProgress()).facts
    }
  }

  @Test(arguments: [
    "sample-sectional/Sample_West", "sample-sectional/Sample_East", "sample-terminal/Sample_Bay",
    "sample-mosaic/Sample_West", "sample-mosaic/Sample_East",
  ])
  func `measures the place of the tiles to a tenth of a pixel`(chart: String) throws {
    let place = try #require(try PlaceFactTests.facts.get()[chart]?.place)
    #expect(place.points >= 10)
    #expect(place.median <= 0.1 && place.worst <= 0.3, "\(place)")
  }

  @Test(arguments: ["sample-sectional/Sample_West", "sample-terminal/Sample_Bay"])
  func `finds the printed graticule and airports to a pixel`(chart: String) throws {
    let facts = try #require(try PlaceFactTests.facts.get()[chart])
    let (graticule, airports) = (try #require(facts.graticule), try #require(facts.airports))
    #expect(graticule.points >= 4 && graticule.median < 0.5, "\(graticule)")
    #expect(airports.points >= 6 && airports.median < 1.5, "\(airports)")
  }
}
