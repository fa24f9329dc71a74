internal import CryptoIO
internal import SQLiteIO

/// Writes the airspaces, one row for each polygon.
///
/// An airspace with a floor or ceiling above ground is left out: its altitude above sea level depends on terrain data.
struct OpenEFBAirspaces {
  let source: ExportSource
  private var problems: ProblemLog { source.problems }

  /// The app's value for unlimited.
  static let unlimited = 99_999
  /// The floor of class A (14 CFR 71.33), which is the ceiling of class E without a ceiling (14 CFR 71.71). The problem report lists each
  /// use, and `classECeilings` counts them.
  static let classA = 18_000

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

  private struct Polygon {
    let key: String
    let name: String
    let limits: Limits
    let geometry: String
    let box: Box

    static func < (left: Polygon, right: Polygon) -> Bool {
      (left.limits.floor, left.limits.ceiling, left.geometry)
        < (right.limits.floor, right.limits.ceiling, right.geometry)
    }
  }

  /// Returns the number of polygons, and of class E airspaces that end at class A.
  func write(to writer: DatabaseWriter) throws -> [String: Int] {
    let (polygons, classECeilings) = try polygons()
    let ids = try OpenEFBAirspaces.ids(polygons)
    var tree = PackedRTree()
    try writer.fill(OpenEFBSchema.airspaces, polygons) { index, polygon in
      [
        .integer(index + 1), .text(ids[index]), .text(polygon.limits.classification), .text(polygon.name),
        .integer(polygon.limits.floor), .integer(polygon.limits.ceiling), .text(polygon.geometry),
      ]
    }
    for (index, polygon) in polygons.enumerated() {
      let box = polygon.box
      tree.add(index + 1, box.south, box.north, box.west, box.east)
    }
    try writer.write(&tree, over: OpenEFBSchema.airspaces)
    return ["airspaces": polygons.count, "classECeilings": classECeilings]
  }

  private func polygons() throws -> (all: [Polygon], classECeilings: Int) {
    var polygons: [Polygon] = []
    var (read, classECeilings) = (0, 0)
    let parts = try PolygonParts(source.database)
    try source.database.prepare(
      """
      SELECT class, name, sector, floorFeet, ceilingFeet, floorText, ceilingText, ceilingDatum, excluded, type,
        designator, south, north, west, east, geometry, id
      FROM airspaces ORDER BY id
      """
    ).rows { row in
      read += 1
      let whole = Box(
        south: row.double(11), north: row.double(12), west: row.double(13), east: row.double(14))
      guard let limits = limits(row, whole) else { return }
      if row.isNull(4), limits.ceiling == OpenEFBAirspaces.classA { classECeilings += 1 }
      let name = name(row)
      try parts.forEach(of: row.text(15) ?? "") { geometry, sides in
        let box = sides.map { Box(south: $0[0], north: $0[1], west: $0[2], east: $0[3]) } ?? whole
        polygons.append(
          Polygon(key: key(row, box), name: name, limits: limits, geometry: geometry, box: box))
      }
    }
    problems.read(rows: read, of: "airspaces")
    return (polygons, classECeilings)
  }

  /// The UUIDs. Polygons with the same key are numbered from the lowest, independent of the order in the FAA's file.
  private static func ids(_ polygons: [Polygon]) throws -> [String] {
    var ids = [String](repeating: "", count: polygons.count)
    for (key, indices) in Dictionary(grouping: polygons.indices, by: { polygons[$0].key }) {
      for (number, index) in indices.sorted(by: { polygons[$0] < polygons[$1] }).enumerated() {
        ids[index] = try StableID.text(of: number == 0 ? key : "\(key)|\(number + 1)")
      }
    }
    return ids
  }

  private typealias Limits = (classification: String, floor: Int, ceiling: Int)

  private func limits(_ row: SQLiteRow, _ box: Box) -> Limits? {
    let place = "\(name(row)) (row \(row.int(16)))"
    func dropRow(_ column: String, _ value: String?, _ reason: String) -> Limits? {
      problems.recordDropped(
        place, of: "airspaces", column: column, value: value ?? "", reason)
      return nil
    }
    let word = row.text(0) ?? ""
    guard let classification = OpenEFBWords.classifications[word] else {
      return dropRow("classification", word, "the app has no such classification")
    }
    guard !row.isNull(3) else {
      return dropRow("floor", row.text(5), "its height above the sea is not known")
    }
    let floor = row.int(3)
    guard let ceiling = ceiling(row, floor, classification, box) else {
      return dropRow("ceiling", row.text(6), "its height above the sea is not known")
    }
    guard ceiling > floor else {
      return dropRow("ceiling", row.text(6), "it is not above the floor of \(floor) feet")
    }
    if row.isNull(4) {
      let reason =
        ceiling == OpenEFBAirspaces.classA ? "class E ends at the floor of class A" : "it is unlimited"
      problems.recordMapped(
        place, of: "airspaces", column: "ceiling", value: row.text(6) ?? "", to: "\(ceiling)", because: reason
      )
    }
    if let excluded = row.text(8) {
      problems.recordMapped(place, of: "airspaces", column: "floor", value: excluded, to: "not cut out")
    }
    return (classification, floor, ceiling)
  }

  private func ceiling(_ row: SQLiteRow, _ floor: Int, _ classification: String, _ box: Box) -> Int? {
    if !row.isNull(4) { return row.int(4) }
    switch row.text(7) {
    case "unlimited": return OpenEFBAirspaces.unlimited
    case nil where classification == "echo" && floor < OpenEFBAirspaces.classA && box.isBelowClassA:
      return OpenEFBAirspaces.classA
    default: return nil
    }
  }

  /// `San Francisco Class B`, with the sector where there is one.
  private func name(_ row: SQLiteRow) -> String {
    let name = row.text(1) ?? ""
    guard let sector = row.text(2), !name.contains(sector) else { return TitleCase.name(name) }
    return TitleCase.name(name) + " " + TitleCase.name(sector)
  }

  /// The key of a polygon, the same in every cycle. It does not contain the floor and the ceiling.
  private func key(_ row: SQLiteRow, _ box: Box) -> String {
    let words = [0, 9, 10, 1, 2].map { row.text($0) ?? "" }
    return (["airspace"] + words + [box.key]).joined(separator: "|")
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
