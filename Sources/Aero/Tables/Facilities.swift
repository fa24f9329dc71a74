/// Towers, approach controls and centers.
extension SourceTable {
  static let controlFacilities = SourceTable(
    "controlFacilities", from: "ATC_BASE", of: .perhapsAirport,
    "Who controls: towers, approach controls and centers; and, for airports without a tower, who serves them.",
    [
      Field("id", .number),
      Field("identifier", .text("FACILITY_ID"), "Unique only together with the type.", isRequired: true),
      Field("icao", .text("ICAO_ID")),
      Field("airport", .airport, "NULL where it belongs to none."),
      Field(
        "type", .word("FACILITY_TYPE", ControlCodes.types),
        "noTower, tower, towerTracon, towerRapcon, towerRatcf, towerApproach, tracon, cerap, artcc ...",
        isRequired: true),
      Field("name", .text("FACILITY_NAME"), isRequired: true),
      .city, .state, .country,
      Field(
        "towerOperator", .text("TWR_OPERATOR_CODE"),
        "The FAA's code: F is the FAA itself, FCT a contract tower, A the Air Force, N the Navy, R the Army ..."
      ),
      Field("towerCall", .text("TWR_CALL")),
      Field("towerHours", .text("TWR_HRS"), "In the FAA's words."),
      Field("approachCall", .text("PRIMARY_APCH_RADIO_CALL")),
      Field("approachProvider", .text("APCH_P_PROVIDER"), "Identifiers of facilities."),
      Field("secondaryApproachCall", .text("SECONDARY_APCH_RADIO_CALL")),
      Field("secondaryApproachProvider", .text("APCH_S_PROVIDER")),
      Field("departureCall", .text("PRIMARY_DEP_RADIO_CALL")),
      Field("departureProvider", .text("DEP_P_PROVIDER")),
      Field("secondaryDepartureCall", .text("SECONDARY_DEP_RADIO_CALL")),
      Field("secondaryDepartureProvider", .text("DEP_S_PROVIDER")),
      Field("approachDepartureCalls", .text("CTL_FAC_APCH_DEP_CALLS"), "Of the facility's own control."),
      Field("approachDepartureOperator", .text("APCH_DEP_OPER_CODE"), "The FAA's code, as of the tower."),
      Field("controlHours", .text("CTL_PRVDING_HRS"), "Of approach control, in the FAA's words."),
      Field("secondaryControlHours", .text("SECONDARY_CTL_PRVDING_HRS")),
    ],
    keys: [.controlFacility], indexes: [["identifier"], ["airport"]])

  static let controlServices = numbered(
    "controlServices", from: "ATC_SVC", of: .controlFacility, as: "facility",
    "What a facility offers besides control.",
    [
      Field("service", .text("CTL_SVC"), "In the FAA's words.", isRequired: true)
    ])

  static let atis = numbered(
    "atis", from: "ATC_ATIS", of: .controlFacility, as: "facility",
    "Hours and telephones of the ATIS; its frequency is among the airport's.",
    [
      Field("description", .text("DESCRIPTION")),
      Field("hours", .text("ATIS_HRS")),
      Field("phone", .text("ATIS_PHONE_NO")),
    ])

  static let controlRemarks = numbered(
    "controlRemarks", from: "ATC_RMK", of: .controlFacility, as: "facility",
    "The FAA's remarks to a facility.",
    [
      Field("subject", .text("TAB_NAME"), "What it is about, in the FAA's words.", isRequired: true),
      Field("field", .text("REF_COL_NAME"), "The FAA's column."),
      Field("remark", .text("REMARK"), isRequired: true),
    ])

  static let radars = SourceTable(
    "radars", from: "RDR", "Radars of airports and approach controls.",
    [
      .id,
      Field(
        "facility", .text("FACILITY_ID"), "An airport's FAA identifier, or a TRACON's.", isRequired: true),
      Field(
        "facilityType", .word("FACILITY_TYPE", ["AIRPORT": "airport", "TRACON": "tracon"]),
        "airport or tracon."),
      .state, .country,
      Field(
        "type", .text("RADAR_TYPE"), "ASR (surveillance), PAR (precision approach) ...", isRequired: true),
      Field("hours", .text("RADAR_HRS"), "In the FAA's words; 24 is always."),
      .remark,
    ],
    indexes: [["facility"]])
}

/// The codes of ATC_BASE.
enum ControlCodes {
  static let types: CodeBook = [
    "NON-ATCT": "noTower", "ATCT": "tower", "ATCT-A/C": "towerApproach", "ATCT-RAPCON": "towerRapcon",
    "ATCT-RATCF": "towerRatcf", "ATCT-TRACON": "towerTracon", "ATCT-TRACAB": "towerTracab",
    "ATCT-CERAP": "towerCerap", "TRACON": "tracon", "CERAP": "cerap", "ARTCC": "artcc",
  ]
}

/// Flight service stations, and the radio outlets of flight service stations and centers.
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
      .city, .state,
      .country, .latitude, .longitude,
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
      .city, .state,
      .country, .requiredLatitude, .requiredLongitude,
      Field("facility", .text("FACILITY_ID"), "The flight service station or center that speaks through it."),
      Field("facilityName", .text("FACILITY_NAME")),
      Field("alternateFSS", .text("ALT_FSS_ID")),
      Field("hours", .text("OPR_HRS"), "24 is always."),
      Field("status", .word("COMM_STATUS_CODE", stationStatuses), "active ..."),
      Field("statusDate", .date("COMM_STATUS_DATE")),
      .remark,
    ],
    indexes: [["identifier"], ["facility"]], extent: .point)

  private static let stationStatuses: CodeBook = ["A": "active"]
}
