internal import Core
internal import Foundation
internal import RasterIO
internal import SQLiteIO

/// Audits the airspace by class: each feature of the FAA's shapefile with the row of the database.
struct ClassAirspaceAudit {
  private static let file = "class_airspace.shp"

  private let source: SourceFile
  /// How far the build may move a boundary, in millionths of a degree.
  private let tolerance: Double

  /// The numbers of the features that the problems of the build name as dropped, from 1.
  private let dropped: Set<Int>
  private let corrections: [Correction]

  /// - Parameter metres: how far the build may move a boundary.
  init(_ source: SourceFile, tolerance metres: Double, problems: ProblemReport?) {
    (self.source, tolerance) = (source, metres / 0.111)
    dropped = Set(problems?.dropped(from: "Class_Airspace.shp").map(\.line) ?? [])
    corrections = (problems?.usedCorrections ?? []).filter { $0.table == "Class_Airspace" }
  }

  func result(_ database: SQLiteConnection) throws -> AuditResult {
    let layer = try FeatureLayer(opening: try path(), driver: "ESRI Shapefile")
    var (rows, result, number) = (Data(Self.line(layer.fields).utf8), AuditResult(), 0)
    let geometry = try database.prepare(
      "SELECT geometry, name, south, north, west, east FROM airspaces WHERE id = ? AND kind = 'class'")
    for index in 0..<layer.count {
      try CancellationToken.current.check()
      guard !dropped.contains(index + 1), let feature = try? layer.feature(index) else { continue }
      let values = corrected(feature.values)
      guard Self.isUsable(values) else { continue }
      let shape = AuditShape(feature.polygons.map(Self.polygon))
      guard !shape.polygons.isEmpty else { continue }
      number += 1
      rows += Self.line(layer.fields.map { values[$0] ?? "" }).utf8
      try geometry.rows([.integer(number)]) { row in
        let found = row.withText(0) { AuditShape(geoJSON: $0) }
        if let text = shape.difference(found, tolerance: tolerance) ?? found.difference(fromBox: row, at: 2) {
          result.add("airspaces", "\(number) \(row.text(1) ?? "")", text)
        }
      }
      result.values += 1
    }
    result += try attributes(AuditFile("Class_Airspace.shp", [UInt8](rows)), database)
    return result
  }

  /// The values with the corrections that were used.
  private func corrected(_ values: [String: String]) -> [String: String] {
    let plain = { (name: String) in (values[name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines) }
    return corrections.reduce(into: values) { result, correction in
      let isRow = correction.row.allSatisfy { plain($0.key) == $0.value }
      if isRow, plain(correction.column) == correction.faa { result[correction.column] = correction.right }
    }
  }

  /// The columns that only special-use airspace has.
  private static let unset = [
    "floorMinimum", "ceilingMaximum", "excluded", "agency", "usingAgency", "hours", "times", "activity",
  ]

  private func attributes(_ file: AuditFile, _ database: SQLiteConnection) throws -> AuditResult {
    let columns = try AuditExpectation.columns(of: "airspaces", in: file)
    let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
    return try TableAudit(
      table: "airspaces",
      columns: ["id", "area"].map { ($0, { .number(Double($1.number)) }) }
        + Self.unset.map { ($0, { _, _ in .null }) } + [("isComplete", { _, _ in .number(1) })] + columns,
      query: """
        SELECT name || ' ' || id, id, area, \(Self.unset.joined(separator: ", ")), isComplete, \(names) FROM airspaces
        WHERE kind = 'class'
        """,
      rows: { each in
        var context = AuditContext()
        try file.scan { row in if try each(row, context) { context.number += 1 } }
      }
    ).result(database)
  }

  private func path() throws -> String {
    let container = try SourceContainer(source)
    guard let member = container.members.first(where: { $0.fileName.lowercased() == Self.file }) else {
      throw UserError(
        .badInput, operation: "auditing the database", path: source.url.path,
        reason: "it contains no \(Self.file)")
    }
    return source.isFolder
      ? source.url.appending(path: member.name).path
      : "/vsizip/{\(source.url.absoluteURL.path)}/\(member.name)"
  }

  private static func isUsable(_ values: [String: String]) -> Bool {
    ["NAME", "CLASS", "LOCAL_TYPE"].allSatisfy { values[$0]?.contains { !$0.isWhitespace } == true }
  }

  private static func polygon(_ rings: [PlaneArea.Ring]) -> [[AuditPoint]] {
    let rings = rings.map { $0.map { AuditPoint(longitude: $0.x, latitude: $0.y) }.unwound }
    guard let first = rings.first?.first else { return [] }
    return rings.map { ring in
      let turns = ring.first.map { ((Double(first.x - $0.x)) / 360e6).rounded() } ?? 0
      return turns == 0 ? ring : ring.map { AuditPoint($0.x + Int(turns) * 360_000_000, $0.y) }
    }
  }

  private static func line(_ texts: [String]) -> String {
    texts.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",") + "\n"
  }
}
