public import Foundation

/// Builds `procedures.sqlite` from the FAA's coded instrument flight procedures (CIFP).
public enum ProcedureBuilder {
  /// Writes the database to `scratch`. Too many problems fail the build.
  public static func build(
    _ request: DatabaseRequest<ProceduresDefinition>, to scratch: URL, _ advance: DatabaseBuilder.Advance
  ) throws -> DatabaseOutcome {
    let definition = request.definition
    let problems = ProblemLog()
    return try request.build(ProcedureSchema.form, to: scratch, problems, advance) { writer in
      let file = try CIFPFile(request.source, problems)
      let isPart = definition.isPart == true
      let warnings = try file.check(
        request.cycle, isPart: isPart, reportsChecksum: definition.checksum == .report)
      let gates = try Gates(definition.gates, file.origin, of: ProcedureSchema.form, problems)
      var counts = try CIFPLoader(file, writer, problems).load()
      let coverage = file.coverage.map { CIFPCoverage.list($0, problems) } ?? []
      try writer.fill(CIFPCoverage.table, coverage)
      counts[CIFPCoverage.table.schema.name] = coverage.count
      // A part has cut shapes, and any number of rows.
      if isPart {
        try gates.checkDropped(CIFPFile.name)
      } else {
        try gates.check(CIFPFile.name, rows: counts, values: file.values)
      }
      counts["droppedAsUnknown"] = file.unknown
      var pairs = [
        "disclaimer":
          "Made from the FAA's coded instrument flight procedures, which do not have all procedures. \(Metadata.warning)"
      ]
      if isPart { pairs["part"] = "of FAACIFP18" }
      return DatabaseContent(counts: counts, pairs: pairs, warnings: warnings)
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
