internal import ArchiveIO
public import Core
public import Foundation
internal import SQLiteIO

/// The inputs of a database of terminal procedures.
public struct PlateRequest: Sendable {
  public var definition: PlatesDefinition
  public var definitionSha256: SHA256Hex
  /// `d-TPP_Metafile.xml`, or a zip with it.
  public var source: SourceFile
  public var cycle: AiracCycle
}

/// Builds `plates.sqlite` from the FAA's list of terminal procedures.
public enum PlateBuilder {
  /// The versions that can change a byte of the database.
  public static var libraries: [String: String] { ObstacleBuilder.libraries }

  /// Writes the database to `scratch`; the caller moves the file to its place.
  public static func build(
    _ request: PlateRequest, to scratch: URL, progress: any ProgressReporter, step: String
  ) throws -> DatabaseOutcome {
    try DatabaseBuilder.writing(to: scratch) {
      let list = try PlateList(request.source)
      try list.check(request.cycle)
      progress.report(.advanced(step: step, done: 1, total: 2, unit: "parts"))
      let problems = ProblemLog()
      let gates = try Gates(request.definition.gates, list.origin, of: PlateSchema.form, problems)
      var writer = try DatabaseWriter(scratch, as: PlateSchema.form)
      let rows = try load(list, writer, problems)
      try gates.checkDropped(list.name)
      try gates.checkCount(rows, of: SourceTable.plates.schema.name)
      var counts = [SourceTable.plates.schema.name: rows]
      try writer.write(metadata: Metadata.pairs(request, counts: counts))
      try writer.finish()
      counts.merge(problems.report.totals) { $1 }
      let product = try Metadata.product(
        request.definition, request.definition.id, request.definition.title, of: request.cycle, file: scratch,
        sources: [request.source.record], request.definitionSha256, counts)
      progress.report(.advanced(step: step, done: 2, total: 2, unit: "parts"))
      return DatabaseOutcome(product: product, problems: problems.report)
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

extension Metadata {
  fileprivate static func pairs(_ request: PlateRequest, counts: [String: Int]) -> [String: String] {
    var pairs = common(PlateSchema.form, of: request.cycle, from: request.source, counts: counts, [])
    pairs["disclaimer"] = "Made from the FAA's list of terminal procedures. \(warning)"
    pairs["pdf_url"] =
      request.definition.pdfs?.filled(name: "{pdf}", day: request.cycle.effectiveDay)
      .removingPercentEncoding
    return pairs
  }

  static func product(
    _ definition: PlatesDefinition, _ id: String, _ title: String, of cycle: AiracCycle, file: URL,
    sources: [Product.Source], _ hash: SHA256Hex, _ counts: [String: Int]
  ) throws -> Product {
    try product(
      "\(definition.name)/\(id)", title, of: cycle, box: nil, file: file, sources: sources,
      build: Product.Build(
        tool: ToolVersion.tool, version: ToolVersion.version, libraries: PlateSetBuilder.libraries,
        definitionSha256: hash, counts: counts, rowLoss: definition.gates.rowLoss))
  }
}
