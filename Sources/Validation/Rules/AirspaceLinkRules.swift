internal import Aero
internal import Core
internal import Pipeline
internal import SQLiteIO

/// What belongs together and no foreign key says so.
struct DatabaseLinks: DatabaseRule {
  let name = "database-links"
  let protects =
    "An airspace has a floor below its ceiling and a shape that closes, and an airport has a runway."

  /// Of public airports on land; in whole cycles it is one in some hundreds.
  private static let withoutRunway = 0.05
  /// Degrees; boxes are kept with as many digits as shapes.
  private static let slack = 0.000_001

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let known = try database.known
    let questions = Question.all.filter { question in
      question.tables.allSatisfy { name in known.contains { $0.name == name } }
    }
    let broken = try questions.flatMap { question in
      try database.connection.texts(question.sql).map {
        Finding(
          rule: name, severity: question.severity, where: "\(database.place) \(question.tables[0]) \($0)",
          message: question.trouble)
      }
    }
    let shaped = known.filter { $0.has("geometry", "south", "north", "west", "east") }
    return try broken + shaped.flatMap { try shapes($0, database) } + bareAirports(database)
  }

  private struct Question {
    /// The first one's rows are told.
    let tables: [String]
    let sql: String
    let trouble: String
    var severity = Finding.Severity.error

    static let all: [Question] = [
      .init(
        tables: ["airspaces"],
        sql: """
          SELECT 'row ' || id || ' ' || name FROM airspaces WHERE floorFeet > ceilingFeet AND ceilingFeet > 0 ORDER BY id
          """, trouble: "its floor is above its ceiling"),
      .init(
        tables: ["airspaces"],
        // One of the FAA's 7,000.
        sql: """
          SELECT 'row ' || id || ' ' || name FROM airspaces WHERE floorFeet > ceilingFeet AND ceilingFeet <= 0 ORDER BY id
          """, trouble: "its ceiling is 0, below its floor", severity: .warning),
      .init(
        tables: ["airspaceTimes", "airspaces"],
        sql:
          "SELECT DISTINCT area FROM airspaceTimes WHERE area NOT IN (SELECT area FROM airspaces) ORDER BY 1",
        trouble: "there is no such area"),
      .init(
        tables: ["airspaceFrequencies", "airspaces"],
        sql: """
          SELECT DISTINCT area FROM airspaceFrequencies WHERE area NOT IN (SELECT area FROM airspaces) ORDER BY 1
          """, trouble: "there is no such area"),
      ofRunway("runwayDetails"), ofRunway("runwayEndDetails"),
    ]

    private static func ofRunway(_ table: String) -> Question {
      .init(
        tables: [table, "runways"],
        sql: """
          SELECT DISTINCT airport || ' ' || runway FROM \(table) d
          WHERE NOT EXISTS (SELECT 1 FROM runways r WHERE r.airport = d.airport AND r.id = d.runway) ORDER BY 1
          """, trouble: "there is no such runway")
    }
  }

  /// Each shape closed, and in the box that is told of it.
  private func shapes(_ table: TableSchema, _ database: DatabaseUnderTest) throws -> [Finding] {
    try database.connection.prepare(
      """
      SELECT \(table.label), geometry, south, north, west, east FROM \(table.name)
      WHERE geometry IS NOT NULL ORDER BY rowid
      """
    ).map { row -> Finding? in
      let place = "\(database.place) \(table.name) \(row.text(0) ?? "")"
      let outline = row.withText(1) { ShapeOutline($0)?.box }
      guard let box = outline ?? GeoJSONPolygons(text: row.text(1) ?? "")?.box else {
        return error(place, "its geometry is no polygon whose rings close")
      }
      let told = (2...5).map { row.isNull($0) ? .nan : row.double($0) }
      let isNear = zip([box.south, box.north, box.west, box.east], told).allSatisfy {
        abs($0 - $1) <= DatabaseLinks.slack
      }
      return isNear ? nil : error(place, "its shape does not fill its stated box")
    }.compactMap(\.self)
  }

  private func bareAirports(_ database: DatabaseUnderTest) throws -> [Finding] {
    let counts =
      try database.connection.prepare(
        """
        SELECT count(*), coalesce(sum(NOT EXISTS (SELECT 1 FROM runways WHERE airport = icao)), 0) FROM airports
        WHERE use = 'public' AND type = 'airport'
        """
      ).map { ($0.int(0), $0.int(1)) }.first ?? (0, 0)
    guard Double(counts.1) > DatabaseLinks.withoutRunway * Double(counts.0) else { return [] }
    let problem = "\(Counts.grouped(counts.1)) of \(Counts.grouped(counts.0)) public airports have no runway"
    return [warning("\(database.place) airports", problem)]
  }
}

extension GeoJSONPolygons {
  /// Around all of its places.
  fileprivate var box: GeoBox? {
    let places = polygons.joined().joined().map { GeoPoint(longitude: $0[0], latitude: $0[1]) }
    return GeoBox(around: places)
  }
}

/// The box around a GeoJSON polygon whose rings close, read from its bytes: there are millions of corners, and of each only
/// this much is asked.
struct ShapeOutline {
  private(set) var box: GeoBox?
  private var first = GeoPoint(longitude: 0, latitude: 0)
  private var last = GeoPoint(longitude: 0, latitude: 0)
  private var corners = 0

  /// Before the first corner's numbers, and how deep these lie.
  private static let heads = [
    (text: Array("{\"type\":\"Polygon\",\"coordinates\":[[[".utf8), depth: 3),
    (text: Array("{\"type\":\"MultiPolygon\",\"coordinates\":[[[[".utf8), depth: 4),
  ]
  private static let powers: [Double] = [1, 10, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12]

  /// Nil for what is not written as databases have it, or does not close.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard let head = ShapeOutline.heads.first(where: { text.starts(with: $0.text) }) else { return nil }
    var at = head.text.count
    var depth = head.depth
    while depth > 0 {
      if depth == head.depth {
        guard let corner = ShapeOutline.corner(text, &at) else { return nil }
        add(corner)
      }
      guard at < text.count else { return nil }
      switch text[at] {
      case UInt8(ascii: "]"):
        depth -= 1
        if depth == head.depth - 2, !closes() { return nil }
      case UInt8(ascii: ","): break
      case UInt8(ascii: "["): depth += 1
      default: return nil
      }
      at += 1
    }
    guard at + 1 == text.count, text[at] == UInt8(ascii: "}") else { return nil }
  }

  private mutating func add(_ corner: GeoPoint) {
    if corners == 0 { first = corner }
    (last, corners) = (corner, corners + 1)
    guard var box else {
      self.box = GeoBox(around: [corner])
      return
    }
    box.west = min(box.west, corner.longitude)
    box.east = max(box.east, corner.longitude)
    box.south = min(box.south, corner.latitude)
    box.north = max(box.north, corner.latitude)
    self.box = box
  }

  /// At the end of a ring.
  private mutating func closes() -> Bool {
    defer { corners = 0 }
    return corners >= 4 && first == last
  }

  /// `-122.115,37.461`
  private static func corner(_ text: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> GeoPoint? {
    guard let longitude = number(text, &at), at < text.count, text[at] == UInt8(ascii: ",") else {
      return nil
    }
    at += 1
    guard let latitude = number(text, &at) else { return nil }
    return GeoPoint(longitude: longitude, latitude: latitude)
  }

  /// Up to twelve decimals, which a Double divides exactly as it would read them.
  private static func number(_ text: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Double? {
    let isNegative = at < text.count && text[at] == UInt8(ascii: "-")
    if isNegative { at += 1 }
    var (digits, value, decimals) = (0, 0, 0)
    var hasPoint = false
    while at < text.count, digits <= 15 {
      let byte = text[at]
      if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
        digits += 1
        if hasPoint { decimals += 1 }
      } else {
        break
      }
      at += 1
    }
    guard (1...15).contains(digits), decimals < powers.count else { return nil }
    let number = Double(value) / powers[decimals]
    return isNegative ? -number : number
  }
}
