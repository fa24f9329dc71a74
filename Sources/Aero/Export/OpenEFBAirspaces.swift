internal import CryptoIO
internal import SQLiteIO

/// A polygon of an airspace whose floor and ceiling the app can express.
///
/// An airspace with a floor or ceiling above ground is left out: its altitude above sea level depends on terrain data.
struct OpenEFBPolygon {
  fileprivate let row: NamedRow
  fileprivate let limits: Limits
  fileprivate let box: Box
  fileprivate let geometry: String
  fileprivate(set) var number = 0
  fileprivate(set) var id = ""

  static let table = RecordTable<OpenEFBPolygon>(
    "airspaces",
    "Airspace whose floor and ceiling are known in feet above mean sea level; one row for each polygon.",
    [
      OpenEFBSchema.key(\.number),
      .init("id", "TEXT NOT NULL UNIQUE", "A UUID of version 5.", mayDiffer: "1") { .text($0.id) },
      .init(
        "classification", "TEXT NOT NULL",
        "bravo, charlie, delta, echo, prohibited, restricted, moa, alert or warning.",
        words: Set(OpenEFBWords.classifications.values)
      ) { .text($0.limits.classification) },
      .init("name", "TEXT NOT NULL", "In title case: San Francisco Class B.") { .text(name($0.row)) },
      .init("floor", "INTEGER NOT NULL", "Feet above mean sea level, 0 for the surface.") {
        .integer($0.limits.floor)
      },
      .init("ceiling", "INTEGER NOT NULL", "Feet above mean sea level; 99999 is unlimited.") {
        .integer($0.limits.ceiling)
      },
      .init("geometry", "TEXT NOT NULL", "A GeoJSON Polygon, longitude first, WGS84.") {
        .text($0.geometry)
      },
    ], key: ["name"])

  static func rows(_ polygons: [OpenEFBPolygon]) -> ExportTable {
    table.rows { add in for polygon in polygons { try add(polygon) } }
  }

  /// The R-tree, whose boxes have no columns in the table.
  static func tree(_ polygons: [OpenEFBPolygon]) -> PackedRTree {
    polygons.reduce(into: PackedRTree()) { tree, polygon in
      let box = polygon.box
      tree.add(polygon.number, box.south, box.north, box.west, box.east)
    }
  }

  /// The polygons in the order of the database. Counts the airspaces of class E that end at class A.
  static func all(_ source: ExportSource) throws -> [OpenEFBPolygon] {
    var polygons: [OpenEFBPolygon] = []
    var read = 0
    source.counts.add(0, to: "classECeilings")
    let parts = try PolygonParts(source.database)
    try source.database.prepare("SELECT * FROM airspaces ORDER BY id").forEachNamed { row in
      read += 1
      let whole = Box(
        south: row.real("south") ?? 0, north: row.real("north") ?? 0, west: row.real("west") ?? 0,
        east: row.real("east") ?? 0)
      let place = "\(name(row)) (row \(row.int("id")))"
      let limits = try source.expressible(place, of: "airspaces") { try Limits(row, whole) }
      guard let limits else { return }
      limits.report(row, place, to: source)
      try parts.forEach(of: row.text("geometry") ?? "") { geometry, sides in
        let box = sides.map { Box(south: $0[0], north: $0[1], west: $0[2], east: $0[3]) } ?? whole
        polygons.append(OpenEFBPolygon(row: row, limits: limits, box: box, geometry: geometry))
      }
    }
    source.problems.read(rows: read, of: "airspaces")
    try number(&polygons)
    return polygons
  }

  /// Sets numbers and UUIDs. Polygons with the same key are counted from the lowest, independent of the order in the FAA's file.
  private static func number(_ polygons: inout [OpenEFBPolygon]) throws {
    for (key, indices) in Dictionary(grouping: polygons.indices, by: { polygons[$0].key }) {
      for (count, index) in indices.sorted(by: { polygons[$0].precedes(polygons[$1]) }).enumerated() {
        polygons[index].id = try StableID.text(of: count == 0 ? key : "\(key)|\(count + 1)")
        polygons[index].number = index + 1
      }
    }
  }

  private func precedes(_ other: OpenEFBPolygon) -> Bool {
    (limits.floor, limits.ceiling, geometry) < (other.limits.floor, other.limits.ceiling, other.geometry)
  }

  /// The key of the UUID, the same in every cycle. It does not contain the floor and the ceiling.
  private var key: String {
    let words = ["class", "type", "designator", "name", "sector"].map { row.text($0) ?? "" }
    return (["airspace"] + words + [box.key]).joined(separator: "|")
  }

  /// `San Francisco Class B`, with the sector where there is one.
  private static func name(_ row: NamedRow) -> String {
    let name = row.text("name") ?? ""
    guard let sector = row.text("sector"), !name.contains(sector) else { return TitleCase.name(name) }
    return TitleCase.name(name) + " " + TitleCase.name(sector)
  }
}

private struct Box {
  let south: Double
  let north: Double
  let west: Double
  let east: Double

  /// The box to a hundredth of a degree.
  var key: String {
    [south, north, west, east].map { "\(Int(($0 * 100).rounded()))" }.joined(separator: "|")
  }

  /// Whether class A is above all of it: not above Hawaii, the southern islands, and the Alaska Peninsula west of 160° W.
  var isBelowClassA: Bool { south >= 24 && (south >= 58 || (west >= -160 && east <= 0)) }
}

/// The class of an airspace, and its floor and ceiling in feet above the sea.
private struct Limits {
  let classification: String
  let floor: Int
  let ceiling: Int

  /// The app's value for unlimited.
  private static let unlimited = 99_999
  /// The floor of class A (14 CFR 71.33), which is the ceiling of class E without a ceiling (14 CFR 71.71). The problem report lists each
  /// use, and `classECeilings` counts them.
  private static let classA = 18_000

  init(_ row: NamedRow, _ box: Box) throws {
    let unknown = "its height above the sea is not known"
    let text = row.text("ceilingText") ?? ""
    classification = try row.word(
      "class", OpenEFBWords.classifications, as: "classification",
      orOmit: "the app has no such classification")
    guard row["floorFeet"] != .null else {
      throw Omission(column: "floor", value: row.text("floorText") ?? "", reason: unknown)
    }
    floor = row.int("floorFeet")
    switch row.text("ceilingDatum") {
    case _ where row["ceilingFeet"] != .null: ceiling = row.int("ceilingFeet")
    case "unlimited": ceiling = Limits.unlimited
    case nil where classification == "echo" && floor < Limits.classA && box.isBelowClassA:
      ceiling = Limits.classA
    default: throw Omission(column: "ceiling", value: text, reason: unknown)
    }
    guard ceiling > floor else {
      throw Omission(column: "ceiling", value: text, reason: "it is not above the floor of \(floor) feet")
    }
  }

  /// Records the limits that are not those of the database.
  func report(_ row: NamedRow, _ place: String, to source: ExportSource) {
    if row["ceilingFeet"] == .null {
      let isClassA = ceiling == Limits.classA
      if isClassA { source.counts.add(to: "classECeilings") }
      source.problems.recordMapped(
        place, of: "airspaces", column: "ceiling", value: row.text("ceilingText") ?? "", to: "\(ceiling)",
        because: isClassA ? "class E ends at the floor of class A" : "it is unlimited")
    }
    if let excluded = row.text("excluded") {
      source.problems.recordMapped(
        place, of: "airspaces", column: "floor", value: excluded, to: "not cut out")
    }
  }
}

/// Splits GeoJSON MultiPolygons.
private struct PolygonParts {
  private let polygons: SQLiteStatement
  private let sides: SQLiteStatement

  init(_ database: SQLiteConnection) throws {
    polygons = try database.prepare(
      """
      SELECT '{"type":"Polygon","coordinates":' || value || '}' FROM json_each(?1, '$.coordinates')
      WHERE json_extract(?1, '$.type') = 'MultiPolygon' ORDER BY key
      """)
    sides = try database.prepare(
      """
      SELECT min(lat), max(lat), min(lon), max(lon) FROM (
        SELECT json_extract(value, '$[1]') AS lat, json_extract(value, '$[0]') AS lon
        FROM json_each(?1, '$.coordinates[0]'))
      """)
  }

  /// Passes on each polygon, with its south, north, west and east unless there is only one.
  func forEach(of geometry: String, _ each: (String, [Double]?) throws -> Void) throws {
    guard geometry.contains("MultiPolygon") else { return try each(geometry, nil) }
    let parts = try polygons.map([.text(geometry)]) { $0.text(0) ?? "" }
    for part in parts {
      let box = try sides.map([.text(part)]) { row in (0..<4).map(row.double) }
      try each(part, box.first)
    }
  }
}

/// UUIDs of version 5 (RFC 9562), so that a key has the same UUID in every cycle.
enum StableID {
  /// The namespace of the keys: the UUID of the URL `urn:chartpipe:openefb`.
  static let namespace: [UInt8] = [
    0x4b, 0xd5, 0xeb, 0x0e, 0xae, 0x14, 0x5f, 0xf4, 0x92, 0xb4, 0xf2, 0x46, 0xa1, 0xe9, 0x64, 0xb4,
  ]

  private static let digits = Array("0123456789ABCDEF".utf8)

  /// 36 characters with capital letters, as in Foundation.
  static func text(of key: String) throws -> String {
    let digest = try Digest(.sha1)
    try digest.update(namespace)
    try digest.update(key)
    var bytes = Array(try digest.finish().prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x50
    bytes[8] = bytes[8] & 0x3f | 0x80
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
