/// Where people jump.
extension SourceTable {
  static let parachuteAreas = SourceTable(
    "parachuteAreas", from: "PJA_BASE", of: .perhapsAirport, "Parachute jump areas.",
    [
      .id,
      Field("identifier", .text("PJA_ID"), isRequired: true),
      Field("name", .text("DROP_ZONE_NAME"), "Of the drop zone."),
      Field("airport", .airport, "The airport at or near which it is."),
      Field("latitude", .real("LAT_DECIMAL", -90...90), isRequired: true),
      Field("longitude", .real("LONG_DECIMAL", -180...180), isRequired: true),
      Field("radius", .real("PJA_RADIUS", 0...100), "Nautical miles; NULL where the FAA has none."),
      Field("maxAltitude", .whole("MAX_ALTITUDE", 0...99_999), "Feet."),
      Field(
        "maxAltitudeDatum", .word("MAX_ALTITUDE_TYPE_CODE", ["MSL": "msl", "AGL": "agl"]), "msl or agl."),
      Field("navaid", .row(.navaidOfType, by: ["NAV_ID", "NAV_TYPE"])),
      Field("navaidID", .text("NAV_ID")),
      Field("radial", .real("RADIAL", 0...360), "Degrees magnetic, from the navaid."),
      Field("distance", .real("DISTANCE", 0...1000), "Nautical miles from the navaid."),
      Field("city", .text("CITY")),
      Field("state", .text("STATE_CODE")),
      Field(
        "isCharted", .flag("CHART_REQUEST_FLAG"), "1 where it is asked to be drawn on charts."),
      Field(
        "isPublished", .flag("PUBLISH_CRITERIA"), "1 where it meets the criteria for being drawn."),
      Field("use", areaUse("PJA_USE"), "civil, military or joint."),
      Field("user", .text("PJA_USER")),
      Field("times", .text("TIME_OF_USE"), "In the FAA's words, local."),
      Field("volume", .text("VOLUME"), "The FAA's code for how many jump."),
      Field("fssID", .text("FSS_ID")),
      Field("description", .text("DESCRIPTION")),
      Field("remark", .text("REMARK")),
    ],
    keys: [.parachuteArea], constraints: ["UNIQUE (identifier)"], extent: .point)

  static let parachuteContacts = SourceTable(
    "parachuteContacts", from: "PJA_CON", of: .row(.parachuteArea),
    "Whom to call about a parachute jump area.",
    [
      Field("area", .owner(.parachuteArea)), .number,
    ] + areaContact + [
      Field("location", .text("LOC_ID")),
      Field("sector", .text("SECTOR")),
      Field("altitude", .text("CONTACT_FREQ_ALTITUDE"), "In the FAA's words."),
    ],
    constraints: ["PRIMARY KEY (area, number)"], isKeyed: true)

  /// Whom to call about an area of any kind.
  static let areaContact: [Field] = [
    Field("facility", .text("FAC_ID")),
    Field("name", .text("FAC_NAME")),
    Field("frequency", .real("COMMERCIAL_FREQ", 2...400), "MHz."),
    Field("isCharted", .flag("COMMERCIAL_CHART_FLAG"), "0 or 1."),
    Field("militaryFrequency", .real("MIL_FREQ", 2...400), "MHz."),
    Field("isMilitaryCharted", .flag("MIL_CHART_FLAG"), "0 or 1."),
  ]

  static func areaUse(_ column: String) -> Field.Reading {
    .word(column, ["CIVIL": "civil", "MILITARY": "military", "JOINT": "joint"])
  }
}
