internal import SQLiteIO

/// Audits `obstacles.sqlite`: all columns of each row.
struct ObstacleAudit {
  private let sources: AuditSources

  init(_ sources: AuditSources) { self.sources = sources }

  func result(_ database: SQLiteConnection) throws -> AuditResult {
    let table = SourceTable.obstacles
    let file = try sources.obstacles() ?? AuditFile("", [])
    let names = table.fields.map(\.column.name)
    let values = try table.fields.map {
      try AuditExpectation($0.column.origin, file, sources).value() ?? { _, _ in .null }
    }
    return try TableAudit(
      table: table.schema.name, columns: Array(zip(names, values)),
      required: table.fields.indices.filter { table.fields[$0].isRequired }.map { [$0] },
      unique: [[names.firstIndex(of: "oas") ?? 0]],
      query: "SELECT oas, \(names.joined(separator: ", ")) FROM \(table.schema.name)", rows: rows(file)
    ).result(database)
  }

  /// All rows but those of dismantled obstacles.
  private func rows(_ file: AuditFile) -> TableAudit.Rows {
    let action = file.place("ACTION")
    return { each in
      var context = AuditContext()
      try file.scan { row in
        if !row[action].elementsEqual("D".utf8), try each(row, context) { context.number += 1 }
      }
    }
  }
}
