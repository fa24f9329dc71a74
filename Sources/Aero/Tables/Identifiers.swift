extension SourceTable {
  static let identifiers = SourceTable(
    "identifiers", from: "LID", "Everything to which the FAA has given a location identifier.",
    [
      .id,
      Field("identifier", .text("LOC_ID"), "Given to several things at one place.", isRequired: true),
      Field(
        "kind", .word("LID_GROUP", kinds), "landingFacility, navaid, weatherSensor, ils ...", isRequired: true
      ),
      Field("type", .text("FAC_TYPE"), "The FAA's code within the kind: A, H, VORTAC, RCO ..."),
      Field("name", .text("FAC_NAME")),
      Field("city", .text("CITY")),
      Field("state", .text("STATE")),
      Field("country", .text("COUNTRY_CODE")),
      Field("artccID", .text("RESP_ARTCC_ID")),
      Field("fssID", .text("FSS_ID")),
    ],
    indexes: [["identifier"]])

  private static let kinds: CodeBook = [
    "LANDING FACILITY": "landingFacility", "NAVIGATION AID": "navaid", "WEATHER SENSOR": "weatherSensor",
    "WEATHER REPORTING STATION": "weatherLocation", "INSTRUMENT LANDING SYSTEM": "ils",
    "SPECIAL USE RESOURCE": "specialUse", "REMOTE COMMUNICATION OUTLET": "communicationOutlet",
    "CONTROL FACILITY": "controlFacility", "FLIGHT SERVICE STATION": "flightServiceStation",
    "DOD OVERSEA FACILITY": "militaryOverseas",
  ]
}
