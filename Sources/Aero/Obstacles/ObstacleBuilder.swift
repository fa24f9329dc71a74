internal import Core
public import Foundation
internal import SQLiteIO

/// Builds `obstacles.sqlite` from the Digital Obstacle File.
public enum ObstacleBuilder {
  /// Writes the database to `scratch`. Too many problems fail the build.
  public static func build(
    _ request: DatabaseRequest<ObstacleDefinition>, to scratch: URL, _ advance: DatabaseBuilder.Advance
  ) throws -> DatabaseOutcome {
    let corrections = try corrections(request)
    let problems = ProblemLog { corrections?.record($0) }
    return try request.build(ObstacleSchema.form, to: scratch, problems, advance) { writer in
      let file = try ObstacleFile(request.source, corrections)
      let gates = try Gates(request.definition.gates, file.origin, of: ObstacleSchema.form, problems)
      let loaded = try Corrections.checking(corrections) {
        let loaded = try load(file, writer, problems)
        try gates.check(file.name, rows: [table: loaded.rows], values: file.values)
        return loaded
      }
      let outcomes = corrections?.outcomes ?? []
      let counts = [table: loaded.rows, "droppedAsDismantled": loaded.dismantled]
      try writer.write(StoredQuery.obstacles)
      var pairs = ["disclaimer": "Made from the FAA's public Digital Obstacle File. \(Metadata.warning)"]
      pairs["newest_change"] = try newestChange(writer)
      return DatabaseContent(
        counts: counts.merging(outcomes.counts) { $1 }, pairs: pairs, box: try box(writer),
        corrections: outcomes)
    }
  }

  /// Reads the file with corrections and returns their outcomes. The database is discarded.
  static func correctionOutcomes(_ request: DatabaseRequest<ObstacleDefinition>) throws -> [CorrectionOutcome]
  {
    let corrections = try corrections(request)
    let problems = ProblemLog { corrections?.record($0) }
    return try DatabaseBuilder.discarding { scratch in
      try Corrections.outcomes(corrections) {
        let writer = try DatabaseWriter(scratch, as: ObstacleSchema.form)
        _ = try load(ObstacleFile(request.source, corrections), writer, problems)
      }
    }
  }

  private static func corrections(_ request: DatabaseRequest<ObstacleDefinition>) throws -> Corrections? {
    try request.definition.corrections.map {
      try Corrections($0, for: request.cycle, tables: [SourceTable.obstacles.source])
    }
  }

  private static let table = SourceTable.obstacles.schema.name

  /// The day of the newest row: the daily file has no date.
  private static func newestChange(_ writer: DatabaseWriter) throws -> String? {
    try writer.rows("SELECT max(date) FROM \(table)") { $0.text(0) }.first ?? nil
  }

  private static func box(_ writer: DatabaseWriter) throws -> GeoBox? {
    try writer.rows("SELECT min(longitude), min(latitude), max(longitude), max(latitude) FROM \(table)") {
      row in
      row.isNull(0)
        ? nil : GeoBox(west: row.double(0), south: row.double(1), east: row.double(2), north: row.double(3))
    }.first ?? nil
  }
}

extension ObstacleBuilder {
  /// Fills the table. Returns how many rows it wrote, and how many it left out since the obstacle was dismantled.
  private static func load(_ file: ObstacleFile, _ writer: DatabaseWriter, _ problems: ProblemLog) throws -> (
    rows: Int, dismantled: Int
  ) {
    let table = SourceTable.obstacles
    let action = WantedColumn(name: ObstacleCodes.action, mayLack: true)
    let columns = table.wanted
    return try writer.stream(into: [table.schema], of: file.name, problems) { stream in
      var row = RowWriter([table], stream, AirportDirectory([], problems: problems))
      var dismantled = 0
      try file.scan(columns + [action], problems) { source in
        if ObstacleCodes.isDismantled(source, columns.count) {
          dismantled += 1
        } else {
          try row.write(source)
        }
      }
      return (row.finish(), dismantled)
    }
  }
}

extension ObstacleFile {
  /// How many rows have a value in a column.
  func values(of column: String) throws -> Int {
    var count = 0
    try scan([WantedColumn(name: column, mayLack: true)], ProblemLog()) {
      if !$0.value(0).isEmpty { count += 1 }
    }
    return count
  }
}
