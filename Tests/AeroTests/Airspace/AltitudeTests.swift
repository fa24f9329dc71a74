import Testing

@testable import ChartpipeKit

struct AltitudeTests {
  @Test(
    arguments: [
      (0.0, "FT", "SFC", "SFC", 0), (700, "FT", "SFC", "700 ft AGL", nil),
      (1200, "FT", "AGL", "1200 ft AGL", nil), (4800, "FT", "MSL", "4800 ft MSL", 4800),
      (180, "FL", "STD", "FL180", 18000), (60, "FL", "", "FL060", 6000), (18000, "FT", "STD", "FL180", 18000),
      (1, "FT", "QNH", "1 ft", nil), (4000, "M", "MSL", "13123 ft MSL", 13123),
      (1219.2, "M", "SFC", "4000 ft AGL", nil), (100, "", "MSL", "100 ft MSL", 100),
    ] as [(Double, String, String, String, Int?)])
  func `reads a number`(number: Double, unit: String, reference: String, text: String, feet: Int?) throws {
    let limit = try #require(AltitudeLimit(number: number, unit: unit, reference: reference))
    #expect(limit.text == text)
    #expect(limit.comparableFeet == feet)
  }

  @Test(arguments: [1e99, -.infinity, .nan, -9998])
  func `rejects numbers out of range`(number: Double) {
    #expect(AltitudeLimit(number: number, unit: "FT", reference: "MSL") == nil)
  }

  @Test(arguments: ["XX", "SM", "KM", "ft"])
  func `rejects an unknown unit`(unit: String) {
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
    ("SFC", "180 STD", []), ("SFC", "UNL", []), ("SFC", "5000 MSL", ["5000 ft MSL to FL180"]),
    ("17000 MSL", "UNL", ["1000 ft MSL to 17000 ft MSL"]),
    ("5000 MSL", "9000 MSL", ["1000 ft MSL to 5000 ft MSL", "9000 ft MSL to FL180"]),
  ])
  func `subtracts bands from 1000 feet to flight level 180`(lower: String, upper: String, left: [String]) {
    guard case .bands(let bands) = band("1000 MSL", "180 STD").subtracting(band(lower, upper)) else {
      Issue.record("the bands are not comparable")
      return
    }
    #expect(bands.map(\.text) == left)
  }

  @Test func `bands that only touch do not overlap`() {
    #expect(band("1000 MSL", "5000 MSL").subtracting(band("5000 MSL", "9000 MSL")) == .disjoint)
    #expect(band("SFC", "5000 MSL").subtracting(band("180 STD", "UNL")) == .disjoint)
  }

  @Test func `does not compare heights above ground with altitudes`() {
    #expect(band("3000 MSL", "9000 MSL").subtracting(band("SFC", "1500 AGL")) == .unknown)
    // A cut from the surface is comparable: the remaining band starts at its upper limit.
    #expect(
      band("500 AGL", "9000 MSL").subtracting(band("SFC", "1500 AGL"))
        == .bands([band("1500 AGL", "9000 MSL")]))
  }
}
