internal import ArchiveIO
public import Core
public import Foundation
internal import SQLiteIO

/// The inputs of an obstacle database.
public struct ObstacleRequest: Sendable {
  public var definition: ObstacleDefinition
  public var definitionSha256: SHA256Hex
  /// The Digital Obstacle File: a zip, `DOF.CSV` or `DOF.DAT`.
  public var source: SourceFile
  public var cycle: AiracCycle
}

/// Builds `obstacles.sqlite` from the Digital Obstacle File.
public enum ObstacleBuilder {
  /// The versions that can change a byte of the database.
  public static var libraries: [String: String] {
    let own = ["sqlite": SQLiteConnection.libraryVersion, "libzip": ZipArchive.libraryVersion]
    return own.merging(SystemLibraries.versions) { own, _ in own }
  }

  /// Writes the database to `scratch`; the caller moves the file to its place.
  ///
  /// The problems of the outcome list everything in the file that could not be used. Too many problems fail the build.
  public static func build(
    _ request: ObstacleRequest, to scratch: URL, progress: any ProgressReporter, step: String
  ) throws -> DatabaseOutcome {
    try DatabaseBuilder.writing(to: scratch) {
      let advance = { progress.report(.advanced(step: step, done: $0, total: 2, unit: "parts")) }
      let corrections = try corrections(request)
      let problems = ProblemLog { corrections?.record($0) }
      let file = try ObstacleFile(request.source, corrections)
      let gates = try Gates(request.definition.gates, file.origin, of: ObstacleSchema.form, problems)
      var writer = try DatabaseWriter(scratch, as: ObstacleSchema.form)
      let loaded = try Corrections.checking(corrections) {
        let loaded = try load(file, writer, problems)
        try check(file, gates, rows: loaded.rows)
        return loaded
      }
      advance(1)
      let outcomes = corrections?.outcomes ?? []
      var counts = [table: loaded.rows, "droppedAsDismantled": loaded.dismantled]
      counts.merge(outcomes.counts) { $1 }
      try writer.write(StoredQuery.obstacles)
      let newest = try newestChange(writer)
      try writer.write(
        metadata: Metadata.pairs(request, counts: counts, corrections: outcomes, newestChange: newest))
      let box = try box(writer)
      try writer.finish()
      var report = problems.report
      report.corrections = outcomes
      counts.merge(report.totals) { $1 }
      let product = try Metadata.product(request, counts: counts, box: box, file: scratch)
      advance(2)
      return DatabaseOutcome(product: product, problems: report)
    }
  }

  /// Reads the file with corrections and returns their outcomes. The database is discarded.
  static func correctionOutcomes(_ request: ObstacleRequest) throws -> [CorrectionOutcome] {
    let corrections = try corrections(request)
    let problems = ProblemLog { corrections?.record($0) }
    return try DatabaseBuilder.discarding { scratch in
      try Corrections.outcomes(corrections) {
        let writer = try DatabaseWriter(scratch, as: ObstacleSchema.form)
        _ = try load(ObstacleFile(request.source, corrections), writer, problems)
      }
    }
  }

  private static func corrections(_ request: ObstacleRequest) throws -> Corrections? {
    try request.definition.corrections.map {
      try Corrections($0, for: request.cycle, tables: [SourceTable.obstacles.source])
    }
  }

  private static let table = SourceTable.obstacles.schema.name

  /// Throws one error that lists all problems of the file as a whole.
  private static func check(_ file: ObstacleFile, _ gates: Gates, rows: Int) throws {
    var errors: [UserError] = []
    try errors.collect { try gates.checkDropped(file.name) }
    try errors.collect { try gates.checkCount(rows, of: table) }
    try errors.collect {
      _ = try ColumnGate(gates: gates) { column, _, _ in try file.values(of: column) }.check()
    }
    if let error = UserError.joining(errors) { throw error }
  }

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

extension Metadata {
  static func pairs(
    _ request: ObstacleRequest, counts: [String: Int], corrections: [CorrectionOutcome], newestChange: String?
  ) -> [String: String] {
    var pairs = common(
      ObstacleSchema.form, of: request.cycle, from: request.source, counts: counts, corrections)
    pairs["disclaimer"] = "Made from the FAA's public Digital Obstacle File. \(warning)"
    pairs["newest_change"] = newestChange
    return pairs
  }

  static func product(
    _ request: ObstacleRequest, counts: [String: Int], box: GeoBox?, file: URL
  ) throws -> Product {
    let definition = request.definition
    return try product(
      "\(definition.name)/\(definition.id)", definition.title, of: request.cycle, box: box, file: file,
      sources: [request.source.record],
      build: Product.Build(
        tool: ToolVersion.tool, version: ToolVersion.version, libraries: ObstacleBuilder.libraries,
        definitionSha256: request.definitionSha256, counts: counts, rowLoss: definition.gates.rowLoss))
  }
}
