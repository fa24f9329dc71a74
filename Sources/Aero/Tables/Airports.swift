internal import SQLiteIO

extension SourceTable {
  static let airports = SourceTable(
    "airports", from: Airport.table,
    "Landing facilities of every kind, one row each, the most important to most pilots first.",
    [
      Field(
        "id", .number,
        "The rowid, as in airports_rtree and airports_fts. In the order of importance: open, public, towered, longest runway."
      ),
      Field(
        "icao", .atAirport("TEXT NOT NULL UNIQUE", []) { _, _, entry in .text(entry.icao) },
        "The ICAO code, else the FAA identifier: the airport's identity in every table.",
        from: "ICAO_ID, ARPT_ID"),
      Field("faaID", .text("ARPT_ID"), "The FAA location identifier, such as PAO.", isRequired: true),
      Field(
        "siteNumber", .text("SITE_NO"),
        "The FAA's landing facility site number, such as 02022. with its dot.", isRequired: true),
      Field(
        "siteType", .text("SITE_TYPE_CODE"),
        "The FAA's site type code; unique only together with siteNumber.",
        isRequired: true),
      Field("name", .either("ARPT_NAME", "ARPT_ID"), isRequired: true),
      Field("city", .text("CITY")),
      Field("state", .text("STATE_CODE"), "Post office code; NULL outside the United States."),
      Field("country", .text("COUNTRY_CODE"), "Two letters."),
      Field("latitude", .real("LAT_DECIMAL", -90...90), "Degrees, NAD83, south negative.", isRequired: true),
      Field(
        "longitude", .real("LONG_DECIMAL", -180...180), "Degrees, NAD83, west negative.", isRequired: true),
      Field("elevation", .real("ELEV", -1500...30_000), "Feet above mean sea level."),
      Field(
        "type", .word("SITE_TYPE_CODE", AirportCodes.types),
        "airport, heliport, seaplane, ultralight, gliderport, balloonport or vertiport.", isRequired: true),
      Field(
        "ownership", .word("OWNERSHIP_TYPE_CODE", AirportCodes.owners), "public, private or military."),
      Field("use", .word("FACILITY_USE_CODE", AirportCodes.uses), "public or private."),
      Field(
        "status", .word("ARPT_STATUS", AirportCodes.statuses),
        "operational, closedIndefinitely or closedPermanently."),
      Field("ctafFrequency", .atAirport("REAL", []) { SQLiteValue($2.ctaf) }, "MHz, VHF.", from: "FRQ.FREQ"),
      Field(
        "unicomFrequency", .atAirport("REAL", []) { SQLiteValue($2.unicom) }, "MHz, VHF.", from: "FRQ.FREQ"),
      Field("artccID", .text("RESP_ARTCC_ID"), "The center in whose area it lies.", mayLack: true),
      Field("fssID", .text("FSS_ID"), "The flight service station that serves it.", mayLack: true),
      Field(
        "magneticVariation", .variation("MAG_VARN", "MAG_HEMIS"),
        "Degrees, west negative; magnetic bearing = true bearing - variation."),
      Field(
        "patternAltitude", .real("TPA", 0...20_000), "Feet above ground, only where the FAA publishes one.",
        mayLack: true),
      Field(
        "fuelTypes", .made("TEXT", ["FUEL_TYPES"], fuels), "A JSON array, such as [\"100LL\",\"JetA\"].",
        isRequired: true),
      Field(
        "hasBeaconLight", isThere("BCN_LENS_COLOR", AirportCodes.beacons, whenEmpty: .integer(0)), "0 or 1."),
      Field("isTowered", isThere("TWR_TYPE_CODE", AirportCodes.towers, whenEmpty: .null), "0 or 1."),
      Field(
        "longestRunway", .atAirport("INTEGER", []) { SQLiteValue($2.longestRunway) }, "Feet.",
        from: "APT_RWY.RWY_LEN"),
      Field("chart", .text("CHART_NAME"), "The sectional chart on which it is drawn.", mayLack: true),
      Field(
        "searchWords", .made("TEXT", ["ARPT_NAME", "CITY"], SearchWords.value),
        "Other spellings of words of name and city, for the search: OHARE, MCGHEE, SAINT."),
      Field(
        "effectiveDate", .date("EFF_DATE"), "The day on which the FAA's row took effect: 2026-11-26.",
        isRequired: true),
    ],
    constraints: ["UNIQUE (siteNumber, siteType)"], indexes: [["faaID"]], extent: .point,
    // The FAA identifier weighs more than the ICAO code, since `PAO` is also how Alaskan ICAO codes begin.
    search: [("icao", 10), ("faaID", 20), ("name", 4), ("city", 2), ("searchWords", 4)], mayLack: false)

  /// 1 where the code's word is any but none, 0 where it is none; NULL for a code that is not known, which says neither.
  private static func isThere(
    _ column: String, _ book: CodeBook, whenEmpty: SQLiteValue
  ) -> Field.Reading {
    .made("INTEGER", [column]) { row, at in
      let code = row.value(at)
      if code.isEmpty { return whenEmpty }
      if let word = book[code] { return SQLiteValue(word.description != AirportCodes.none.description) }
      row.report(.unknownCode, at, "the code is not known")
      return .null
    }
  }

  /// `["100LL","JetA"]` for `100LL,A`.
  @Sendable private static func fuels(_ row: SourceRow, _ at: Int) -> SQLiteValue {
    guard let list = row.text(at) else { return .text("[]") }
    let names = list.split { $0 == "," || $0 == "/" || $0 == " " }.map { code in
      let (name, isKnown) = AirportCodes.fuel(String(code))
      if !isKnown { row.report(.unknownCode, at, "the code is not known") }
      // Fuel names hold nothing that JSON would need escaped, but what the FAA writes is not ours to promise.
      return "\"" + name.filter { $0 != "\"" && $0 != "\\" } + "\""
    }
    return .text("[" + names.joined(separator: ",") + "]")
  }
}
