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
      Field("city", .text("CITY")),
      Field("state", .text("STATE_CODE")),
      Field("country", .text("COUNTRY_CODE")),
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

  static let controlServices = SourceTable(
    "controlServices", from: "ATC_SVC", of: .row(.controlFacility), "What a facility offers besides control.",
    [
      facility, .number,
      Field("service", .text("CTL_SVC"), "In the FAA's words.", isRequired: true),
    ],
    constraints: ["PRIMARY KEY (facility, number)"], isKeyed: true)

  static let atis = SourceTable(
    "atis", from: "ATC_ATIS", of: .row(.controlFacility),
    "Hours and telephones of the ATIS; its frequency is among the airport's.",
    [
      facility, .number,
      Field("description", .text("DESCRIPTION")),
      Field("hours", .text("ATIS_HRS")),
      Field("phone", .text("ATIS_PHONE_NO")),
    ],
    constraints: ["PRIMARY KEY (facility, number)"], isKeyed: true)

  static let controlRemarks = SourceTable(
    "controlRemarks", from: "ATC_RMK", of: .row(.controlFacility), "The FAA's remarks to a facility.",
    [
      facility, .number,
      Field("subject", .text("TAB_NAME"), "What it is about, in the FAA's words.", isRequired: true),
      Field("field", .text("REF_COL_NAME"), "The FAA's column."),
      Field("remark", .text("REMARK"), isRequired: true),
    ],
    constraints: ["PRIMARY KEY (facility, number)"], isKeyed: true)

  private static let facility = Field("facility", .owner(.controlFacility))

  static let radars = SourceTable(
    "radars", from: "RDR", "Radars of airports and approach controls.",
    [
      .id,
      Field(
        "facility", .text("FACILITY_ID"), "An airport's FAA identifier, or a TRACON's.", isRequired: true),
      Field(
        "facilityType", .word("FACILITY_TYPE", ["AIRPORT": "airport", "TRACON": "tracon"]),
        "airport or tracon."),
      Field("state", .text("STATE_CODE")),
      Field("country", .text("COUNTRY_CODE")),
      Field(
        "type", .text("RADAR_TYPE"), "ASR (surveillance), PAR (precision approach) ...", isRequired: true),
      Field("hours", .text("RADAR_HRS"), "In the FAA's words; 24 is always."),
      Field("remark", .text("REMARK")),
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
