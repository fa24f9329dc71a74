internal import SQLiteIO

/// The rows of the airspaces, one for each polygon.
///
/// An airspace whose floor or ceiling depends on the ground is left out: without terrain its height above the sea is not known,
/// and 700 feet above ground shown as 700 feet above the sea would be wrong everywhere but on the coast.
struct OpenEFBAirspaces {
  let database: SQLiteConnection
  let problems: ProblemLog

  /// What the app shows for unlimited.
  static let unlimited = 99_999
  /// Where class A begins (14 CFR 71.33), below which class E ends that has no ceiling of its own (14 CFR 71.71).
  static let classA = 18_000

  private struct Box {
    let south: Double
    let north: Double
    let west: Double
    let east: Double

    /// The middle, to a hundredth of a degree.
    var key: String {
      "\(Int(((south + north) * 50).rounded()))|\(Int(((west + east) * 50).rounded()))"
    }

    /// Whether class A lies over all of it: not over Hawaii, the islands of the south, and the Alaska Peninsula west of 160° W.
    var isBelowClassA: Bool { south >= 24 && (south >= 58 || (west >= -160 && east <= 0)) }
  }

  func write(to writer: DatabaseWriter) throws -> Int {
    var tree = PackedRTree()
    var ids = StableID()
    var count = 0
    var read = 0
    let parts = try PolygonParts(database)
    try writer.insert(OpenEFBSchema.airspaces) { insert in
      try database.prepare(
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
        try parts.forEach(of: row.text(15) ?? "") { geometry, sides in
          let box = sides.map { Box(south: $0[0], north: $0[1], west: $0[2], east: $0[3]) } ?? whole
          count += 1
          try insert.run(
            [
              .integer(count), .text(try ids.next(key(row, box))), .text(limits.classification),
              .text(name(row)),
            ]
              + [.integer(limits.floor), .integer(limits.ceiling), .text(geometry)])
          tree.add(count, box.south, box.north, box.west, box.east)
        }
      }
    }
    problems.read(rows: read, of: "airspaces")
    try writer.write(&tree, over: OpenEFBSchema.airspaces)
    return count
  }

  private typealias Limits = (classification: String, floor: Int, ceiling: Int)

  private func limits(_ row: SQLiteRow, _ box: Box) -> Limits? {
    let place = name(row)
    let number = row.int(16)
    func leaveOut(_ column: String, _ value: String?, _ reason: String) -> Limits? {
      problems.leaveOut(
        place, number: number, of: "airspaces", column: column, value: value ?? "", reason)
      return nil
    }
    let word = row.text(0) ?? ""
    guard let classification = OpenEFBWords.classifications[word] else {
      return leaveOut("classification", word, "the app has no such classification")
    }
    guard !row.isNull(3) else {
      return leaveOut("floor", row.text(5), "its height above the sea is not known")
    }
    let floor = row.int(3)
    guard let ceiling = ceiling(row, floor, classification, box) else {
      return leaveOut("ceiling", row.text(6), "its height above the sea is not known")
    }
    guard ceiling > floor else {
      return leaveOut("ceiling", row.text(6), "it is not above the floor of \(floor) feet")
    }
    if row.isNull(4) {
      problems.map(place, of: "airspaces", column: "ceiling", value: row.text(6) ?? "", to: "\(ceiling)")
    }
    if let excluded = row.text(8) {
      problems.map(place, of: "airspaces", column: "floor", value: excluded, to: "not cut out")
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

  /// `San Francisco Class B`; with the sector where the FAA names one.
  private func name(_ row: SQLiteRow) -> String {
    let name = row.text(1) ?? ""
    guard let sector = row.text(2), !name.contains(sector) else { return TitleCase.name(name) }
    return TitleCase.name(name) + " " + TitleCase.name(sector)
  }

  /// Names it in every cycle: neither its limits nor its place among the others are in the key.
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

  /// Gives each polygon; with its south, north, west and east unless it is the whole.
  func forEach(of geometry: String, _ each: (String, [Double]?) throws -> Void) throws {
    guard geometry.contains("MultiPolygon") else { return try each(geometry, nil) }
    let parts = try polygons.map([.text(geometry)]) { $0.text(0) ?? "" }
    for part in parts {
      let box = try sides.map([.text(part)]) { row in (0..<4).map(row.double) }
      try each(part, box.first)
    }
  }
}
