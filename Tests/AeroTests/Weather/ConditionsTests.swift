import Testing

@testable import ChartpipeKit

/// The category of a visibility and a sky.
struct ConditionsTests {
  private func category(_ visibility: String?, _ sky: String) -> String? {
    let row = WeatherElement("METAR")
    if let visibility { row.add("visibility_statute_mi", text: visibility) }
    return Conditions(row, METARText("METAR KXYZ 221747Z 27005KT \(sky)")).category
  }

  @Test(arguments: [
    ("10+", "CLR", "VFR"), ("6+", "CAVOK", "VFR"), ("10+", "FEW002", "VFR"), ("10+", "BKN031", "VFR"),
    ("10+", "OVC030", "MVFR"), ("5", "CLR", "MVFR"), ("3", "CLR", "MVFR"), ("5.01", "CLR", "VFR"),
    ("10+", "BKN010", "MVFR"), ("10+", "BKN009", "IFR"), ("2.99", "CLR", "IFR"), ("1", "CLR", "IFR"),
    ("10+", "OVC004", "LIFR"), ("10+", "VV004", "LIFR"), ("0.99", "CLR", "LIFR"), ("10+", "BKN005", "IFR"),
    ("10+", "OVC000", "LIFR"), ("0.5", "VV///", "LIFR"),
  ])
  func `is that of the worse of both`(visibility: String, sky: String, expected: String) {
    #expect(category(visibility, sky) == expected)
  }

  @Test(
    arguments: [
      (nil, "CLR"), (nil, "OVC002"), ("10+", ""), ("10+", "//////"), ("10+", "BKN///"), ("2", "VV///"),
      ("10+", "FEW///CB"), ("10+", "SCT010 BKN///"), ("x", "CLR"), ("-1", "CLR"), ("nan", "CLR"),
    ] as [(String?, String)])
  func `is unknown if a part of it is`(visibility: String?, sky: String) {
    #expect(category(visibility, sky) == nil)
  }

  @Test func `does not need the height of a ceiling above a high layer`() {
    #expect(category("6+", "FEW030 SCT100 BKN///") == "VFR")
  }
}
