internal import Core
internal import Foundation

/// The parts that all definitions of databases have.
extension DatabaseOrigin {
  /// The exports of the database, as items of its pipeline.
  func items(_ exports: [ExportDefinition]?, in pipeline: String) -> [any PipelineItem] {
    (exports ?? []).map { ExportItem(pipeline: pipeline, export: $0, origin: self) }
  }

  /// The first error of the exports and the addresses; nil if there is none.
  func problem(_ exports: [ExportDefinition]?) -> String? {
    let exports = exports ?? []
    if exports.count(where: { $0.format == .geojson }) > 1 {
      return "there are two exports of the format geojson, whose files have the same names"
    }
    return strayURL(exports).map { "urls has \"\($0)\", which is not the name of a source" }
  }

  /// The requirement of the first of some files that exists.
  func requirement(_ patterns: [String], of product: String, for cycle: AiracCycle) -> SourceRequirement {
    SourceRequirement(alternatives: alternatives(patterns, for: cycle), products: [product])
  }

  /// The sets of files for some names, best first.
  func alternatives(_ patterns: [String], for cycle: AiracCycle) -> [[RequiredFile]] {
    patterns.compactMap { pattern in
      let edition = edition(of: pattern, cycle)
      let keys = urls.keys.filter { $0 == pattern || $0.hasPrefix(pattern + "/") }.sorted()
      if keys.isEmpty {
        let name = names([pattern], for: cycle)
        // A name without an extension is a folder, whose files are not known.
        return pattern.contains(".") ? name.map { RequiredFile(path: $0, url: nil, edition: edition) } : nil
      }
      return zip(keys, names(keys, for: cycle)).map { key, path in
        let url = urls[key]?.filled(name: path, day: cycle.effectiveDay)
        return RequiredFile(path: path, url: url, edition: edition)
      }
    }
  }

  /// Returns the edition of a file whose name or address contains a date. The daily obstacle file has none.
  private func edition(of pattern: String, _ cycle: AiracCycle) -> Edition? {
    let words = pattern + (urls[pattern]?.pattern.replacing("{name}", with: "") ?? "")
    if words.contains("{dof_yymmdd}") { return cycle.edition(.obstacles) }
    return words.contains("{") ? cycle.edition(cadence) : nil
  }

  /// The files of the database's sources that exist.
  func files(_ sizes: SourceSizes) -> [URL] {
    lists.compactMap { sizes.find(names($0, for: sizes.cycle)) }
  }

  func bytes(_ sizes: SourceSizes) -> Int { files(sizes).map(sizes.bytes(of:)).reduce(0, +) }
}

extension StepContext {
  /// Compares a built database with its sources, and adds the result to its description. Throws an error if they differ.
  func audit(
    _ outcome: inout DatabaseOutcome, at database: URL, _ tables: SourceFile,
    classAirspace: SourceFile? = nil, specialUse: SourceFile? = nil
  ) throws {
    let audited = try DatabaseAudit(
      database: database, cycle: cycle, tables: tables, classAirspace: classAirspace, specialUse: specialUse,
      problems: outcome.problems, jobs: jobs
    ).result()
    try audited.check(database)
    outcome.product.audit = audited.evidence(of: outcome.product.files[0].sha256)
  }

  /// The outputs of a database's step: the database, and the problems of its sources. The corrections that were not used are warnings.
  ///
  /// - Parameter table: the table whose rows the step's message counts.
  func outputs(
    of item: any PipelineItem, _ outcome: DatabaseOutcome, at database: URL, of table: String
  ) throws -> StepOutputs {
    let made = MadeProduct(product: outcome.product, files: [database])
    let problems = outcome.problems
    let idle = problems.corrections.filter { $0.ending != .used }
    let rows = Counts.grouped(outcome.product.build.counts[table] ?? 0)
    let size = Counts.bytes(outcome.product.files[0].bytes)
    let dropped =
      "\(Counts.of(problems.droppedRows, "row")) and \(Counts.of(problems.droppedFields, "field")) dropped"
    let codes = problems.unknownCodes
    let unknown = codes > 0 ? ", \(Counts.of(codes, "code")) unknown" : ""
    return try outputs(
      of: item, made,
      beside: [("\(item.id).problems.json", try CanonicalJSON.pretty(problems))],
      detail: "\(rows) \(table), \(size); \(dropped)\(unknown)"
        + (outcome.product.audit.map { "; \($0.text)" } ?? ""),
      warnings: idle.map(\.text) + outcome.warnings)
  }
}
