/// Where weather is reported from, and what is known there.
extension SourceTable {
  static let weatherLocations = SourceTable(
    "weatherLocations", from: "WXL_BASE", "Places for which weather is reported or forecast.",
    [
      .id,
      Field("identifier", .text("WEA_ID"), isRequired: true),
      Field("city", .text("CITY")),
      Field("state", .text("STATE_CODE")),
      Field("country", .text("COUNTRY_CODE")),
      Field("latitude", .real("LAT_DECIMAL", -90...90), isRequired: true),
      Field("longitude", .real("LONG_DECIMAL", -180...180), isRequired: true),
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
