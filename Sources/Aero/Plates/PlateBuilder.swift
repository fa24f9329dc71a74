internal import Core
public import Foundation

/// Builds `plates.sqlite` from the FAA's list of terminal procedures.
public enum PlateBuilder {
  /// Writes the database to `scratch`. Too many problems fail the build.
  public static func build(
    _ request: DatabaseRequest<PlatesDefinition>, to scratch: URL, _ advance: DatabaseBuilder.Advance
  ) throws -> DatabaseOutcome {
    let problems = ProblemLog()
    return try request.build(PlateSchema.form, to: scratch, problems, advance) { writer in
      let list = try PlateList(request.source)
      try list.check(request.cycle)
      let gates = try Gates(request.definition.gates, list.origin, of: PlateSchema.form, problems)
      let counts = [SourceTable.plates.schema.name: try load(list, writer, problems)]
      try gates.check(list.name, rows: counts) { column in list.records.count { $0[column] != nil } }
      var pairs = ["disclaimer": "Made from the FAA's list of terminal procedures. \(Metadata.warning)"]
      pairs["pdf_url"] =
        request.definition.pdfs?.filled(name: "{pdf}", day: request.cycle.effectiveDay)
        .removingPercentEncoding
      return DatabaseContent(counts: counts, pairs: pairs)
    }
  }

  private static func load(_ list: PlateList, _ writer: DatabaseWriter, _ problems: ProblemLog) throws -> Int
  {
    let table = SourceTable.plates
    return try writer.stream(into: [table.schema], of: list.name, problems) { stream in
      var row = RowWriter([table], stream, AirportDirectory([], problems: problems))
      try list.scan(table.wanted, problems) { try row.write($0) }
      return row.finish()
    }
  }
}

extension PlateList {
  /// Throws if the list is not that of the cycle.
  func check(_ cycle: AiracCycle) throws {
    guard self.cycle != cycle.identifier else { return }
    throw origin.error(
      "\(name) is the list of cycle \(self.cycle), not of cycle \(cycle.identifier)",
      suggestion: "Get the list of this cycle, or name the cycle that it is of with --cycle.")
  }
}
