internal import Foundation
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
      (table.columns.dropFirst().flatMap(\.checks) + (OpenEFBValues.checks[table.name] ?? [])).map {
        let label = "coalesce(\(table.key[0]), 'row ' || rowid)"
        return RowCheck(.error, table.name, label, where: $0.wrong, $0.message)
      }
    }
    let doubles = OpenEFBSchema.tables.flatMap { table in
      table.columns.filter { $0.type.contains("UNIQUE") }.map { column in
        let sql = "SELECT \(column.name) FROM \(table.name) GROUP BY 1 HAVING count(*) > 1 ORDER BY 1"
        return RowCheck(.error, table.name, sql: sql, "more than one row has this \(column.name)")
      }
    }
    return try findings(of: checks + doubles, in: database) + emptiness(of: database)
  }

  private static let place: Check = (
    "latitude NOT BETWEEN -90 AND 90 OR longitude NOT BETWEEN -180 AND 180",
    "it has no position on this earth"
  )

  /// A UUID as Foundation writes it, of version 5.
  fileprivate static func isNoUUID(_ text: String) -> String {
    """
    coalesce(\(text), '') NOT GLOB '????????-????-5???-[89AB]???-????????????'
      OR replace(\(text), '-', '') GLOB '*[^0-9A-F]*'
    """
  }

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
    ],
    "navaids": [
      place,
      (
        """
        (type LIKE 'vor%' AND frequency NOT BETWEEN 108 AND 118) OR (type LIKE 'ndb%' AND frequency NOT BETWEEN 150 AND 2000)
        """, "its frequency does not fit its type"
      ),
    ],
    "airspaces": [
      (isNoUUID("id"), "its id is not a UUID of version 5"),
      ("NOT floor < ceiling", "its ceiling is not above its floor"),
      ("floor < -2000 OR ceiling > 99999", "its floor or its ceiling is impossible"),
    ],
  ]
}

/// Checks the JSON in the columns of `openefb.sqlite` against the types of the app's properties.
struct OpenEFBNested: Rule {
  let name = "openefb-nested"
  let protects = "The app decodes the runways and frequencies of every airport, and draws every airspace."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    guard try ExportSchema.openEFB.isMet(by: database) else { return [] }
    let connection = database.connection
    func findings(_ sql: String) throws -> [Finding] {
      try connection.prepare(sql + " ORDER BY 1").map {
        error(database.place("airports", $0), $0.text(1) ?? "")
      }
    }
    let arrays = try ["fuelTypes", "runways", "frequencies"].flatMap { column in
      try findings(
        """
        SELECT icao, 'its \(column) do not decode: they are no JSON array' FROM airports
        WHERE iif(json_valid(\(column)), json_type(\(column)), '') <> 'array'
        """)
    }
    let fuels = try findings(
      "SELECT DISTINCT icao, 'its fuelTypes do not decode: one is no text' FROM \(objects("fuelTypes")) WHERE o.type <> 'text'"
    )
    let values = try OpenEFBSchema.nested.flatMap { table in
      try (table.columns.map(problem) + (OpenEFBNested.problems[table.name] ?? [])).flatMap { check in
        try findings(
          """
          SELECT icao, 'its \(table.name) do not decode: of ' || coalesce(\(Self.value("id")), 'one') || ' \(check.message)'
          FROM \(objects(table.name)) WHERE \(check.wrong)
          """)
      }
    }
    let doubles = try findings(
      """
      SELECT icao, 'its frequency ' || name || ' has the id of another' FROM (
        SELECT icao, \(Self.value("name")) AS name, row_number() OVER (PARTITION BY \(Self.value("id"))) AS copy
        FROM \(objects("frequencies")))
      WHERE copy > 1
      """)
    return try arrays + fuels + values + doubles + polygons(database)
  }

  private func objects(_ column: String) -> String {
    "airports, json_each(iif(json_valid(\(column)), \(column), '[]')) o"
  }

  private static func value(_ property: String) -> String {
    "iif(o.type = 'object', json_extract(o.value, '$.\(property)'), NULL)"
  }

  private func problem(_ property: TableSchema.Column) -> Check {
    let name = property.name
    if !property.words.isEmpty {
      return (
        "coalesce(\(Self.value(name)), '') NOT IN (\(property.wordList))",
        "the \(name) is not one of the app''s"
      )
    }
    let type = "coalesce(iif(o.type = 'object', json_type(o.value, '$.\(name)'), ''), 'null')"
    let (types, word) = property.decoded
    return ("\(type) NOT IN (\(property.isOptional ? "'null', " : "")\(types))", "the \(name) is not \(word)")
  }

  private static let problems: [String: [Check]] = {
    func degrees(_ ends: String...) -> String {
      "max(\(ends.map { "abs(\(value($0)))" }.joined(separator: ", ")))"
    }
    return [
      "runways": [
        (
          """
          \(degrees("baseEndLatitude", "reciprocalEndLatitude")) > 90
            OR \(degrees("baseEndLongitude", "reciprocalEndLongitude")) > 180
          """,
          "an end is not on this earth"
        ),
        ("min(\(value("length")), \(value("width"))) <= 0", "the length or the width is 0"),
      ],
      "frequencies": [(OpenEFBValues.isNoUUID(value("id")), "the id is no UUID of version 5")],
    ]
  }()

  private func polygons(_ database: DatabaseUnderTest) throws -> [Finding] {
    try database.connection.prepare("SELECT name, geometry FROM airspaces ORDER BY rowid").map { row in
      let problem: String?
      do {
        problem = try JSONDecoder().decode(NestedPolygon.self, from: Data((row.text(1) ?? "").utf8)).problem
      } catch {
        problem = "its geometry do not decode: \(reason(error))"
      }
      return problem.map { error(database.place("airspaces", row), $0) }
    }.compactMap(\.self)
  }
}

private struct NestedPolygon: Decodable {
  enum Kind: String, Decodable { case polygon = "Polygon" }

  let type: Kind
  let coordinates: [[[Double]]]

  var problem: String? {
    guard !coordinates.isEmpty, coordinates.allSatisfy({ $0.count >= 4 && $0.first == $0.last }) else {
      return "a ring of its geometry does not close"
    }
    let isOnEarth = coordinates.joined().allSatisfy { $0.count == 2 && abs($0[0]) <= 180 && abs($0[1]) <= 90 }
    return isOnEarth ? nil : "a corner of its geometry is not on this earth"
  }
}

/// Compares the R-trees and the text index of `openefb.sqlite` with the rows.
struct OpenEFBIndexes: Rule {
  let name = "openefb-indexes"
  let protects = "The app finds what is near and what the user types, and nothing else."

  /// Queries for the box of each row.
  private static let boxes = [
    ("airports", "icao", "SELECT rowid, latitude, latitude, longitude, longitude FROM airports"),
    ("navaids", "id", "SELECT rowid, latitude, latitude, longitude, longitude FROM navaids"),
    (
      "airspaces", "name",
      """
      SELECT a.rowid, min(json_extract(p.value, '$[1]')), max(json_extract(p.value, '$[1]')),
        min(json_extract(p.value, '$[0]')), max(json_extract(p.value, '$[0]'))
      FROM airspaces a, json_each(a.geometry, '$.coordinates[0]') p WHERE json_valid(a.geometry) GROUP BY a.rowid
      """
    ),
  ]

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    guard try ExportSchema.openEFB.isMet(by: database) else { return [] }
    let trees = try OpenEFBIndexes.boxes.flatMap { table, label, sql in
      try TreeComparison(table: table, label: label, boxes: sql).problems(database)
    }
    let index = TextIndexComparison(
      index: "airports_fts", rows: "airportTexts", columns: ["icao", "faaID", "name", "city", "words"],
      label: "icao")
    let texts = try index.problems(database, as: "airports")
    return (trees + texts).map { error("\(database.place) \($0.place)", $0.text) }
  }
}
