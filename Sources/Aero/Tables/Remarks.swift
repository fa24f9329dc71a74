internal import Core

extension SourceTable {
  static let remarks = SourceTable(
    "remarks", from: "APT_RMK", of: .airport, "The FAA's remarks to an airport.",
    [
      .airport,
      Field("number", .count, "Counts an airport's rows from 1."),
      Field(
        "subject", .text("TAB_NAME"), "What it is about: AIRPORT, RUNWAY, FUEL_TYPE ..., in the FAA's words.",
        isRequired: true),
      Field("element", .text("ELEMENT"), "Which one of them: 13/31, 100LL ..."),
      Field(
        "field", .text("REF_COL_NAME"), "The FAA's column: GENERAL_REMARK, RWY_LGT_CODE ...", isRequired: true
      ),
      Field("remark", .text("REMARK"), isRequired: true),
    ],
    constraints: ["PRIMARY KEY (airport, number)"], isKeyed: true, mayLack: false)
}
