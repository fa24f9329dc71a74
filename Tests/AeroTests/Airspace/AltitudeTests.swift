import Testing

@testable import Aero

struct AltitudeTests {
  @Test(
    arguments: [
      (0.0, "FT", "SFC", "SFC", 0), (700, "FT", "SFC", "700 ft AGL", nil),
      (1200, "FT", "AGL", "1200 ft AGL", nil),
      (4800, "FT", "MSL", "4800 ft MSL", 4800), (180, "FL", "STD", "FL180", 18000),
      (60, "FL", "", "FL060", 6000),
      (18000, "FT", "STD", "FL180", 18000), (1, "FT", "QNH", "1 ft", nil),
      (4000, "M", "MSL", "13123 ft MSL", 13123), (1219.2, "M", "SFC", "4000 ft AGL", nil),
      (100, "", "MSL", "100 ft MSL", 100),
    ] as [(Double, String, String, String, Int?)])
  func `a number with its unit and its reference`(
    number: Double, unit: String, reference: String, text: String, comparable: Int?
  ) throws {
    let limit = try #require(AltitudeLimit(number: number, unit: unit, reference: reference))
    #expect(limit.text == text)
    #expect(limit.comparableFeet == comparable)
  }

  @Test(arguments: [1e99, -.infinity, .nan, -9998])
  func `numbers that are no altitude`(number: Double) {
    #expect(AltitudeLimit(number: number, unit: "FT", reference: "MSL") == nil)
  }

  @Test(arguments: ["XX", "SM", "KM", "ft"])
  func `a unit that is not known is none`(unit: String) {
    #expect(AltitudeLimit(number: 4000, unit: unit, reference: "MSL") == nil)
    #expect(!AltitudeLimit.isKnown(unit: unit))
  }

  private func limit(_ text: String) -> AltitudeLimit? {
    let parts = text.split(separator: " ")
    switch parts.first {
    case "SFC": return .surface
    case "UNL": return .unlimited
    default:
      return Double(parts[0]).flatMap {
        AltitudeLimit(number: $0, unit: parts[1] == "STD" ? "FL" : "FT", reference: String(parts[1]))
      }
    }
  }

  private func band(_ lower: String, _ upper: String) -> AltitudeBand {
    AltitudeBand(lower: limit(lower), upper: limit(upper))
  }

  @Test(arguments: [
    ("SFC", "180 STD", []),
    ("SFC", "UNL", []),
    ("SFC", "5000 MSL", ["5000 ft MSL to FL180"]),
    ("17000 MSL", "UNL", ["1000 ft MSL to 17000 ft MSL"]),
    ("5000 MSL", "9000 MSL", ["1000 ft MSL to 5000 ft MSL", "9000 ft MSL to FL180"]),
  ])
  func `what a cut leaves of 1000 feet to flight level 180`(lower: String, upper: String, left: [String]) {
    guard case .left(let bands) = band("1000 MSL", "180 STD").minus(band(lower, upper)) else {
      Issue.record("nothing is said")
      return
    }
    #expect(bands.map(\.text) == left)
  }

  @Test func `bands that only touch do not meet`() {
    #expect(band("1000 MSL", "5000 MSL").minus(band("5000 MSL", "9000 MSL")) == .untouched)
    #expect(band("SFC", "5000 MSL").minus(band("180 STD", "UNL")) == .untouched)
  }

  @Test func `above the ground and above the sea are not compared`() {
    #expect(band("3000 MSL", "9000 MSL").minus(band("SFC", "1500 AGL")) == .unknown)
    // From the ground up they are: what is left begins where the cut ends, however high that is.
    #expect(
      band("500 AGL", "9000 MSL").minus(band("SFC", "1500 AGL"))
        == .left([band("1500 AGL", "9000 MSL")]))
  }
}
