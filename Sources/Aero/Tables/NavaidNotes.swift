/// What belongs to a navaid.
extension SourceTable {
  static let navaidRemarks = SourceTable(
    "navaidRemarks", from: "NAV_RMK", of: .row(.navaid),
    "The FAA's remarks to a navaid: where it cannot be used ...",
    [
      navaid, .number,
      Field("subject", .text("TAB_NAME"), "What it is about, in the FAA's words.", isRequired: true),
      Field("field", .text("REF_COL_NAME"), "The FAA's column."),
      Field("remark", .text("REMARK"), isRequired: true),
    ],
    constraints: ["PRIMARY KEY (navaid, number)"], isKeyed: true)

  static let navaidCheckpoints = SourceTable(
    "navaidCheckpoints", from: "NAV_CKPT", of: .row(.navaid), "Places for checking a VOR receiver.",
    [
      navaid, .number,
      Field(
        "kind", .word("AIR_GND_CODE", ["A": "airborne", "G": "ground", "G1": "ground"]),
        "airborne or ground.",
        isRequired: true),
      Field("bearing", .whole("BRG", 0...360), "Degrees magnetic, from the navaid."),
      Field("altitude", .whole("ALTITUDE", -1500...60_000), "Feet above mean sea level, of an airborne one."),
      Field("description", .text("CHK_DESC")),
      Field("airport", .text("ARPT_ID"), "The FAA identifier of the airport on or over which it is."),
      Field("state", .text("STATE_CHK_CODE")),
    ],
    constraints: ["PRIMARY KEY (navaid, number)"], isKeyed: true)

  private static let navaid = Field("navaid", .owner(.navaid))
}
