internal import Core
internal import SQLiteIO

/// A condition of wrong rows, and the message.
private typealias Check = (wrong: String, message: String)

extension TableSchema.Column {
  fileprivate var isOptional: Bool { !type.contains("NOT NULL") }

  /// SQLite's names of the types that the app's property decodes, and the word for them.
  fileprivate var decoded: (types: String, word: String) {
    switch type.prefix(while: { $0 != " " }) {
    case "TEXT": ("'text'", "text")
    case "INTEGER": ("'integer'", "an integer")
    default: ("'real', 'integer'", "a number")
    }
  }

  fileprivate var wordList: String { words.sorted().map { "'\($0)'" }.joined(separator: ", ") }

  /// What the app's type of the property demands of each row.
  fileprivate var checks: [Check] {
    if !words.isEmpty {
      return [("coalesce(\(name), '') NOT IN (\(wordList))", "the app does not know its \(name)")]
    }
    let (types, word) = decoded
    let isEmpty = !isOptional && word == "text" ? " OR trim(\(name)) = ''" : ""
    return [
      (
        "typeof(\(name)) NOT IN (\(isOptional ? "'null', " : "")\(types))\(isEmpty)",
        "its \(name) is not \(word)"
      )
    ]
  }
}

/// Finds values of `openefb.sqlite` that the app's types cannot decode: one such row ends the app's whole query.
struct OpenEFBValues: Rule {
  let name = "openefb-values"
  let protects = "The app decodes every airport, navaid and airspace, and shows each where it is."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    guard try ExportSchema.openEFB.isMet(by: database) else { return [] }
    let checks = OpenEFBSchema.tables.flatMap { table in
      let columns = table.columns.filter { !$0.type.hasPrefix("INTEGER PRIMARY KEY") }
      return (columns.flatMap(\.checks) + (OpenEFBValues.checks[table.name] ?? [])).map {
        let label = table.isKeyed ? table.key[0] : "coalesce(\(table.key[0]), 'row ' || rowid)"
        return RowCheck(.error, table.name, label, where: $0.wrong, $0.message)
      }
    }
    let doubles = OpenEFBSchema.tables.flatMap { table in
      table.columns.filter { $0.type.hasPrefix("TEXT NOT NULL PRIMARY KEY") }.map { column in
        let sql = "SELECT \(column.name) FROM \(table.name) GROUP BY 1 HAVING count(*) > 1 ORDER BY 1"
        return RowCheck(.error, table.name, sql: sql, "more than one row has this \(column.name)")
      }
    }
    return try findings(of: checks + doubles + Self.own, in: database) + emptiness(of: database)
  }

  private static let offEarth = "latitude NOT BETWEEN -90 AND 90 OR longitude NOT BETWEEN -180 AND 180"
  private static let place: Check = (offEarth, "it has no position on this earth")

  /// A UUID as Foundation writes it, of version 5.
  private static let noUUID: Check = (
    """
    coalesce(id, '') NOT GLOB '????????-????-5???-[89AB]???-????????????'
      OR replace(id, '-', '') GLOB '*[^0-9A-F]*'
    """, "its id is not a UUID of version 5"
  )

  /// The tables that the app's own code fills.
  private static let own: [RowCheck] = [
    .init(.error, "weatherCache", "id", where: "true", "only the app may write this"),
    .init(
      .error, "grdb_migrations",
      sql: """
        SELECT coalesce(names, '') FROM (
          SELECT group_concat(identifier) AS names FROM (SELECT identifier FROM grdb_migrations ORDER BY 1)
        ) WHERE names IS NOT 'v1,v2-airspaces'
        """, "the app would make its tables again, or refuse the file"),
  ]

  private static let checks: [String: [Check]] = [
    "airports": [
      place, ("elevation NOT BETWEEN -1500 AND 30000", "its elevation is impossible"),
      ("hasBeaconLight NOT IN (0, 1)", "its hasBeaconLight is not 0 or 1"),
      (
        "ctafFrequency NOT BETWEEN 118 AND 137 OR unicomFrequency NOT BETWEEN 118 AND 137",
        "its common frequency is not in the aeronautical band"
      ),
      (
        "fuelTypes LIKE '%\"JetA%' AND fuelTypes NOT LIKE '%\"JetA\"%'",
        "the app searches for JetA, which its fuels lack although they have a kind of Jet A"
      ),
      (
        "iif(json_valid(fuelTypes), json_type(fuelTypes), '') <> 'array'",
        "its fuelTypes do not decode: they are no JSON array"
      ),
      (
        "EXISTS (SELECT 1 FROM json_each(iif(json_valid(fuelTypes), fuelTypes, '[]')) WHERE type <> 'text')",
        "its fuelTypes do not decode: one is no text"
      ),
    ]
      + OpenEFBSchema.nested(of: "airports.icao").sorted { $0.key < $1.key }.map { column, rows in
        ("airports.\(column) IS NOT \(rows)", "its \(column) are not those of the table \(column)")
      },
    "runways": [
      (
        """
        max(abs(baseEndLatitude), abs(reciprocalEndLatitude)) > 90
          OR max(abs(baseEndLongitude), abs(reciprocalEndLongitude)) > 180
        """, "an end is not on this earth"
      ),
      ("length <= 0 OR width <= 0", "its length or its width is 0"),
      ("airportICAO NOT IN (SELECT icao FROM airports)", "it belongs to no airport"),
    ],
    "frequencies": [noUUID, ("airportICAO NOT IN (SELECT icao FROM airports)", "it belongs to no airport")],
    "navaids": [
      place,
      (
        """
        (type LIKE 'vor%' AND frequency NOT BETWEEN 108 AND 118) OR (type LIKE 'ndb%' AND frequency NOT BETWEEN 150 AND 2000)
        """, "its frequency does not fit its type"
      ),
    ],
    "fixes": [place],
    "airspaces": [
      noUUID, ("NOT floorAltitude < ceilingAltitude", "its ceiling is not above its floor"),
      ("floorAltitude < -2000 OR ceilingAltitude > 99999", "its floor or its ceiling is impossible"),
      ("floor <> floorAltitude OR ceiling <> ceilingAltitude", "it has two floors or two ceilings"),
      (
        "lowestGround > highestGround OR lowestGround < -1500 OR highestGround > 30000",
        "the ground below it is impossible"
      ), ("groundSource NOT IN ('terrain', 'airports')", "its groundSource is unknown"),
      (
        """
        json_valid(geometryJSON) AND (minLat, maxLat, minLon, maxLon) IS NOT (
          SELECT min(value ->> 0), max(value ->> 0), min(value ->> 1), max(value ->> 1)
          FROM json_each(geometryJSON, '$.coordinates'))
        """, "its box is not that of its ring"
      ),
    ],
  ]
}

/// Checks the geometries of `openefb.sqlite` against the app's types.
struct OpenEFBNested: Rule {
  let name = "openefb-nested"
  let protects = "The app draws every airspace, and knows whether the aircraft is inside."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    guard try ExportSchema.openEFB.isMet(by: database) else { return [] }
    return try database.connection.prepare(
      "SELECT name, geometry, geometryJSON FROM airspaces ORDER BY rowid"
    )
    .map { row in
      problem(row.text(1) ?? "", row.text(2) ?? "").map { error(database.place("airspaces", row), $0) }
    }.compactMap(\.self)
  }

  private func problem(_ geometry: String, _ ring: String) -> String? {
    guard geometry.hasPrefix(AirspaceRing.polygonStart),
      let rings = GeoJSONPolygons(text: geometry)?.polygons.first
    else { return "its geometry does not decode: it is not a polygon of closed rings" }
    let isOnEarth = rings.joined().allSatisfy { $0.count == 2 && abs($0[0]) <= 180 && abs($0[1]) <= 90 }
    guard isOnEarth else { return "a corner of its geometry is not on this earth" }
    return ring == AirspaceRing.line(rings) ? nil : "its geometryJSON is not the ring of its geometry"
  }
}

/// Compares the R-trees and the text indexes of `openefb.sqlite` with the rows.
struct OpenEFBIndexes: Rule {
  let name = "openefb-indexes"
  let protects = "The app finds what is near and what the user types, and nothing else."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    guard try ExportSchema.openEFB.isMet(by: database) else { return [] }
    let trees = try OpenEFBSchema.tables.flatMap { table -> [Difference] in
      let isBox = table.name == OpenEFBSchema.airspaces.schema.name
      guard isBox || table.extent != nil else { return [] }
      let sides = isBox ? "minLat, maxLat, minLon, maxLon" : "latitude, latitude, longitude, longitude"
      return try treeProblems(database, over: table.name, label: table.key[0], sides: sides)
    }
    let texts = try OpenEFBSchema.indexes.flatMap { table, columns in
      try TextIndexComparison(table: table, columns: columns, label: columns[0]).problems(database)
    }
    return (trees + texts).map { error("\(database.place) \($0.place)", $0.text) }
  }
}
