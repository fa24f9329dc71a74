internal import Foundation
internal import SQLiteIO

/// Checks the tables and columns of `openefb.sqlite` that the app's types and queries need.
struct OpenEFBColumns: Rule {
  let name = "openefb-columns"
  let protects = "The app finds a column for each property that it decodes, and each index that it queries."

  private static let columns = [
    (
      "airports",
      """
      rowid icao faaID name latitude longitude elevation type ownership ctafFrequency unicomFrequency artccID fssID \
      magneticVariation patternAltitude fuelTypes hasBeaconLight runways frequencies
      """
    ),
    ("navaids", "rowid id name type latitude longitude frequency magneticVariation elevation"),
    ("airspaces", "rowid id classification name floor ceiling geometry"),
    ("metadata", "key value"),
  ]

  private static let indexes = ["airports_rtree", "navaids_rtree", "airspaces_rtree", "airports_fts"]

  /// Whether the tables and columns that the other rules read exist.
  static func isMet(by database: DatabaseUnderTest) throws -> Bool { try problems(database).isEmpty }

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    try OpenEFBColumns.problems(database).map { error(database.place, $0) }
  }

  private static func problems(_ database: DatabaseUnderTest) throws -> [String] {
    let there = try database.columns()
    let missing = columns.compactMap { table, names -> String? in
      guard let own = there[table] else { return "there is no table `\(table)`" }
      let lacking = names.split(separator: " ").filter { !own.contains(String($0)) }
      return lacking.isEmpty
        ? nil : "the table `\(table)` has no column \(lacking.joined(separator: ", "))"
    }
    return missing
      + indexes.filter { !database.tables.contains($0) }.map { "there is no table `\($0)`" }
  }
}

/// Finds values of `openefb.sqlite` that the app's types cannot decode: one such row ends the app's whole query.
struct OpenEFBValues: Rule {
  let name = "openefb-values"
  let protects = "The app decodes every airport, navaid and airspace, and shows each where it is."

  /// A condition of wrong rows, and the message.
  private typealias Check = (wrong: String, message: String)

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    guard try OpenEFBColumns.isMet(by: database) else { return [] }
    let tables = [
      ("airports", "icao", OpenEFBValues.airports), ("navaids", "id", OpenEFBValues.navaids),
      ("airspaces", "name", OpenEFBValues.airspaces),
    ]
    let wrong = try tables.flatMap { table, label, checks in
      try checks.flatMap { check in
        try database.connection.texts(
          "SELECT coalesce(\(label), 'row ' || rowid) FROM \(table) WHERE \(check.wrong) ORDER BY 1"
        ).map { error("\(database.place) \(table) \($0)", check.message) }
      }
    }
    let doubles = try ["airports.icao", "navaids.id", "airspaces.id"].flatMap { place in
      let parts = place.split(separator: ".")
      return try database.connection.texts(
        "SELECT \(parts[1]) FROM \(parts[0]) GROUP BY 1 HAVING count(*) > 1 ORDER BY 1"
      ).map { error("\(database.place) \(parts[0]) \($0)", "more than one row has this \(parts[1])") }
    }
    let count = try database.connection.numbers("SELECT count(*) FROM airports").first ?? 0
    return wrong + doubles + (count > 0 ? [] : [error(database.place, "there is no airport in it")])
  }

  private static let place: Check = (
    """
    typeof(latitude) <> 'real' OR typeof(longitude) <> 'real' OR latitude NOT BETWEEN -90 AND 90
      OR longitude NOT BETWEEN -180 AND 180
    """, "it has no position on this earth"
  )

  private static func text(_ column: String) -> Check {
    ("typeof(\(column)) <> 'text' OR trim(\(column)) = ''", "its \(column) is not text")
  }

  private static func optional(_ columns: String..., type: String) -> [Check] {
    columns.map { ("typeof(\($0)) NOT IN ('null', \(type))", "its \($0) is not a number") }
  }

  private static func word(_ column: String, _ words: String) -> Check {
    let list = words.split(separator: " ").map { "'\($0)'" }.joined(separator: ", ")
    return ("coalesce(\(column), '') NOT IN (\(list))", "the app does not know its \(column)")
  }

  private static let number = "'real', 'integer'"

  private static let airports: [Check] =
    [
      text("icao"), text("name"), place, word("type", "airport heliport seaplane ultralight"),
      word("ownership", "public private military"),
      (
        "typeof(elevation) NOT IN (\(number)) OR elevation NOT BETWEEN -1500 AND 30000",
        "its elevation is missing or impossible"
      ),
      (
        "typeof(hasBeaconLight) <> 'integer' OR hasBeaconLight NOT IN (0, 1)",
        "its hasBeaconLight is not 0 or 1"
      ),
      (
        "ctafFrequency NOT BETWEEN 118 AND 137 OR unicomFrequency NOT BETWEEN 118 AND 137",
        "its common frequency is not in the aeronautical band"
      ),
      (
        "fuelTypes LIKE '%\"JetA%' AND fuelTypes NOT LIKE '%\"JetA\"%'",
        "the app searches for JetA, which its fuels lack although they have a kind of Jet A"
      ),
    ] + optional("ctafFrequency", "unicomFrequency", "magneticVariation", type: number)
    + optional("patternAltitude", type: "'integer'")

  private static let navaids: [Check] =
    [
      text("id"), text("name"), place, word("type", "vor vortac vorDme ndb ndbDme"),
      ("typeof(frequency) NOT IN (\(number))", "it has no frequency"),
      (
        """
        (type LIKE 'vor%' AND frequency NOT BETWEEN 108 AND 118) OR (type LIKE 'ndb%' AND frequency NOT BETWEEN 150 AND 2000)
        """, "its frequency does not fit its type"
      ),
    ] + optional("magneticVariation", "elevation", type: number)

  /// A UUID as Foundation writes it, of version 5.
  private static let uuid = "????????-????-5???-[89AB]???-????????????"

  private static let airspaces: [Check] = [
    text("name"),
    word(
      "classification", "bravo charlie delta echo golf prohibited restricted moa alert warning tfr"),
    (
      "coalesce(id, '') NOT GLOB '\(uuid)' OR replace(id, '-', '') GLOB '*[^0-9A-F]*'",
      "its id is not a UUID of version 5"
    ),
    (
      "typeof(floor) <> 'integer' OR typeof(ceiling) <> 'integer'",
      "its floor or its ceiling is not an integer"
    ),
    ("NOT floor < ceiling", "its ceiling is not above its floor"),
    ("floor < -2000 OR ceiling > 99999", "its floor or its ceiling is impossible"),
  ]
}

/// Decodes the JSON in the columns of `openefb.sqlite` with the types of the app's properties.
struct OpenEFBNested: Rule {
  let name = "openefb-nested"
  let protects = "The app decodes the runways and frequencies of every airport, and draws every airspace."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    guard try OpenEFBColumns.isMet(by: database) else { return [] }
    let decoder = JSONDecoder()
    var findings: [Finding] = []
    func read<Value: Decodable>(
      _ type: Value.Type, _ row: SQLiteRow, _ column: Int, _ place: String, _ property: String
    ) -> Value? {
      do {
        return try decoder.decode(type, from: Data((row.text(column) ?? "").utf8))
      } catch {
        findings.append(self.error(place, "its \(property) do not decode: \(reason(error))"))
        return nil
      }
    }
    var ids: Set<UUID> = []
    let airports = "SELECT icao, runways, frequencies, fuelTypes FROM airports ORDER BY rowid"
    try database.connection.prepare(airports).rows { row in
      let place = "\(database.place) airports \(row.text(0) ?? "")"
      _ = read([String].self, row, 3, place, "fuelTypes")
      let runways = read([NestedRunway].self, row, 1, place, "runways") ?? []
      let frequencies = read([NestedFrequency].self, row, 2, place, "frequencies") ?? []
      let doubles = frequencies.filter { !ids.insert($0.id).inserted }
      let problems =
        runways.compactMap(\.problem) + doubles.map { "its frequency \($0.name) has the id of another" }
      findings += problems.map { error(place, $0) }
    }
    try database.connection.prepare("SELECT name, geometry FROM airspaces ORDER BY rowid").rows { row in
      let place = "\(database.place) airspaces \(row.text(0) ?? "")"
      if let problem = read(NestedPolygon.self, row, 1, place, "geometry")?.problem {
        findings.append(error(place, problem))
      }
    }
    return findings
  }
}

/// A runway as the app declares it.
private struct NestedRunway: Decodable {
  enum Surface: String, Decodable { case asphalt, concrete, turf, gravel, water }
  enum Lighting: String, Decodable { case none, partTime, fullTime }

  let id: String
  let length: Int
  let width: Int
  let surface: Surface
  let lighting: Lighting
  let baseEndID: String
  let reciprocalEndID: String
  let baseEndLatitude: Double
  let baseEndLongitude: Double
  let reciprocalEndLatitude: Double
  let reciprocalEndLongitude: Double
  let baseEndElevation: Double?
  let reciprocalEndElevation: Double?

  var problem: String? {
    let latitudes = [baseEndLatitude, reciprocalEndLatitude]
    let longitudes = [baseEndLongitude, reciprocalEndLongitude]
    guard latitudes.allSatisfy({ abs($0) <= 90 }), longitudes.allSatisfy({ abs($0) <= 180 }) else {
      return "its runway \(id) has an end that is not on this earth"
    }
    return length > 0 && width > 0 ? nil : "its runway \(id) has no length or no width"
  }
}

private struct NestedFrequency: Decodable {
  enum Kind: String, Decodable {
    case ctaf, tower, ground, clearance, approach, departure, atis, awos, unicom, multicom
  }

  let id: UUID
  let type: Kind
  let frequency: Double
  let name: String
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
    guard try OpenEFBColumns.isMet(by: database) else { return [] }
    let trees = try OpenEFBIndexes.boxes.flatMap { table, label, sql in
      try TreeComparison(table: table, label: label, boxes: sql).problems(database)
    }
    let index = TextIndexComparison(
      index: "airports_fts", rows: "airportTexts", columns: ["icao", "faaID", "name", "city", "words"],
      label: "icao")
    let texts = try index.problems(database, as: "airports")
    return (trees + texts).map { error($0.place, $0.text) }
  }
}
