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
        "icao", .joined("TEXT NOT NULL UNIQUE", Origin(["ICAO_ID", "ARPT_ID"], .function(.identity))),
        "The ICAO code, else the FAA identifier: the airport's identity in every table."),
      Field("faaID", .text("ARPT_ID"), "The FAA location identifier, such as PAO.", isRequired: true),
      Field(
        "siteNumber", .text("SITE_NO"),
        "The FAA's landing facility site number, such as 02022. with its dot.", isRequired: true),
      Field(
        "siteType", .text("SITE_TYPE_CODE"),
        "The FAA's site type code; unique only together with siteNumber.", isRequired: true),
      Field("name", .either("ARPT_NAME", "ARPT_ID"), isRequired: true),
      .city,
      Field("state", .text("STATE_CODE"), "Post office code; NULL outside the United States."),
      Field("country", .text("COUNTRY_CODE"), "Two letters."),
      Field("latitude", .real("LAT_DECIMAL", -90...90), "Degrees, NAD83, south negative.", isRequired: true),
      Field(
        "longitude", .real("LONG_DECIMAL", -180...180), "Degrees, NAD83, west negative.", isRequired: true),
      Field("elevation", .real("ELEV", -1500...30_000), "Feet above mean sea level."),
      Field(
        "type", .word("SITE_TYPE_CODE", AirportCodes.types),
        "airport, heliport, seaplane, ultralight, gliderport, balloonport or vertiport.", isRequired: true),
      Field("ownership", .word("OWNERSHIP_TYPE_CODE", AirportCodes.owners), "public, private or military."),
      Field("use", .word("FACILITY_USE_CODE", AirportCodes.uses), "public or private."),
      Field(
        "status", .word("ARPT_STATUS", AirportCodes.statuses),
        "operational, closedIndefinitely or closedPermanently."),
      Field("ctafFrequency", .joined("REAL", Origin(["FREQ"], .made, in: "FRQ")), "MHz, VHF."),
      Field("unicomFrequency", .joined("REAL", Origin(["FREQ"], .made, in: "FRQ")), "MHz, VHF."),
      Field("artccID", .text("RESP_ARTCC_ID"), "The center in whose area it lies.", mayLack: true),
      Field("fssID", .text("FSS_ID"), "The flight service station that serves it.", mayLack: true),
      Field(
        "magneticVariation", .variation("MAG_VARN", "MAG_HEMIS"),
        "Degrees, west negative; magnetic bearing = true bearing - variation."),
      Field(
        "patternAltitude", .real("TPA", 0...20_000), "Feet above ground, only where the FAA publishes one.",
        mayLack: true),
      Field(
        "fuelTypes", .computed("TEXT", ["FUEL_TYPES"], as: .fuels, pairs: AirportCodes.jetFuels, fuels),
        "A JSON array, such as [\"100LL\",\"JetA\"].", isRequired: true),
      Field(
        "hasBeaconLight", isThere("BCN_LENS_COLOR", AirportCodes.beacons, whenEmpty: .integer(0)),
        "0 or 1; 0 where the FAA names no colour of its lens.", mayLack: true),
      Field("isTowered", isThere("TWR_TYPE_CODE", AirportCodes.towers, whenEmpty: .null), "0 or 1."),
      Field(
        "longestRunway", .joined("INTEGER", Origin(["RWY_LEN"], .made, in: "APT_RWY")),
        "Feet. A water lane only where there is no other runway."),
      Field("chart", .text("CHART_NAME"), "The sectional chart on which it is drawn.", mayLack: true),
      Field(
        "searchWords",
        .computed(
          "TEXT", ["ARPT_NAME", "CITY"], as: .searchWords, pairs: SearchWords.spellings, SearchWords.value),
        "Other spellings of words of name and city, for the search: OHARE, MCGHEE, SAINT."),
      Field(
        "effectiveDate", .date("EFF_DATE"), "The day on which the FAA's row took effect: 2026-11-26.",
        isRequired: true),
    ],
    constraints: ["UNIQUE (siteNumber, siteType)"], indexes: [["faaID"]], extent: .point,
    // The FAA identifier weighs more than the ICAO code, since `PAO` is also how Alaskan ICAO codes begin.
    search: [("icao", 10), ("faaID", 20), ("name", 4), ("city", 2), ("searchWords", 4)], mayLack: false,
    waits: true)

  /// 0 if the code's word is none, 1 if it is any other word; NULL for an unknown code.
  private static func isThere(_ column: String, _ book: CodeBook, whenEmpty: SQLiteValue) -> Reading {
    .computed("INTEGER", [column], as: whenEmpty == .null ? .isThereOrUnknown : .isThere, pairs: book) {
      row, at in
      let code = row.value(at)
      if code.isEmpty { return row.table.isMissing(at) ? .null : whenEmpty }
      if let word = book[code] { return SQLiteValue(word.description != AirportCodes.none.description) }
      return row.unknownCode(at)
    }
  }

  /// `["100LL","JetA"]` for `100LL,A`.
  @Sendable private static func fuels(_ row: SourceRow, _ at: Int) -> SQLiteValue {
    guard let list = row.text(at) else { return .text("[]") }
    let names = list.split { $0 == "," || $0 == "/" || $0 == " " }.map { code in
      let (name, isKnown) = AirportCodes.fuel(String(code))
      if !isKnown { row.report(.unknownCode, at, "the code is not known") }
      // Known fuel names need no escaping in JSON; an unknown one might.
      return "\"" + name.filter { $0 != "\"" && $0 != "\\" } + "\""
    }
    return .text("[" + names.joined(separator: ",") + "]")
  }
}

/// Other spellings of the words of an airport's name and city, by which pilots search for it. The text index treats an apostrophe as
/// a blank, and the FAA writes MC GHEE, ST PAUL and FORT WORTH.
enum SearchWords {
  static let spellings: CodeBook = [
    "ST": "SAINT", "STE": "SAINTE", "SAINT": "ST", "FT": "FORT", "FORT": "FT", "MT": "MOUNT", "MOUNT": "MT",
  ]

  /// The other spellings in two columns; NULL if there are none, as for most airports.
  @Sendable static func value(_ row: SourceRow, _ at: Int) -> SQLiteValue {
    var words: [String] = []
    for text in [row.text(at), row.text(at + 1)].compactMap(\.self) {
      words += others(text).filter { !$0.isEmpty && !words.contains($0) }
    }
    return words.isEmpty ? .null : .text(words.joined(separator: " "))
  }

  /// OHARE for O'HARE, MCGHEE for MC GHEE, SAINT for ST.
  private static func others(_ text: String) -> [String] {
    let words = text.uppercased().split { " /-(),.".contains($0) }
    return words.indices.compactMap { index in
      let word = words[index]
      if word == "MC", index + 1 < words.count { return "MC" + words[index + 1].filter { $0 != "'" } }
      return word.contains("'") ? word.filter { $0 != "'" } : spellings[word]
    }
  }
}
