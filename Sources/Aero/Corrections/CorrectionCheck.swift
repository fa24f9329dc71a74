public import Core
public import Fetch
public import Pipeline

/// Corrections compared with the FAA's tables of a cycle, without a database being built.
public struct CorrectionCheck {
  private let source: SourceFile
  private let cycle: AiracCycle

  /// - Parameter source: the subscription, or its tables.
  public init(_ source: SourceFile, cycle: AiracCycle) {
    self.source = source
    self.cycle = cycle
  }

  /// What would become of each correction, in the order of the list.
  public func outcomes(_ list: CorrectionList) throws -> [CorrectionOutcome] {
    let archive = try SubscriptionArchive(source, cycle: cycle, corrections: list)
    for table in Set(list.corrections.map(\.table)).sorted() where archive.has(table) {
      _ = try archive.read(table)
    }
    return archive.corrections?.outcomes ?? []
  }

  /// A correction with the value that the FAA has in that field.
  ///
  /// - Parameter draft: all of it but `faa`.
  /// - Throws: when no row or several rows fit, or when the FAA has the right value already.
  public func completed(_ draft: Correction, in file: String) throws -> Correction {
    var sought = draft
    // No field of a text file holds this, so whatever the FAA has is found as another value.
    sought.faa = "\u{1}"
    sought.until = nil
    let outcome = try outcomes(CorrectionList(file: file, corrections: [sought])).first
    switch outcome?.ending {
    case .overtaken:
      var correction = draft
      correction.faa = outcome?.found ?? ""
      return correction
    case .alreadyRight:
      throw fault(draft, "the FAA has \"\(draft.right)\" there already", "There is nothing to correct.")
    case .ambiguous:
      throw fault(
        draft, "\(outcome?.rows ?? 0) rows fit",
        "Name more columns with --row, such as SITE_TYPE_CODE or SITE_NO.")
    default:
      throw fault(
        draft, "the cycle \(cycle) has no such row",
        "Compare the values of --row with the FAA's file: they must be equal, character by character.")
    }
  }

  private func fault(_ correction: Correction, _ problem: String, _ remedy: String) -> UserError {
    UserError(
      .badInput, operation: "looking for the row to correct", path: correction.place, reason: problem,
      suggestion: remedy)
  }
}
