public import Core
public import Foundation
internal import SQLiteIO

/// The inputs of a database of coded procedures.
public struct ProcedureRequest: Sendable {
  public var definition: ProceduresDefinition
  public var definitionSha256: SHA256Hex
  /// FAACIFP18, or a zip with it.
  public var source: SourceFile
  public var cycle: AiracCycle
}

/// Builds `procedures.sqlite` from the FAA's coded instrument flight procedures (CIFP).
public enum ProcedureBuilder {
  /// The versions that can change a byte of the database.
  public static var libraries: [String: String] { DatabaseBuilder.libraries }

  /// Writes the database to `scratch`; the caller moves the file to its place.
  public static func build(
    _ request: ProcedureRequest, to scratch: URL, progress: any ProgressReporter, step: String
  ) throws -> DatabaseOutcome {
    try DatabaseBuilder.writing(to: scratch) {
      let definition = request.definition
      let problems = ProblemLog()
      let file = try CIFPFile(request.source, problems)
      let isPart = definition.isPart == true
      let warnings = try file.check(
        request.cycle, isPart: isPart, reportsChecksum: definition.checksum == .report)
      progress.report(.advanced(step: step, done: 1, total: 2, unit: "parts"))
      let gates = try Gates(definition.gates, file.origin, of: ProcedureSchema.form, problems)
      var writer = try DatabaseWriter(scratch, as: ProcedureSchema.form)
      var counts = try CIFPLoader(file, writer, problems).load()
      let coverage = file.coverage.map { CIFPCoverage.list($0, problems) } ?? []
      try writer.fill(CIFPCoverage.table, coverage)
      counts[CIFPCoverage.table.schema.name] = coverage.count
      try gates.checkDropped(CIFPFile.name)
      if !isPart {
        for (table, rows) in counts.sorted(by: { $0.key < $1.key }) { try gates.checkCount(rows, of: table) }
      }
      counts["droppedAsUnknown"] = file.unknown
      try writer.write(metadata: Metadata.pairs(request, file, counts: counts, warnings))
      try writer.finish()
      counts.merge(problems.report.totals) { $1 }
      let product = try Metadata.product(request, counts, file: scratch)
      progress.report(.advanced(step: step, done: 2, total: 2, unit: "parts"))
      return DatabaseOutcome(product: product, problems: problems.report, warnings: warnings)
    }
  }
}

/// The tables of `procedures.sqlite`.
public enum ProcedureSchema {
  /// "PRC1"
  static let applicationID = 0x5052_4331
  /// Raised when a column changes its meaning or is removed; a new column needs no new version.
  static let version = 1

  /// The tables that are filled field by field.
  package static let sources: [SourceTable] = [
    .cifpAirports, .cifpHeliports, .cifpRunways, .cifpLocalizers, .cifpWaypoints, .cifpNavaids, .cifpAirways,
    .cifpMSAs,
    .cifpMORAs, .cifpLegs, .cifpPathPoints, .cifpAirspaces, .cifpAirspacePoints,
  ]

  public static let tables =
    [CIFPProcedure.table.schema] + sources.map(\.schema) + [
      CIFPRoute.table.schema, CIFPCoverage.table.schema, DatabaseSchema.metadata,
    ]

  public static let form = DatabaseForm(
    applicationID: applicationID, version: version, tables: tables, finishing: [DatabaseSchema.analysis])
}

extension Metadata {
  fileprivate static func pairs(
    _ request: ProcedureRequest, _ file: CIFPFile, counts: [String: Int], _ warnings: [String]
  ) -> [String: String] {
    var pairs = common(ProcedureSchema.form, of: request.cycle, from: request.source, counts: counts, [])
    pairs["disclaimer"] =
      "Made from the FAA's coded instrument flight procedures, which do not have all procedures. \(warning)"
    if request.definition.isPart == true { pairs["part"] = "of FAACIFP18" }
    for (number, warning) in warnings.enumerated() { pairs["warnings.\(number + 1)"] = warning }
    return pairs
  }

  fileprivate static func product(
    _ request: ProcedureRequest, _ counts: [String: Int], file: URL
  ) throws -> Product {
    let definition = request.definition
    return try product(
      "\(definition.name)/\(definition.id)", definition.title, of: request.cycle, box: nil, file: file,
      sources: [request.source.record],
      build: Product.Build(
        tool: ToolVersion.tool, version: ToolVersion.version, libraries: ProcedureBuilder.libraries,
        definitionSha256: request.definitionSha256, counts: counts, rowLoss: definition.gates.rowLoss))
  }
}
