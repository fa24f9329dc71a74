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
        "A JSON array, such as [\"100LL\",\"JetA\"].",
        isRequired: true),
      Field(
        "hasBeaconLight", isThere("BCN_LENS_COLOR", AirportCodes.beacons, whenEmpty: .integer(0)),
        "0 or 1; 0 where the FAA names no colour of its lens.", mayLack: true),
      Field("isTowered", isThere("TWR_TYPE_CODE", AirportCodes.towers, whenEmpty: .null), "0 or 1."),
      Field("longestRunway", .joined("INTEGER", Origin(["RWY_LEN"], .made, in: "APT_RWY")), "Feet."),
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
  private static func isThere(
    _ column: String, _ book: CodeBook, whenEmpty: SQLiteValue
  ) -> Reading {
    .computed("INTEGER", [column], as: whenEmpty == .null ? .isThereOrUnknown : .isThere, pairs: book) {
      row, at in
      let code = row.value(at)
      if code.isEmpty { return row.table.isMissing(at) ? .null : whenEmpty }
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
    for value in [row.value(at), row.value(at + 1)] where mayHaveOthers(value) {
      words += others(value.text).filter { !words.contains($0) }
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

  /// Whether the text has an apostrophe, or a word that begins like one of those above. Most texts have neither and need no splitting.
  private static func mayHaveOthers(_ value: CSVValue) -> Bool {
    guard let bytes = value.asciiBytes else { return true }
    var isStart = true
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == UInt8(ascii: "'") { return true }
      if isStart, index + 1 < bytes.count, isBeginning(byte, bytes[index + 1]) { return true }
      isStart = byte < UInt8(ascii: "0")
    }
    return false
  }

  private static func isBeginning(_ first: UInt8, _ second: UInt8) -> Bool {
    switch first {
    case UInt8(ascii: "M"):
      second == UInt8(ascii: "C") || second == UInt8(ascii: "T") || second == UInt8(ascii: "O")
    case UInt8(ascii: "S"): second == UInt8(ascii: "T") || second == UInt8(ascii: "A")
    case UInt8(ascii: "F"): second == UInt8(ascii: "T") || second == UInt8(ascii: "O")
    default: false
    }
  }
}

/// The part of an APT_BASE row that other tables need.
struct Airport: NASRRecord {
  // The FAA's own names.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  enum Column: Int, NASRColumn {
    case SITE_NO, SITE_TYPE_CODE, STATE_CODE, ARPT_ID, LAT_DECIMAL, LONG_DECIMAL, LGT_SKED, ICAO_ID,
      ARPT_STATUS,
      FACILITY_USE_CODE, TWR_TYPE_CODE
  }

  static let table = "APT_BASE"

  let line: Int
  let key: SiteKey
  let faaID: String
  let icaoID: String?
  let state: String?
  let latitude: Double
  let longitude: Double
  /// Whether its lights burn from sunset to sunrise without a request.
  let isLightedAllNight: Bool
  /// Sorts airports: lower for those that are open, then for public ones, then for those with a tower.
  let rank: Int

  init?(_ row: NASRRow<Column>) throws(UnusableRow) {
    line = row.line
    key = SiteKey(number: try row.required(.SITE_NO), type: try row.required(.SITE_TYPE_CODE))
    faaID = try row.required(.ARPT_ID)
    icaoID = row.text(.ICAO_ID)
    state = row.text(.STATE_CODE)
    latitude = try row.latitude(.LAT_DECIMAL)
    longitude = try row.longitude(.LONG_DECIMAL)
    isLightedAllNight = row.value(.LGT_SKED).equals("SS-SR")
    rank = Airport.rank(row)
  }

  private static func rank(_ row: NASRRow<Column>) -> Int {
    let status = row.value(.ARPT_STATUS)
    let tower = AirportCodes.towers[row.value(.TWR_TYPE_CODE)]?.description
    return (status.isEmpty || status.equals("O") ? 0 : 4)
      + (row.value(.FACILITY_USE_CODE).equals("PU") ? 0 : 2)
      + (tower == nil || tower == AirportCodes.none.description ? 1 : 0)
  }
}

/// The key by which the FAA's tables refer to a landing facility. The number alone is not unique: an airport and a heliport can
/// share one. The number is text, since `00103.` and `103` are different.
struct SiteKey: Hashable, Comparable {
  let number: String
  let type: String

  static func < (left: SiteKey, right: SiteKey) -> Bool {
    (left.number, left.type) < (right.number, right.type)
  }
}

/// The codes of APT_BASE.
enum AirportCodes {
  static let none: StaticString = "none"

  static let types: CodeBook = [
    "A": "airport", "B": "balloonport", "C": "seaplane", "G": "gliderport", "H": "heliport",
    "U": "ultralight",
    "V": "vertiport",
  ]
  /// MA is the Air Force, MN the Navy, MR the Army, CG the Coast Guard.
  static let owners: CodeBook = [
    "PU": "public", "PR": "private", "MA": "military", "MN": "military", "MR": "military", "CG": "military",
  ]
  static let uses: CodeBook = ["PU": "public", "PR": "private"]
  static let statuses: CodeBook = ["O": "operational", "CI": "closedIndefinitely", "CP": "closedPermanently"]

  /// Whether there is a control tower, with or without an approach control.
  static let towers: CodeBook = [
    "NON-ATCT": none, "ATCT": "tower", "ATCT-A/C": "tower", "ATCT-RAPCON": "tower", "ATCT-RATCF": "tower",
    "ATCT-TRACON": "tower", "TRACON": "tower", "ATCT-TRACAB": "tower", "ATCT-CERAP": "tower",
    // The FAA's layout equates them with NON-ATCT and with all others.
    "N": none, "Y": "tower",
  ]

  /// The colours of a rotating beacon, split into W, Y, G and S for a split beam.
  static let beacons: CodeBook = [
    "WG": "land", "SWG": "military", "WY": "water", "WGY": "heliport", "W": "unlightedLand",
    "Y": "unlightedWater",
    "G": "land", "N": none, "NONE": none,
    // Before 2023 the white light was called clear.
    "CG": "land", "SCG": "military", "CY": "water", "CGY": "heliport", "C": "unlightedLand",
  ]

  /// The FAA names jet fuel by its grade alone.
  static let jetFuels: CodeBook = [
    "A": "JetA", "A+": "JetA+", "A++": "JetA++", "A++10": "JetA++10", "A1": "JetA1", "A1+": "JetA1+",
    "B": "JetB",
    "B+": "JetB+",
  ]
  private static let otherFuels: Set<String> = [
    "80", "100", "100LL", "115", "100R", "G100", "UL91", "UL94", "UL100", "MOGAS", "J", "J4", "J5", "J8",
    "J8+10",
    "H",
  ]

  /// `JetA` for the grade A; any other fuel under the FAA's name.
  static func fuel(_ code: String) -> (name: String, isKnown: Bool) {
    jetFuels[code].map { ($0, true) } ?? (code, otherFuels.contains(code))
  }
}
