internal import Aero
internal import Core
internal import Pipeline
internal import SQLiteIO

/// Checks airspaces (limits, shapes, boxes, times, frequencies), and runway details and airports without their runways.
struct DatabaseLinks: Rule {
  let name = "database-links"
  let protects =
    "An airspace has a floor below its ceiling and a shape that closes, and an airport has a runway."

  /// The largest share of public airports without a runway. In whole cycles it is one in some hundreds.
  private static let withoutRunway = 0.05
  /// Degrees. Boxes have as many digits as shapes.
  private static let slack = 0.000_001

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let known = try database.known
    let checks = RowCheck.all.filter { check in
      check.tables.allSatisfy { name in known.contains { $0.name == name } }
    }
    let broken = try checks.flatMap { check in
      try database.connection.texts(check.sql).map {
        Finding(
          rule: name, severity: check.severity, where: "\(database.place) \(check.tables[0]) \($0)",
          message: check.message)
      }
    }
    let shaped = known.filter { $0.has("geometry", "south", "north", "west", "east") }
    return try broken + shaped.flatMap { try shapes($0, database) } + bareAirports(database)
  }

  /// A query for rows that are wrong.
  private struct RowCheck {
    /// The findings are about rows of the first table.
    let tables: [String]
    let sql: String
    let message: String
    var severity = Finding.Severity.error

    static let all: [RowCheck] = [
      .init(
        tables: ["airspaces"],
        sql: """
          SELECT 'row ' || id || ' ' || name FROM airspaces WHERE floorFeet > ceilingFeet AND ceilingFeet > 0 ORDER BY id
          """, message: "its floor is above its ceiling"),
      .init(
        tables: ["airspaces"],
        // One of the FAA's 7,000 airspaces has such a ceiling.
        sql: """
          SELECT 'row ' || id || ' ' || name FROM airspaces WHERE floorFeet > ceilingFeet AND ceilingFeet <= 0 ORDER BY id
          """, message: "its ceiling is 0, below its floor", severity: .warning),
      .init(
        tables: ["airspaceTimes", "airspaces"],
        sql:
          "SELECT DISTINCT area FROM airspaceTimes WHERE area NOT IN (SELECT area FROM airspaces) ORDER BY 1",
        message: "there is no such area"),
      .init(
        tables: ["airspaceFrequencies", "airspaces"],
        sql: """
          SELECT DISTINCT area FROM airspaceFrequencies WHERE area NOT IN (SELECT area FROM airspaces) ORDER BY 1
          """, message: "there is no such area"),
      hasRunway("runwayDetails"), hasRunway("runwayEndDetails"),
    ]

    private static func hasRunway(_ table: String) -> RowCheck {
      .init(
        tables: [table, "runways"],
        sql: """
          SELECT DISTINCT airport || ' ' || runway FROM \(table) d
          WHERE NOT EXISTS (SELECT 1 FROM runways r WHERE r.airport = d.airport AND r.id = d.runway) ORDER BY 1
          """, message: "there is no such runway")
    }
  }

  /// Checks that each shape is closed and fills its stated box.
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
        return error(place, "its geometry is not a polygon with closed rings")
      }
      let stated = (2...5).map { row.isNull($0) ? .nan : row.double($0) }
      let isNear = zip([box.south, box.north, box.west, box.east], stated).allSatisfy {
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
  /// The box around all corners.
  fileprivate var box: GeoBox? {
    let places = polygons.joined().joined().map { GeoPoint(longitude: $0[0], latitude: $0[1]) }
    return GeoBox(around: places)
  }
}

/// The box around a closed GeoJSON polygon. It is parsed from the bytes, since there are millions of corners.
struct ShapeOutline {
  private(set) var box: GeoBox?
  private var first = GeoPoint(longitude: 0, latitude: 0)
  private var last = GeoPoint(longitude: 0, latitude: 0)
  private var corners = 0

  /// The text before the first corner, and the depth of its brackets.
  private static let heads = [
    (text: Array("{\"type\":\"Polygon\",\"coordinates\":[[[".utf8), depth: 3),
    (text: Array("{\"type\":\"MultiPolygon\",\"coordinates\":[[[[".utf8), depth: 4),
  ]
  private static let powers: [Double] = [1, 10, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12]

  /// Nil for text in another form than in databases, or with a ring that does not close.
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

  /// Whether the ring that ends here is closed.
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

  /// Reads up to twelve decimals. The division is exact, so the result is that of parsing the text.
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
