/// Flight service stations, and the outlets through which they and the centers talk.
extension SourceTable {
  static let flightServiceStations = SourceTable(
    "flightServiceStations", from: "FSS_BASE",
    "Flight service stations, and the names under which they answer.",
    [
      .id,
      Field("identifier", .text("FSS_ID"), isRequired: true),
      Field("name", .text("NAME"), isRequired: true),
      Field("type", .word("FSS_FAC_TYPE", ["FSS": "fss", "RADIO": "radio", "HUB": "hub"]), "fss or radio."),
      Field("call", .text("VOICE_CALL")),
      Field("city", .text("CITY")),
      Field("state", .text("STATE_CODE")),
      Field("country", .text("COUNTRY_CODE")),
      Field("latitude", .real("LAT_DECIMAL", -90...90)),
      Field("longitude", .real("LONG_DECIMAL", -180...180)),
      Field("hours", .text("OPR_HOURS"), "24 is always."),
      Field("status", .word("FAC_STATUS", stationStatuses), "active ..."),
      Field("alternateFSS", .text("ALTERNATE_FSS"), "Who answers when it is closed."),
      Field("hasWeatherRadar", .flag("WEA_RADAR_FLAG"), "0 or 1."),
      Field("phone", .text("PHONE_NO")),
      Field("tollFreePhone", .text("TOLL_FREE_NO")),
      .lines(
        "remarks",
        Gathering(
          source: "FSS_RMK", key: .flightServiceStation, order: "REF_COL_SEQ_NO",
          line: ["REF_COL_NAME", "REMARK"]),
        "One a line, each after the FAA's name of the column that it is to."),
    ],
    keys: [.flightServiceStation], indexes: [["identifier"]])

  static let communicationOutlets = SourceTable(
    "communicationOutlets", from: "COM", "Antennas of flight service stations (RCO) and of centers (RCAG).",
    [
      .id,
      Field("identifier", .text("COMM_LOC_ID"), "An rcag has none."),
      Field(
        "type", .word("COMM_TYPE", ["RCO": "rco", "RCO1": "rco1", "RCAG": "rcag"]), "rco, rco1 or rcag.",
        isRequired: true),
      Field("name", .text("COMM_OUTLET_NAME"), isRequired: true),
      Field("navaid", .row(.navaidOfType, by: ["NAV_ID", "NAV_TYPE"]), "Over whose voice it speaks."),
      Field("city", .text("CITY")),
      Field("state", .text("STATE_CODE")),
      Field("country", .text("COUNTRY_CODE")),
      Field("latitude", .real("LAT_DECIMAL", -90...90), isRequired: true),
      Field("longitude", .real("LONG_DECIMAL", -180...180), isRequired: true),
      Field("facility", .text("FACILITY_ID"), "The flight service station or center that speaks through it."),
      Field("facilityName", .text("FACILITY_NAME")),
      Field("alternateFSS", .text("ALT_FSS_ID")),
      Field("hours", .text("OPR_HRS"), "24 is always."),
      Field("status", .word("COMM_STATUS_CODE", stationStatuses), "active ..."),
      Field("statusDate", .date("COMM_STATUS_DATE")),
      Field("remark", .text("REMARK")),
    ],
    indexes: [["identifier"], ["facility"]], extent: .point)

  private static let stationStatuses: CodeBook = ["A": "active"]
}
