import Pipeline
import TestSupport
import Testing
import Validation

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
