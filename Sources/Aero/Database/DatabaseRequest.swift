public import Core
internal import Foundation

/// The inputs of a database that is made from one file.
public struct DatabaseRequest<Definition: DatabaseDefinition>: Sendable {
  public var definition: Definition
  public var definitionSha256: SHA256Hex
  /// One of the files that the definition names.
  public var source: SourceFile
  public var cycle: AiracCycle
}

/// What describes the rows of a database.
struct DatabaseContent {
  var counts: [String: Int]
  /// For the table `metadata`.
  var pairs: [String: String]
  var box: GeoBox?
  var corrections: [CorrectionOutcome] = []
  var warnings: [String] = []
}

extension DatabaseRequest {
  /// Writes the database to `scratch`; the caller moves the file to its place. `fill` fills the tables.
  ///
  /// The problems of the outcome list everything in the file that could not be used.
  func build(
    _ form: DatabaseForm, to scratch: URL, _ problems: ProblemLog, _ advance: DatabaseBuilder.Advance,
    fill: (inout DatabaseWriter) throws -> DatabaseContent
  ) throws -> DatabaseOutcome {
    try DatabaseBuilder.writing(to: scratch) {
      var writer = try DatabaseWriter(scratch, as: form)
      let content = try fill(&writer)
      advance(1)
      var report = problems.report
      report.corrections = content.corrections
      let pairs = Metadata.common(
        form, of: cycle, from: source.record, counts: content.counts, content.corrections, content.warnings)
      try writer.write(metadata: pairs.merging(content.pairs) { $1 })
      try writer.finish()
      let product = try Metadata.product(
        definition, of: cycle, box: content.box, file: scratch, sources: [source.record],
        definitionSha256, content.counts.merging(report.totals) { $1 })
      advance(2)
      return DatabaseOutcome(product: product, problems: report, warnings: content.warnings)
    }
  }
}
