/// What belongs to a fix.
extension SourceTable {
  static let fixCharts = SourceTable(
    "fixCharts", from: "FIX_CHRT", of: .row(.fix), "On which charts a fix is drawn.",
    [
      Field("fix", .owner(.fix)), .number,
      Field(
        "chart", .text("CHARTING_TYPE_DESC"), "SECTIONAL, VFR TERMINAL AREA, ENROUTE LOW, IAP ...",
        isRequired: true),
    ],
    constraints: ["PRIMARY KEY (fix, number)"], isKeyed: true)

  static let fixNavaids = SourceTable(
    "fixNavaids", from: "FIX_NAV", of: .row(.fix), "By which navaids a fix is found.",
    [
      Field("fix", .owner(.fix)), .number,
      Field("navaid", .row(.navaidOfType, by: ["NAV_ID", "NAV_TYPE"]), "NULL for a localizer."),
      Field("identifier", .text("NAV_ID"), "The navaid's or the localizer's.", isRequired: true),
      Field("type", .text("NAV_TYPE"), "VORTAC, VOR/DME, LOC ..., in the FAA's words.", isRequired: true),
      Field("bearing", .real("BEARING", 0...360), "Degrees magnetic, from the navaid."),
      Field("distance", .real("DISTANCE", 0...10_000), "Nautical miles from the navaid."),
    ],
    constraints: ["PRIMARY KEY (fix, number)"], isKeyed: true)
}
