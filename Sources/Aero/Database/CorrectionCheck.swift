internal import Core

/// Compares corrections with the FAA's tables of a cycle, without keeping a database.
public struct CorrectionCheck {
  /// The subscription, or its tables.
  let source: SourceFile
  /// The definition of the database.
  let definition: NASRDefinition
  let cycle: AiracCycle

  /// The outcome of each correction, in the order of the list.
  ///
  /// If the FAA still has a wrong value, all tables are read as for a database, since only that shows whether the correct value is
  /// usable.
  public func outcomes(_ list: AdjacentFile<[Correction]>) throws -> [CorrectionOutcome] {
    let outcomes = try outcomesOfRows(list)
    guard outcomes.contains(where: { $0.ending == .used }) else { return outcomes }
    return try DatabaseBuilder.correctionOutcomes(list, for: definition, from: source, cycle: cycle)
  }

  private func outcomesOfRows(_ list: AdjacentFile<[Correction]>) throws -> [CorrectionOutcome] {
    var archive = try SubscriptionArchive(source, cycle: cycle)
    let corrections = try Corrections(list, for: cycle, of: &archive)
    for table in Set(list.content.map(\.table)).sorted() where archive.has(table) {
      _ = try archive.read(table)
    }
    return corrections.outcomes
  }
}
