import TestSupport
import Testing

@testable import ChartpipeKit

/// What the text of a METAR says.
struct METARTextTests {
  @Test func `any of 20,000 mutilated reports is read without a trap`() throws {
    let text = try WeatherPipeline.fixture("metars.cache.xml")
    let reports = text.matches(of: /<raw_text>([^<]*)/).map { Array($0.1.utf8) }
    var random = SteadyNumbers()
    for _ in 0..<20_000 {
      var report = reports[random.below(reports.count)]
      for _ in 0...random.below(6) {
        let (from, other) = (random.below(report.count), reports[random.below(reports.count)])
        switch random.below(3) {
        case 0: report[from] = UInt8(truncatingIfNeeded: random.next() >> 40)
        case 1: report.replaceSubrange(from..., with: other.suffix(random.below(other.count)))
        default:
          report.insert(contentsOf: "99999999999999999999/M1/4SM".utf8.prefix(random.below(27)), at: from)
        }
        if report.isEmpty { report = [32] }
      }
      let values = METARText(String(decoding: report, as: UTF8.self))
      #expect(
        (0...360).contains(values.windDirection ?? 0) && (0...100).contains(values.visibility?.miles ?? 0))
    }
  }

  @Test(
    arguments: [
      ("METAR KJFK 221751Z 15005KT 10SM SCT025 23/18 A3003", 150, 5, nil),
      ("KPAO 221747Z VRB03KT 10SM CLR 25/14 A2992", nil, 3, nil),
      ("SPECI KXYZ 221747Z COR 27015G28KT 10SM CLR", 270, 15, 28),
      ("UNTT 221754Z 24003MPS 0500 FG", 240, 6, nil), ("KXYZ 221747Z 360P99KT 10SM", 360, 99, nil),
      ("KXYZ 221747Z /////KT 10SM", nil, nil, nil), ("HTZA 221700Z 1105KT 9999", nil, nil, nil),
      ("KXYZ 221747Z 99910KT 10SM", nil, 10, nil), ("KXYZ 221747Z M 10SM", nil, nil, nil),
    ] as [(String, Int?, Int?, Int?)])
  func `reads the wind`(text: String, direction: Int?, speed: Int?, gust: Int?) {
    let report = METARText(text)
    #expect(report.windDirection == direction && report.windSpeed == speed && report.windGust == gust)
    #expect(report.isWindVariable == text.contains("VRB"))
  }

  @Test(
    arguments: [
      ("10SM", Visibility(miles: 10)), ("1/2SM", Visibility(miles: 0.5)), ("1 1/2SM", Visibility(miles: 1.5)),
      ("M1/4SM", Visibility(miles: 0.25, bound: .less)), ("P6SM", Visibility(miles: 6, bound: .more)),
      ("9999", .tenKilometres), ("CAVOK", .tenKilometres), ("0800", Visibility(miles: 0.5)),
      ("M0400", Visibility(miles: 0.25, bound: .less)), ("0000", Visibility(miles: 0)),
      ("8000NDV", Visibility(miles: 4.97)), ("19KM", Visibility(miles: 11.81)), ("0500NE", nil),
      ("////", nil),
      ("////SM", nil), ("1/0SM", nil), ("0/0SM", nil), ("M", nil), ("99999999999SM", nil), ("/SM", nil),
    ] as [(String, Visibility?)])
  func `reads the visibility`(group: String, expected: Visibility?) {
    #expect(METARText("METAR KXYZ 221747Z 27005KT \(group) R24/0250N 20/10").visibility == expected)
  }

  @Test(arguments: [
    ("FEW020 SCT030CB BKN100", "FEW 2000, SCT 3000 CB, BKN 10000"), ("VV002", "OVX 200"),
    ("VV///", "OVX nil"),
    ("CLR", "CLR nil"), ("NCD", "CLR nil"), ("NSC", "CLR nil"), ("CAVOK", "CAVOK nil"),
    ("OVC000", "OVC 0"), ("BKN///", "BKN nil"), ("FEW///TCU", "FEW nil TCU"), ("//////", ""),
    ("//////CB", ""), ("BKN020///", "BKN 2000"), ("SCT 035", ""), ("FEW08TCU", ""), ("BKN10027/21", ""),
    ("OVC010 TEMPO BKN003", "OVC 1000"), ("OVC010 RMK OVC001", "OVC 1000"),
  ])
  func `reads the clouds`(groups: String, expected: String) {
    let layers = METARText("METAR KXYZ 221747Z 27005KT 10SM \(groups)").layers.map { layer in
      "\(layer.cover) \(layer.base.map(String.init) ?? "nil")" + (layer.type.map { " \($0)" } ?? "")
    }
    #expect(layers.joined(separator: ", ") == expected)
  }

  @Test(
    arguments: [
      ("23/18", 23, 18), ("M05/M12", -5, -12), ("M00/M01", 0, -1), ("47///", 47, nil), ("05/", 5, nil),
      ("31/222", nil, nil), ("///05", nil, nil), ("//////", nil, nil), ("R24/05", nil, nil),
    ] as [(String, Int?, Int?)])
  func `reads the temperatures`(group: String, temperature: Int?, dewpoint: Int?) {
    let report = METARText("METAR KXYZ 221747Z 27005KT 10SM CLR \(group) Q1013")
    #expect(report.temperature == temperature && report.dewpoint == dewpoint && report.pressure == 1013)
  }

  @Test func `reads between which directions the wind varies`() {
    let range = METARText("METAR KXYZ 221747Z 19007KT 160V230 10SM CLR").windRange
    #expect(range?.from == 160 && range?.to == 230)
  }

  @Test(arguments: ["", "METAR", "METAR KXYZ NIL", "=", "Z Z Z Z", "METAR KXYZ ///////"])
  func `has no values of a text without a report`(text: String) {
    #expect(METARText(text).windSpeed == nil && METARText(text).layers.isEmpty)
  }
}
