internal import Core
internal import Foundation
internal import RasterIO
internal import SQLiteIO

/// Audits `procedures.sqlite`: each record again, the shapes of airspace, and the list of procedures.
struct ProcedureAudit: Sendable {
  static let columns =
    CIFPProcedure.table.schema.columns.map { "procedures.\($0.name)" }
    + CIFPCoverage.table.schema.columns.map { "coverage.\($0.name)" }

  private let file: AuditCIFPFile
  private let coverage: [UInt8]

  init(_ container: SourceContainer) throws {
    file = try AuditCIFPFile(container)
    let list = container.members.first { $0.fileName.lowercased() == "in_cifp.txt" }
    coverage = try list.map { try container.read($0) } ?? []
  }

  func parts(_ fields: FieldAudit) -> [AuditPart] {
    ProcedureSchema.sources.map { table in
      AuditPart(tables: [table.schema.name]) { [file] in
        try fields.result(of: table, in: file.file(of: table), $0)
      }
    } + [
      AuditPart(tables: ["airspaces"], result: shapes), AuditPart(tables: ["procedures"], result: procedures),
      AuditPart(tables: ["coverage"], result: list),
    ]
  }

  // MARK: - Procedures

  /// What the legs of each procedure say about it, computed with SQL.
  @Sendable private func procedures(_ database: SQLiteConnection) throws -> AuditResult {
    var result = AuditResult()
    let own =
      "SELECT * FROM legs l WHERE l.airport = p.airport AND l.procedure = p.identifier AND l.section = p.section"
    let checks = [
      ("legs", "p.legs IS NOT (SELECT count(*) FROM (\(own)))"),
      (
        "transitions",
        """
        (SELECT coalesce(group_concat(t, ' '), '') FROM (SELECT DISTINCT transition AS t FROM (\(own)) WHERE transition IS NOT NULL ORDER BY 1))
        IS NOT (SELECT coalesce(group_concat(t, ' '), '') FROM (SELECT value AS t FROM json_each(p.transitions) ORDER BY 1))
        """
      ),
      (
        "type",
        """
        p.kind = 'approach' AND p.type IS NOT
          (SELECT routeType FROM (\(own)) WHERE routeType <> 'A' ORDER BY id LIMIT 1)
        """
      ),
      (
        "serviceLevels",
        differs(
          [
            "levelCode": "levelName", "verticalLevelCode": "verticalLevelName",
            "lateralLevelCode": "lateralLevelName",
          ], "serviceLevels", own)
      ),
      (
        "performances",
        differs(
          Dictionary(uniqueKeysWithValues: (1...4).map { ("performance\($0)Code", "performance\($0)") }),
          "performances", own)
      ),
      (
        "kind",
        "p.kind IS NOT CASE substr(p.section, 2) WHEN 'D' THEN 'sid' WHEN 'E' THEN 'star' ELSE 'approach' END"
      ),
    ]
    for (column, wrong) in checks {
      try database.prepare("SELECT p.airport || ' ' || p.identifier FROM procedures p WHERE \(wrong)").rows {
        result.add("procedures", $0.text(0) ?? "", "its \(column) does not follow from its legs")
      }
      result.values += try database.count("procedures")
    }
    let strays = try database.count(
      """
      (SELECT DISTINCT section, airport, procedure FROM legs
        EXCEPT SELECT section, airport, identifier FROM procedures)
      """)
    if strays > 0 {
      result.add("procedures", "", "\(Counts.of(strays, "procedure")) of the legs are not in it")
    }
    return result
  }

  /// The condition that a list has other items than those that legs authorize.
  private func differs(_ pairs: [String: String], _ list: String, _ own: String) -> String {
    let items = pairs.sorted { $0.key < $1.key }.map { code, value in
      "SELECT CAST(\(value) AS TEXT) AS t FROM (\(own)) WHERE \(code) = 'A' AND \(value) IS NOT NULL"
    }
    return """
      (SELECT coalesce(group_concat(t, ' '), '') FROM (SELECT t FROM (\(items.joined(separator: " UNION "))) ORDER BY 1))
      IS NOT (SELECT coalesce(group_concat(t, ' '), '') FROM (SELECT value AS t FROM json_each(p.\(list)) ORDER BY 1))
      """
  }

  // MARK: - Coverage

  @Sendable private func list(_ database: SQLiteConnection) throws -> AuditResult {
    var result = AuditResult()
    let lines = String(decoding: coverage, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst()
    let wanted = lines.map { line in
      line.split(separator: "\t").map { $0.trimmingCharacters(in: .whitespaces) }
    }.filter { $0.count == 3 && !$0.contains("") }
    let found = try database.prepare("SELECT airport, type, procedure FROM coverage ORDER BY line").map {
      row in
      (0..<3).map { row.text($0) ?? "" }
    }
    result.values = 3 * wanted.count
    if wanted != found { result.add("coverage", "", "it is not IN_CIFP.txt") }
    return result
  }

  // MARK: - Shapes

  /// Compares the shape of each area with one whose arcs are drawn anew.
  @Sendable private func shapes(_ database: SQLiteConnection) throws -> AuditResult {
    var (result, left) = (AuditResult(), file.areas)
    left.reverse()
    try database.prepare(
      "SELECT section || region || type || designation, geometry, south, north, west, east FROM airspaces ORDER BY id"
    )
    .rows { row in
      guard let area = left.popLast() else {
        return result.add("airspaces", row.text(0) ?? "", "it is not in the source")
      }
      result.values += 5
      guard let ring = Self.ring(area), case let own = AuditShape([[ring.unwound]]), !own.polygons.isEmpty
      else {
        if !row.isNull(1) {
          result.add("airspaces", area.name, "it has a shape, and the source has no whole boundary")
        }
        return
      }
      guard !row.isNull(1) else {
        if own.isWhole {
          result.add("airspaces", area.name, "it has no shape, and the source has its boundary")
        }
        return
      }
      let shape = row.withText(1) { AuditShape(geoJSON: $0) }
      if let text = own.difference(shape, metres: 20) ?? shape.difference(fromBox: row, at: 2) {
        result.add("airspaces", area.name, text)
      }
    }
    return result
  }

  /// Its ring with arcs of a degree; nil if a part of it is missing.
  private static func ring(_ area: AuditCIFPFile.Area) -> [AuditPoint]? {
    guard let last = area.records.last, last.text(32, 32) == "E" else { return nil }
    var ring: [AuditPoint] = []
    for (index, record) in area.records.enumerated() {
      let next = area.records[(index + 1) % area.records.count]
      let (start, end) = (point(record, 33), point(next, 33))
      let via = record.text(31, 31)
      if via == "C" {
        guard let center = point(record, 52), let tenths = Double(record.text(71, 74)), tenths > 0 else {
          return nil
        }
        ring += (0..<360).map { around(center, Double(-$0), tenths * 185.2) }
        continue
      }
      guard let start, let end, "GHLR".contains(via) else { return nil }
      ring.append(start)
      guard via == "L" || via == "R" else { continue }
      guard let center = point(record, 52) else { return nil }
      ring += arc(start, end, center, via == "R")
    }
    return ring
  }

  /// The corners between the ends of an arc.
  private static func arc(
    _ start: AuditPoint, _ end: AuditPoint, _ center: AuditPoint, _ isClockwise: Bool
  ) -> [AuditPoint] {
    let (first, last) = (way(center, start), way(center, end))
    var turn = isClockwise ? last.azimuth - first.azimuth : first.azimuth - last.azimuth
    while turn <= 0 { turn += 360 }
    let count = max(1, Int(turn))
    return (1..<count + 1).dropLast().map { step in
      let share = Double(step) / Double(count)
      return around(
        center, first.azimuth + (isClockwise ? share : -share) * turn,
        first.metres + share * (last.metres - first.metres))
    }
  }

  private static func way(_ from: AuditPoint, _ to: AuditPoint) -> (azimuth: Double, metres: Double) {
    Geodesic.line(
      from: (Double(from.x) / 1e6, Double(from.y) / 1e6), to: (Double(to.x) / 1e6, Double(to.y) / 1e6))
  }

  private static func around(_ center: AuditPoint, _ azimuth: Double, _ metres: Double) -> AuditPoint {
    let point = Geodesic.point(latitude: Double(center.y) / 1e6, azimuth: azimuth, metres: metres)
    return AuditPoint(longitude: Double(center.x) / 1e6 + point.longitude, latitude: point.latitude)
  }

  /// The position that begins in a column.
  private static func point(_ record: AuditCIFPFile.Record, _ column: Int) -> AuditPoint? {
    guard let y = degrees(record.text(column, column + 8), 2),
      let x = degrees(record.text(column + 9, column + 18), 3)
    else {
      return nil
    }
    return AuditPoint(longitude: x, latitude: y)
  }

  private static func degrees(_ text: String, _ width: Int) -> Double? {
    guard let side = text.first, "NSEW".contains(side), (width == 2) == "NS".contains(side) else {
      return nil
    }
    let digits = text.dropFirst()
    guard let degrees = Double(digits.prefix(width)), let minutes = Double(digits.dropFirst(width).prefix(2)),
      let seconds = Double(digits.suffix(4)), digits.allSatisfy(\.isNumber), minutes < 60, seconds < 6000
    else { return nil }
    let value = degrees + minutes / 60 + seconds / 360_000
    return value > (width == 2 ? 90 : 180) ? nil : "SW".contains(side) ? -value : value
  }
}
