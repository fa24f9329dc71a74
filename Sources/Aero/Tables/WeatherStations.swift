internal import SQLiteIO

/// Automatic weather stations, and places for which weather is reported.
extension SourceTable {
  /// The rows wait for the airports' frequencies, which are written first.
  static let weatherStations = SourceTable(
    "weatherStations", from: "AWOS", of: .stationAirport,
    "Automatic weather stations: what they say is heard on their frequency, or by telephone.",
    [
      Field("id", .number, "The rowid, as in weatherStations_rtree."),
      Field(
        "identifier", name("ASOS_AWOS_ID"), "Often that of the airport; not always unique.", isRequired: true),
      Field("type", name("ASOS_AWOS_TYPE"), "ASOS, AWOS-3PT ..., in the FAA's words.", isRequired: true),
      Field(
        "airport", .airport,
        "That of its site number, else the one of its identifier within 5 nautical miles; NULL where it stands alone.",
        from: "SITE_NO, SITE_TYPE_CODE, ASOS_AWOS_ID"),
      .city, .state, .country,
      Field(
        "latitude", .real("LAT_DECIMAL", -90...90),
        "Degrees, NAD83, south negative; NULL where the FAA has none."),
      Field("longitude", .real("LONG_DECIMAL", -180...180), "Degrees, NAD83, west negative."),
      Field("elevation", .real("ELEV", -1500...30_000), "Feet above mean sea level."),
      Field("phone", .text("PHONE_NO")),
      Field("secondPhone", .text("SECOND_PHONE_NO")),
      Field("isAtNavaid", .flag("NAVAID_FLAG"), "0 or 1.", mayLack: true),
      Field("commissioned", .date("COMMISSIONED_DATE"), "The day."),
      .remark,
    ],
    indexes: [["identifier"], ["airport"]], extent: .point, isStaged: true)

  private static func name(_ column: String) -> Reading {
    .computed("TEXT", [column], as: .name) { row, at throws(UnusableRow) in .text(try row.required(at)) }
  }

  static let weatherLocations = SourceTable(
    "weatherLocations", from: "WXL_BASE", "Places for which weather is reported or forecast.",
    [
      .id,
      Field("identifier", .text("WEA_ID"), isRequired: true),
      .city, .state,
      .country, .requiredLatitude, .requiredLongitude,
      Field("elevation", .whole("ELEV", -1500...30_000), "Feet above mean sea level."),
    ],
    keys: [.weatherLocation], indexes: [["identifier"]], extent: .point)

  static let weatherServices = SourceTable(
    "weatherServices", from: "WXL_SVC", "What is reported or forecast there.",
    [
      .id,
      Field("location", .row(.weatherLocation, by: ["WEA_ID"]), "NULL where the FAA does not place it."),
      Field("identifier", .text("WEA_ID"), isRequired: true),
      Field(
        "service", .text("WEA_SVC_TYPE_CODE"), "METAR, SPECI, TAF, FD, UA, NOTAM, SA, FT ...",
        isRequired: true),
      Field("area", .text("WEA_AFFECT_AREA"), "The states that it is for."),
    ],
    indexes: [["location"]])
}
