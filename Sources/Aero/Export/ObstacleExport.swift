internal import Foundation
internal import SQLiteIO

/// The obstacles from a height on, as a small database in the form of `obstacles.sqlite`.
enum ObstacleExport {
  /// The key of the metadata that has the least height in feet above ground.
  static let heightKey = "minimum_height"

  static func write(_ source: ExportSource, _ scratch: (String) -> URL) throws -> ExportContents {
    let file = ExportContents.database("\(source.definition.id).sqlite")
    let height = source.definition.minimumHeight ?? 0
    var writer = try DatabaseWriter(scratch(file.name), as: ObstacleSchema.form)
    let rows = try writer.fill(try table(source, from: height))
    try writer.write(StoredQuery.obstacles)
    var pairs = try source.database.prepare("SELECT key, value FROM metadata").pairs()
    pairs[heightKey] = "\(height)"
    pairs["counts.obstacles"] = "\(rows)"
    try writer.write(metadata: pairs)
    try writer.finish()
    return ExportContents(files: [file], counts: ["obstacles": rows])
  }

  /// The obstacles of the database whose height is not less, or not known.
  static func table(_ source: ExportSource, from height: Int) throws -> ExportTable {
    var schema = SourceTable.obstacles.schema
    schema.key = ["oas"]
    let query = try source.database.prepare(
      """
      SELECT \(schema.columns.map(\.name).joined(separator: ", ")) FROM obstacles
      WHERE heightAGL >= ? OR heightAGL IS NULL ORDER BY id
      """)
    return ExportTable(schema: schema) { add in
      try query.rows([.integer(height)]) { row in try add((0..<row.columnCount).map(row.value)) }
    }
  }
}
