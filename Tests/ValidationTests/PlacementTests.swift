import Core
import Pipeline
import TestSupport
import Testing

@testable import Validation

/// What pieces of a sheet prove, by the contrast that they have.
struct PlaceVerdictTests {
  private static let reach = 3

  @Test func `faint texture that a palette has worn down refuses nothing`() {
    // Six levels of texture, of which the palette leaves steps, one pixel late.
    let verdict = PlaceVerdict([
      sighting({ 200 + Double(($0 * 7 + $1 * 5) % 13) }) {
        200 + Double((($0 - 1) * 7 + $1 * 5) % 13 / 5 * 5)
      }
    ])
    #expect(!verdict.isLost && verdict.strays.isEmpty)
    #expect(verdict.weakness != nil)
  }

  @Test func `a line that runs one way refuses nothing where it is, and tells a shift across it`() {
    let line = { (row: Int, _: Int) in row == 20 ? 60.0 : 215 }
    let right = PlaceVerdict([sighting({ line($1, $0) }) { line($1, $0) }])
    #expect(!right.isLost && right.strays.isEmpty && right.agreement == nil)
    #expect(right.weakness?.contains("no saved piece") == true)
    for shift in [1, 2, 3] {
      let wrong = PlaceVerdict([sighting({ line($1, $0) }) { line($1 - shift, $0) }])
      #expect(wrong.isLost || !wrong.strays.isEmpty, "\(shift)")
    }
  }

  @Test func `sharp print tells one pixel, and another print is another chart`() {
    let right = PlaceVerdict((0..<4).map { number in sighting(print(number), print(number)) })
    #expect(!right.isLost && right.strays.isEmpty && right.weakness == nil)
    #expect(right.agreement?.points == 4)
    let moved = PlaceVerdict(
      (0..<4).map { number in sighting(print(number)) { print(number)($0 - 1, $1) } })
    #expect(!moved.isLost && moved.shift.map { abs($0.x - 1) < 0.1 } == true)
    let other = PlaceVerdict((0..<4).map { number in sighting(print(number), print(number + 9)) })
    #expect(other.isLost)
  }

  @Test func `one strong piece of another chart among faint ones decides nothing alone, but is told`() {
    let faint = (0..<3).map { _ in
      sighting({ x, _ in 200 + Double(x % 24) }, { x, _ in 200 + Double(x % 24) })
    }
    let verdict = PlaceVerdict(faint + [sighting(print(1), print(7))])
    #expect(!verdict.isLost && verdict.strays.count == 1)
  }

  /// Blots at places that hang on a number.
  private func print(_ number: Int) -> (Int, Int) -> Double {
    { x, y in
      let cell = (x / 5 * 31 + y / 4 * 17 + number * 101) % 11
      return cell < 3 ? 40 : 220
    }
  }

  private func sighting(
    _ sheet: (Int, Int) -> Double, _ tile: (Int, Int) -> Double
  ) -> PlaceSurvey.Sighting {
    let box = PixelBox(column: 0, row: 0, width: 46, height: 46)
    func view(_ box: PixelBox, _ light: (Int, Int) -> Double) -> PieceView {
      var view = PieceView(box: box)
      for row in 0..<box.height {
        for column in 0..<box.width {
          let value = light(box.column + column, box.row + row)
          view.append((value, value, value))
        }
      }
      return view
    }
    let inner = box.shrunk(by: PlaceVerdictTests.reach)
    let (expected, found) = (view(box, sheet), view(inner, tile))
    return PlaceSurvey.Sighting(
      tile: TileID(zoom: 0, column: 0, row: 0),
      peak: ShiftSearch(found, in: expected, reach: PlaceVerdictTests.reach).peak(),
      contrast: expected.part(inner).light.spread,
      colorDifference: found.colorDifference(to: expected.part(inner)), isOpaque: found.isOpaque)
  }
}

/// What is measured of the places of charts in which all is right.
struct PlaceFactTests {
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
  func `the tiles lie where the sheet has them, to a tenth of a pixel`(chart: String) throws {
    let place = try #require(try PlaceFactTests.facts.get()[chart]?.place)
    #expect(place.points >= 10)
    #expect(place.median <= 0.1 && place.worst <= 0.3, "\(place)")
  }

  @Test(arguments: ["sample-sectional/Sample_West", "sample-terminal/Sample_Bay"])
  func `the printed graticule and the airports are found, to a pixel`(chart: String) throws {
    let facts = try #require(try PlaceFactTests.facts.get()[chart])
    let (graticule, airports) = (try #require(facts.graticule), try #require(facts.airports))
    #expect(graticule.points >= 4 && graticule.median < 0.5, "\(graticule)")
    #expect(airports.points >= 6 && airports.median < 1.5, "\(airports)")
  }
}
