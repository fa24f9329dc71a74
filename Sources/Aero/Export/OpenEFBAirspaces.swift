internal import Core
internal import CryptoIO
internal import Foundation
internal import SQLiteIO

/// A polygon of an airspace whose floor and ceiling the app can express.
///
/// An airspace with a floor or ceiling above ground is left out: its altitude above sea level depends on terrain data.
struct OpenEFBPolygon {
  private let row: NamedRow
  private let classification: String
  /// Feet above the sea.
  private let floor: Int
  private let ceiling: Int
  private var box: GeoBox
  private var geometry: String
  private var number = 0
  private var id = ""

  static let table = RecordTable<OpenEFBPolygon>(
    "airspaces",
    "Airspace whose floor and ceiling are known in feet above mean sea level; one row for each polygon.",
    [
      OpenEFBSchema.key(\.number),
      .init("id", "TEXT NOT NULL UNIQUE", "A UUID of version 5.", mayDiffer: "1") { $0.id },
      .init(
        "classification", "TEXT NOT NULL",
        "bravo, charlie, delta, echo, prohibited, restricted, moa, alert or warning.",
        words: Set(OpenEFBWords.classifications.values)
      ) { $0.classification },
      .init("name", "TEXT NOT NULL", "In title case: San Francisco Class B.") { name($0.row) },
      .init("floor", "INTEGER NOT NULL", "Feet above mean sea level, 0 for the surface.") { $0.floor },
      .init("ceiling", "INTEGER NOT NULL", "Feet above mean sea level; 99999 is unlimited.") {
        $0.ceiling
      },
      .init("geometry", "TEXT NOT NULL", "A GeoJSON Polygon, longitude first, WGS84.") { $0.geometry },
    ], key: ["name"])

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
    source.count(0, of: "classECeilings")
    source.problems.read(rows: 0, of: "airspaces")
    let parts = try source.database.prepare(partsQuery)
    let sides = try source.database.prepare(sidesQuery)
    let query = try source.database.prepare("SELECT * FROM airspaces ORDER BY id")
    try source.forEachRow(of: "airspaces", query, named: place) { row in
      let whole = try OpenEFBPolygon(row)
      whole.reportLimits(place(row), to: source)
      polygons += try whole.split(parts, sides)
    }
    try number(&polygons)
    return polygons
  }

  private static func place(_ row: NamedRow) -> String { "\(name(row)) (row \(row.int("id")))" }

  /// The app's value for unlimited.
  private static let unlimited = 99_999
  /// The floor of class A (14 CFR 71.33), which is the ceiling of class E without a ceiling (14 CFR 71.71). The problem report lists each
  /// use, and `classECeilings` counts them.
  private static let classA = 18_000

  private init(_ row: NamedRow) throws {
    let unknown = "its height above the sea is not known"
    let text = row.text("ceilingText") ?? ""
    self.row = row
    geometry = row.text("geometry") ?? ""
    box = GeoBox(
      west: row.real("west") ?? 0, south: row.real("south") ?? 0, east: row.real("east") ?? 0,
      north: row.real("north") ?? 0)
    classification = try row.word(
      "class", OpenEFBWords.classifications, as: "classification",
      orOmit: "the app has no such classification")
    guard row["floorFeet"] != .null else {
      throw UnusableRow(column: "floor", value: row.text("floorText") ?? "", reason: unknown)
    }
    floor = row.int("floorFeet")
    switch row.text("ceilingDatum") {
    case _ where row["ceilingFeet"] != .null: ceiling = row.int("ceilingFeet")
    case "unlimited": ceiling = Self.unlimited
    case nil where classification == "echo" && floor < Self.classA && box.isBelowClassA:
      ceiling = Self.classA
    default: throw UnusableRow(column: "ceiling", value: text, reason: unknown)
    }
    guard ceiling > floor else {
      throw UnusableRow(column: "ceiling", value: text, reason: "it is not above the floor of \(floor) feet")
    }
  }

  /// Records the limits that are not those of the database.
  private func reportLimits(_ place: String, to source: ExportSource) {
    if row["ceilingFeet"] == .null {
      let isClassA = ceiling == Self.classA
      if isClassA { source.count(of: "classECeilings") }
      source.problems.recordMapped(
        place, of: "airspaces", column: "ceiling", value: row.text("ceilingText") ?? "", to: "\(ceiling)",
        because: isClassA ? "class E ends at the floor of class A" : "it is unlimited")
    }
    if let excluded = row.text("excluded") {
      source.problems.recordMapped(
        place, of: "airspaces", column: "floor", value: excluded, to: "not cut out")
    }
  }

  private static let partsQuery = """
    SELECT '{"type":"Polygon","coordinates":' || value || '}' FROM json_each(?1, '$.coordinates')
    WHERE json_extract(?1, '$.type') = 'MultiPolygon' ORDER BY key
    """
  private static let sidesQuery = """
    SELECT min(lat), max(lat), min(lon), max(lon) FROM (
      SELECT json_extract(value, '$[1]') AS lat, json_extract(value, '$[0]') AS lon
      FROM json_each(?1, '$.coordinates[0]'))
    """

  /// Each polygon of an airspace whose geometry may be a MultiPolygon, with its own box unless there is only one.
  private func split(_ parts: SQLiteStatement, _ sides: SQLiteStatement) throws -> [OpenEFBPolygon] {
    guard geometry.contains("MultiPolygon") else { return [self] }
    return try parts.map([.text(geometry)]) { $0.text(0) ?? "" }.map { geometry in
      var part = self
      part.geometry = geometry
      try sides.rows([.text(geometry)]) {
        part.box = GeoBox(west: $0.double(2), south: $0.double(0), east: $0.double(3), north: $0.double(1))
      }
      return part
    }
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
    (floor, ceiling, geometry) < (other.floor, other.ceiling, other.geometry)
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

extension GeoBox {
  /// The box to a hundredth of a degree.
  fileprivate var key: String {
    [south, north, west, east].map { "\(Int(($0 * 100).rounded()))" }.joined(separator: "|")
  }

  /// Whether class A is above all of it: not above Hawaii, the southern islands, and the Alaska Peninsula west of 160° W.
  fileprivate var isBelowClassA: Bool { south >= 24 && (south >= 58 || (west >= -160 && east <= 0)) }
}

/// UUIDs of version 5 (RFC 9562), so that a key has the same UUID in every cycle.
enum StableID {
  /// The namespace of the keys: the UUID of the URL `urn:chartpipe:openefb`.
  static let namespace: [UInt8] = [
    0x4b, 0xd5, 0xeb, 0x0e, 0xae, 0x14, 0x5f, 0xf4, 0x92, 0xb4, 0xf2, 0x46, 0xa1, 0xe9, 0x64, 0xb4,
  ]

  /// 36 characters with capital letters.
  static func text(of key: String) throws -> String {
    let digest = try Digest(.sha1)
    try digest.update(namespace)
    try digest.update(key)
    var bytes = Array(try digest.finish().prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x50
    bytes[8] = bytes[8] & 0x3f | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString
  }
}
