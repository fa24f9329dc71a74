internal import Foundation
internal import SQLiteIO

/// Audits the rows that are made of points of the FAA's tables: the boundaries of centers, and the shapes of miscellaneous areas.
struct ShapeAudit {
  static let columns = ["id", "part", "south", "west", "north", "east"].map { "boundaries.\($0)" }

  let sources: AuditSources
  let selection: Set<String>?

  func result(_ database: SQLiteConnection) throws -> AuditResult {
    var result = try boundaries(database)
    result += try areas(database)
    return result
  }

  private func file(_ table: String, for filled: String) throws -> AuditFile? {
    selection?.contains(filled) ?? true ? try sources.file(table) : nil
  }

  // MARK: - Boundaries

  private typealias Point = (sequence: Double, place: AuditPoint, isLast: Bool)

  /// The rings of each center, stratum and type, as `ARB_SEG` has them.
  private func rings() throws -> [String: [AuditShape]] {
    guard let file = try file("ARB_SEG", for: "boundaries") else { return [:] }
    let columns = ["LOCATION_ID", "ALTITUDE", "TYPE", "BNDRY_PT_DESCRIP"].map(file.place)
    let pairs = ["stratum", "type"].map { DatabaseSchema.words(of: $0, in: "boundaries") }
    let position = file.position
    let order = AuditNumber("", 0...99_999) { _ in file.place("POINT_SEQ") }
    let centers = sources.numbers(ofTable: "centers")
    var points: [String: [Point]] = [:]
    try file.scan { row in
      let texts = columns.map(row.text)
      guard let center = texts[0].flatMap({ centers[$0] ?? nil }), let (latitude, longitude) = position(row)
      else { return }
      let words = zip(texts[1...2], pairs).map { text, pairs in
        text.map { pairs[$0] ?? $0.lowercased() } ?? "unknown"
      }
      points["\(center) \(words[0]) \(words[1])", default: []].append(
        (
          order.value(row) ?? 0, AuditPoint(longitude: longitude, latitude: latitude),
          texts[3]?.uppercased().contains("POINT OF BEGINNING") == true
        ))
    }
    return points.mapValues(Self.rings)
  }

  private static func rings(_ points: [Point]) -> [AuditShape] {
    let isNumbered = Set(points.map(\.sequence)).count == points.count
    var rings: [[AuditPoint]] = [[]]
    for point in isNumbered ? points.sorted(by: { $0.sequence < $1.sequence }) : points {
      rings[rings.count - 1].append(point.place)
      if point.isLast { rings.append([]) }
    }
    return rings.map { AuditShape([[$0.unwound]]) }.filter { !$0.polygons.isEmpty }
  }

  private func boundaries(_ database: SQLiteConnection) throws -> AuditResult {
    var (result, left) = (AuditResult(), try rings())
    try database.prepare(
      "SELECT center || ' ' || stratum || ' ' || type, part, geometry, south, north, west, east FROM boundaries ORDER BY id"
    ).rows { row in
      let (name, part) = (row.text(0) ?? "", row.int(1))
      result.values += 5
      guard let shapes = left[name], shapes.indices.contains(part - 1) else {
        return result.add("boundaries", "\(name) \(part)", "it is not in the source")
      }
      let shape = row.withText(2) { AuditShape(geoJSON: $0) }
      if let text = shapes[part - 1].difference(shape, tolerance: 0) ?? shape.difference(fromBox: row, at: 3)
      {
        result.add("boundaries", "\(name) \(part)", text)
      }
      left[name]?[part - 1] = AuditShape([])
    }
    for (name, shapes) in left.sorted(by: { $0.key < $1.key }) {
      for (index, shape) in shapes.enumerated() where !shape.polygons.isEmpty {
        result.add("boundaries", "\(name) \(index + 1)", "it is in the source, and missing here")
      }
    }
    return result
  }

  // MARK: - Miscellaneous areas

  private func areas(_ database: SQLiteConnection) throws -> AuditResult {
    let points = try file("MAA_SHP", for: "miscellaneousAreas").map(corners) ?? [:]
    var result = AuditResult()
    try database.prepare(
      """
      SELECT identifier, geometry, south, west, north, east, latitude, longitude, coalesce(radius, 0)
      FROM miscellaneousAreas ORDER BY id
      """
    ).rows { row in
      let name = row.text(0) ?? ""
      result.values += 5
      let source = AuditShape([[(points[name] ?? []).unwound]])
      let shape = row.withText(1) { AuditShape(geoJSON: $0) }
      guard shape.polygons.isEmpty else {
        if let text = source.difference(shape, tolerance: 0) { result.add("miscellaneousAreas", name, text) }
        return
      }
      if !source.polygons.isEmpty, source.isWhole {
        result.add("miscellaneousAreas", name, "the source has a shape, and the database none")
      }
      let stated = (2...5).map { row.real($0) }
      if !Self.circle(row.real(6), row.real(7), row.double(8)).elementsEqual(stated, by: Self.isNear) {
        result.add("miscellaneousAreas", name, "its box is not that of its circle")
      }
    }
    return result
  }

  private func corners(_ file: AuditFile) throws -> [String: [AuditPoint]] {
    let columns = ["MAA_ID", "LATITUDE", "LONGITUDE"].map(file.place)
    let order = AuditNumber("", 0...99_999) { _ in file.place("POINT_SEQ") }
    var found: [String: [(order: Double, point: AuditPoint)]] = [:]
    try file.scan { row in
      let texts = columns.map { row.text($0) ?? "" }
      guard let latitude = AuditExpectation.degrees(texts[1]),
        let longitude = AuditExpectation.degrees(texts[2])
      else { return }
      found[texts[0], default: []].append(
        (order.value(row) ?? 0, AuditPoint(longitude: longitude, latitude: latitude)))
    }
    return found.mapValues { $0.sorted { $0.order < $1.order }.map(\.point) }
  }

  /// South, west, north and east of a circle in nautical miles around a position.
  private static func circle(_ latitude: Double?, _ longitude: Double?, _ radius: Double) -> [Double?] {
    guard let latitude, let longitude, (0...100).contains(radius) else { return [nil, nil, nil, nil] }
    let north = radius / 60
    let east = north / max(0.01, cos(latitude * .pi / 180))
    return [
      max(-90, latitude - north), max(-180, longitude - east), min(90, latitude + north),
      min(180, longitude + east),
    ]
  }

  private static func isNear(_ one: Double?, _ other: Double?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) <= 0.000_01
  }
}
