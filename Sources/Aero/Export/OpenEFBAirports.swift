internal import Core
internal import Foundation
internal import RasterIO
internal import SQLiteIO

extension OpenEFBSchema {
  static let airports = RecordTable<NamedRow>(
    "airports",
    "Open landing facilities. An airport is identified by icao. The rowids are in the order of importance.",
    [
      .init("icao", "TEXT NOT NULL PRIMARY KEY", "The ICAO code, else the FAA identifier: KPAO, O69."),
      .init("faaID", "TEXT", "The FAA identifier: PAO."),
      .init("name", "TEXT NOT NULL", "In title case: Palo Alto."),
      .init("latitude", "REAL NOT NULL", "Degrees, NAD83, south negative."),
      .init("longitude", "REAL NOT NULL", "Degrees, NAD83, west negative."),
      .init("elevation", "REAL NOT NULL", "Feet above mean sea level."),
      .init(
        "type", "TEXT NOT NULL", "airport, heliport, seaplane or ultralight.",
        words: OpenEFBWords.airportTypes),
      .init("ownership", "TEXT NOT NULL", "public, private or military.", words: OpenEFBWords.ownerships),
      .init("ctafFrequency", "REAL", "MHz."),
      .init("unicomFrequency", "REAL", "MHz."),
      .init("artccID", "TEXT", "The center in whose area it lies."),
      .init("fssID", "TEXT", "The flight service station that serves it."),
      .init("magneticVariation", "REAL", "Degrees, west negative."),
      .init("patternAltitude", "INTEGER", "Feet above ground."),
      .init(
        "fuelTypes", "TEXT DEFAULT '[]'",
        "A JSON array of texts: 100LL, JetA. Before a kind of Jet A, such as JetA+, there is JetA."),
      .init("hasBeaconLight", "INTEGER NOT NULL DEFAULT 0", "0 or 1."),
      .init(
        "runways", "TEXT NOT NULL DEFAULT '[]'",
        "The app's columns of the table runways as a JSON array of objects, without those whose surface is other; dirt is gravel here.",
        mayDiffer: "1"),
      .init(
        "frequencies", "TEXT NOT NULL DEFAULT '[]'",
        "The app's columns of the table frequencies as a JSON array of objects, the most important first.",
        mayDiffer: "1"),
      .init("city", "TEXT", "In title case."),
      .init("state", "TEXT", "Post office code; NULL outside the United States."),
      .init("use", "TEXT", "public or private: whether everybody may land."),
      .init("isTowered", "INTEGER", "0 or 1."),
      .init("longestRunway", "INTEGER", "Feet. A water lane only where there is no other runway."),
      .init("phone", "TEXT", "The manager's."),
      .init("attendance", "TEXT", "When the airport is attended: months/days/hours, in the FAA's words."),
      .init("lightingSchedule", "TEXT", "When the runways are lighted: SS-SR is sunset to sunrise."),
      .init("lightingActivation", "TEXT", "The FAA's remarks on how a pilot switches the lights on."),
      .init("hasLandingFee", "INTEGER", "0 or 1; NULL where the FAA does not say."),
      .init("isEntry", "INTEGER", "An international airport of entry. 0 or 1."),
      .init("hasLandingRights", "INTEGER", "Of customs. 0 or 1."),
      .init("fssPhone", "TEXT", "Of its flight service station."),
      .init(
        "fssFrequency", "REAL",
        "MHz: of the nearest outlet of a flight service station within 40 nautical miles."),
      .init("airspaceHours", "TEXT", "When its class of airspace is in effect, in the FAA's words."),
      .init("searchWords", "TEXT", "Other spellings of words of name and city: OHARE, SAINT."),
    ], indexes: [["faaID"]], extent: .point, key: ["icao"])

  static let runways = RecordTable<NamedRow>(
    "runways", "Runways, water lanes and helipads.",
    [
      .init("rowid", "INTEGER PRIMARY KEY") { _ in SQLiteValue.null },
      .init("id", "TEXT NOT NULL", "13/31; H1 is a helipad."), owner,
      .init("length", "INTEGER NOT NULL", "Feet."), .init("width", "INTEGER NOT NULL", "Feet."),
      .init(
        "surface", "TEXT NOT NULL", "asphalt, concrete, turf, gravel, dirt, water or other.",
        words: OpenEFBWords.surfaces),
      .init("lighting", "TEXT NOT NULL", "none, partTime or fullTime.", words: OpenEFBWords.lightings),
      .init("baseEndID", "TEXT NOT NULL"), .init("reciprocalEndID", "TEXT NOT NULL"),
      .init("baseEndLatitude", "REAL NOT NULL", "Degrees."), .init("baseEndLongitude", "REAL NOT NULL"),
      .init("reciprocalEndLatitude", "REAL NOT NULL"), .init("reciprocalEndLongitude", "REAL NOT NULL"),
      .init("baseEndElevation", "REAL", "Feet above mean sea level, of the touchdown zone (TDZE)."),
      .init("reciprocalEndElevation", "REAL"),
      .init(
        "isEstimated", "INTEGER NOT NULL DEFAULT 0",
        "1 where the FAA gives no position of an end. It is made of the airport's position, the length and the direction."
      ),
      .init("baseEndTraffic", "TEXT", "left or right; NULL where the FAA does not say."),
      .init("reciprocalEndTraffic", "TEXT"),
      .init("edgeLights", "TEXT", "high, medium, low, nonstandard, perimeter, flood or strobe."),
    ], indexes: [["airportICAO"]], key: ["airportICAO", "id"])

  static let frequencies = RecordTable<NamedRow>(
    "frequencies", "The frequencies of airports that civil radios receive.",
    [
      .init("id", "TEXT NOT NULL PRIMARY KEY", "A UUID of version 5.", mayDiffer: "1"), owner,
      .init(
        "type", "TEXT NOT NULL",
        "ctaf, tower, ground, clearance, approach, departure, atis, awos, unicom or multicom.",
        words: OpenEFBWords.frequencyTypes),
      .init("frequency", "REAL NOT NULL", "MHz."), .init("name", "TEXT NOT NULL", "Palo Alto Tower"),
      .init("hours", "TEXT", "The tower's, in the FAA's words."), .init("remark", "TEXT"),
    ], indexes: [["airportICAO"]], key: ["airportICAO", "name", "type", "frequency"])

  static let remarks = RecordTable<NamedRow>(
    "remarks", "The FAA's remarks to airports.",
    [
      .init("airportICAO", "TEXT NOT NULL") { $0["airport"] }, .init("number", "INTEGER NOT NULL"),
      .init("subject", "TEXT NOT NULL", "What it is about, in the FAA's words: AIRPORT, RUNWAY, FUEL_TYPE."),
      .init("element", "TEXT", "Which one of them: 13/31, 100LL."), .init("remark", "TEXT NOT NULL"),
    ], constraints: ["PRIMARY KEY (airportICAO, number)"], isKeyed: true, key: ["airportICAO", "number"])

  private static let owner = RecordTable<NamedRow>.Field(
    "airportICAO", "TEXT NOT NULL REFERENCES airports(icao) ON DELETE CASCADE"
  ) { $0["airport"] }

  /// The JSON of an airport's runways and frequencies: the expressions by column, over the tables of the same names.
  static func nested(of icao: String) -> [String: String] {
    func array(
      _ table: RecordTable<NamedRow>, through last: String, _ values: [String: String],
      where condition: String
    ) -> String {
      let all = table.schema.columns.map(\.name)
      let names = all.prefix { $0 != last }.filter { !["rowid", "airportICAO"].contains($0) } + [last]
      let pairs = names.map { "'\($0)', \(values[$0] ?? $0)" }
      return """
        (SELECT json_group_array(json_patch('{}', json_object(\(pairs.joined(separator: ", ")))))
          FROM (SELECT * FROM \(table.schema.name) WHERE airportICAO = \(icao) AND \(condition) ORDER BY rowid))
        """
    }
    return [
      "runways": array(
        runways, through: "isEstimated",
        [
          "surface": "replace(surface, 'dirt', 'gravel')",
          "isEstimated": "json(iif(isEstimated, 'true', 'false'))",
        ],
        where: "surface <> 'other'"),
      "frequencies": array(frequencies, through: "name", [:], where: "1"),
    ]
  }
}

extension ExportSource {
  /// The airports that the app can express, in the order of importance.
  func openEFBAirports() throws -> [NamedRow] {
    var airports: [NamedRow] = []
    try database.execute(Self.outlets)
    let query = try database.prepare(Self.airportsQuery)
    try forEachRow(of: "airports", query, named: { $0.text("icao") ?? "" }) { row in
      airports.append(try openEFBAirport(row))
    }
    return airports
  }

  private static let outlets = """
    CREATE TEMP TABLE outlets AS SELECT o.latitude, o.longitude, f.frequency, f.number
      FROM communicationOutlets o JOIN outletFrequencies f ON f.outlet = o.id
      WHERE o.type LIKE 'rco%' AND coalesce(o.status, 'active') = 'active' AND f.vhf = 1 AND f.receiveOnly = 0;
    CREATE INDEX temp.outlets_latitude ON outlets(latitude);
    """

  /// The first column of a name counts, so that the columns before `a.*` replace those of the table.
  private static let airportsQuery = """
    SELECT CAST(round(patternAltitude) AS INTEGER) AS patternAltitude, a.*, d.*, h.hours AS airspaceHours,
      (SELECT phone FROM contacts c WHERE c.airport = a.icao AND role = 'manager' AND phone IS NOT NULL
        ORDER BY number LIMIT 1) AS phone,
      (SELECT group_concat(coalesce(months, '') || '/' || coalesce(days, '') || '/' || coalesce(hours, ''), '; ')
        FROM (SELECT * FROM attendance WHERE airport = a.icao ORDER BY number)) AS attendance,
      (SELECT group_concat(remark, ' ') FROM (SELECT remark FROM remarks r WHERE r.airport = a.icao
        AND (remark LIKE '%ACTVT%' OR remark LIKE '%ACTIVATE%') ORDER BY number)) AS lightingActivation,
      (SELECT frequency FROM (
        SELECT frequency, number, o.latitude, o.longitude, pow(o.latitude - a.latitude, 2)
          + pow((o.longitude - a.longitude) * cos(radians(a.latitude)), 2) AS distance
        FROM outlets o WHERE o.latitude BETWEEN a.latitude - 0.67 AND a.latitude + 0.67)
        WHERE distance <= pow(40 / 60.0, 2) ORDER BY distance, number, frequency LIMIT 1) AS fssFrequency
    FROM airports a LEFT JOIN airportDetails d ON d.airport = a.icao
      LEFT JOIN classAirspaceHours h ON h.airport = a.icao ORDER BY a.id
    """

  /// Throws for an airport that the app cannot express, such as a closed one or one without an elevation.
  private func openEFBAirport(_ original: NamedRow) throws -> NamedRow {
    var row = original
    let icao = row.text("icao") ?? ""
    if let status = row.text("status"), status.hasPrefix("closed") {
      throw UnusableRow(column: "status", value: status, reason: "the app cannot show that it is closed")
    }
    try row.map("type", OpenEFBWords.airportTypes, orOmit: "the app has no such type")
    try row.map("ownership", OpenEFBWords.ownerships, orOmit: "the app has no such ownership")
    guard row.real("elevation") != nil else {
      throw UnusableRow(column: "elevation", reason: "it has no elevation")
    }
    if row["hasBeaconLight"] == .null { row["hasBeaconLight"] = .integer(0) }
    for name in ["name", "city"] { row[name] = row.text(name).map { .text(TitleCase.name($0)) } ?? .null }
    row["fuelTypes"] = .text(try openEFBFuels(row.text("fuelTypes") ?? "[]", of: icao))
    (row["runways"], row["frequencies"]) = (.text("[]"), .text("[]"))
    recordMapped(icao, of: "airports", ["type", "hasBeaconLight"], from: original, to: row)
    return row
  }

  /// The JSON array of the app's fuels. Validation reports a text that is not an array.
  private func openEFBFuels(_ text: String, of icao: String) throws -> String {
    guard text != "[]", let words = try? JSONDecoder().decode([String].self, from: Data(text.utf8))
    else { return text }
    let fuels = OpenEFBWords.fuels(words)
    guard fuels != words else { return text }
    problems.recordMapped(
      icao, of: "airports", column: "fuelTypes", value: words.joined(separator: ","),
      to: fuels.joined(separator: ","))
    return String(decoding: try CanonicalJSON.line(fuels), as: UTF8.self)
  }

  /// The rows that belong to airports, in the order of the airports.
  ///
  /// - Parameters:
  ///   - name: the name of a row for display, after the airport: `13/31`.
  ///   - make: sets the app's values. Returns false for a row that there is already, and throws `UnusableRow` for one that the app
  ///     cannot express.
  func openEFBRows(
    _ table: RecordTable<NamedRow>, of airports: [NamedRow], by order: String,
    named name: @escaping (NamedRow) -> String,
    _ make: @escaping (_ row: inout NamedRow, _ airport: NamedRow, _ place: String) throws -> Bool
  ) throws -> ExportTable {
    let query = try database.prepare(
      "SELECT * FROM \(table.schema.name) WHERE airport = ? ORDER BY \(order)")
    problems.read(rows: 0, of: table.schema.name)
    return table.rows { [self] add in
      for airport in airports {
        let place = { "\(airport.text("icao") ?? "") \(name($0))" }
        try forEachRow(of: table.schema.name, query, [airport["icao"]], named: place) { row in
          var made = row
          if try make(&made, airport, place(row)) { try add(made) }
        }
      }
    }
  }

  /// Throws where the length or the width has no value.
  func makeOpenEFBRunway(_ row: inout NamedRow, of airport: NamedRow, at place: String) throws {
    let original = row
    for size in ["length", "width"] where row[size] == .null {
      throw UnusableRow(column: size, reason: "it has no \(size)")
    }
    row["surface"] = .text(OpenEFBWords.surface(row.text("surface") ?? ""))
    row["lighting"] = .text(row.text("lighting").flatMap { OpenEFBWords.lightings[$0] } ?? "none")
    for end in ["baseEnd", "reciprocalEnd"] { row[end + "Elevation"] = row[end + "TouchdownElevation"] }
    if row["reciprocalEndID"] == .null { row["reciprocalEndID"] = row["baseEndID"] }
    let isEstimated = estimateEnds(&row, of: airport)
    row["isEstimated"] = .integer(isEstimated ? 1 : 0)
    recordMapped(place, of: "runways", ["surface", "lighting"], from: original, to: row)
    if isEstimated {
      problems.recordMapped(
        place, of: "runways", column: "baseEndLatitude", value: "", to: "estimated",
        because: "the FAA does not give the position of its ends")
    }
  }

  /// Sets the positions of the ends that the FAA does not give. Returns whether it estimated one.
  ///
  /// The middle of the runway is at the airport's position, unless one end is known. Both ends of a helipad, and of a water lane in all
  /// directions, are at one place.
  private func estimateEnds(_ row: inout NamedRow, of airport: NamedRow) -> Bool {
    let ends = [RunwayDirection.End(row, "baseEnd"), RunwayDirection.End(row, "reciprocalEnd")]
    guard ends.contains(where: { $0.place == nil }) else { return false }
    let isPad = ends[0].ident == ends[1].ident
    let heading =
      isPad
      ? nil
      : RunwayDirection.heading(of: ends[0], opposite: ends[1], variation: airport.real("magneticVariation"))
    let metres = heading == nil ? 0 : Double(row.int("length")) * 0.3048
    let middle = GeoPoint(
      longitude: airport.real("longitude") ?? 0, latitude: airport.real("latitude") ?? 0)
    let (ahead, back) = (heading ?? 0, (heading ?? 0) + 180)
    let base =
      ends[0].place ?? ends[1].place?.moved(metres: metres, toward: back)
      ?? middle.moved(metres: metres / 2, toward: back)
    let reciprocal = ends[1].place ?? base.moved(metres: metres, toward: ahead)
    for (end, place) in [("baseEnd", base), ("reciprocalEnd", reciprocal)] {
      (row[end + "Latitude"], row[end + "Longitude"]) = (.real(place.latitude), .real(place.longitude))
    }
    return !isPad || ends[0].place == nil
  }

  /// Throws for a frequency that the app cannot express, or that a pilot could not use.
  func makeOpenEFBFrequency(_ row: inout NamedRow, of airport: NamedRow) throws {
    let use = row.text("use") ?? ""
    let own = row.text("type") ?? ""
    // Weather stations such as `CXF AWOS-3P`, and the approach control of class B and C, have the type `other` in the database.
    let weather = use.split(separator: " ").first { $0.hasPrefix("AWOS") || $0.hasPrefix("ASOS") }
    let service = weather != nil ? "awos" : ["CLASS B", "CLASS C"].contains(use) ? "approach" : nil
    guard let type = OpenEFBWords.frequencyTypes[own] ?? (own == "other" ? service : nil) else {
      throw UnusableRow(column: "type", value: use.isEmpty ? own : use, reason: "the app has no such type")
    }
    let megahertz = row.real("frequency") ?? 0
    // The app cannot mark a frequency, and its pilot has a civil radio. A VOR may broadcast an ATIS.
    guard
      row.int("vhf") == 1 || (["atis", "awos"].contains(type) && (108..<118).contains(megahertz))
    else {
      throw UnusableRow(column: "frequency", value: "\(megahertz)", reason: "civil radios do not receive it")
    }
    guard row.int("receiveOnly") == 0 else {
      throw UnusableRow(
        column: "receiveOnly", value: "\(megahertz)",
        reason: "the station listens on it and does not transmit")
    }
    // The UUID is made of the FAA's permanent key of the site.
    let site = ["siteNumber", "siteType"].map { airport.text($0) ?? "" }.joined()
    let hertz = Int((megahertz * 1_000_000).rounded())
    let key = ["frequency", site, type, "\(hertz)", row.text("name") ?? "", row.text("sector") ?? ""]
    row["id"] = .text(try StableID.text(of: key.joined(separator: "|")))
    let airportName = airport.text("name") ?? ""
    let call = type == "awos" ? airportName : row.text("name").map(TitleCase.name) ?? airportName
    let word = (type == "awos" ? weather.map(String.init) : nil) ?? OpenEFBWords.callWords[type] ?? ""
    let plain = call.hasSuffix(" " + word) ? call : call + " " + word
    // With a sector `NorCal Departure (NW-E)`.
    row["name"] = .text(row.text("sector").map { "\(plain) (\($0))" } ?? plain)
    row["type"] = .text(type)
  }
}

extension RunwayDirection.End {
  fileprivate var place: GeoPoint? {
    guard let latitude, let longitude else { return nil }
    return GeoPoint(longitude: longitude, latitude: latitude)
  }
}

extension GeoPoint {
  /// The point at a distance, to a tenth of a metre.
  fileprivate func moved(metres: Double, toward azimuth: Double) -> GeoPoint {
    let point = Geodesic.point(latitude: latitude, azimuth: azimuth, metres: metres)
    func rounded(_ degrees: Double) -> Double { (degrees * 1_000_000).rounded() / 1_000_000 }
    return GeoPoint(longitude: rounded(longitude + point.longitude), latitude: rounded(point.latitude))
  }
}
