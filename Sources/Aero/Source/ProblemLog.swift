/// Collects problems while a cycle is read; used by one task.
///
/// All are counted, and only the first of each sort are kept: a table that is wrong from top to bottom must not fill
/// the memory.
final class ProblemLog {
  private struct Sort: Hashable {
    let kind: RecordProblem.Kind
    let file: String
    let column: String?
  }

  private static let kept = 25
  private static let longestValue = 80

  private var counts: [Sort: Int] = [:]
  private var examples: [Sort: [RecordProblem]] = [:]
  private var rows: [String: Int] = [:]
  private struct Place: Hashable {
    let part: String
    let line: Int
  }

  /// Where they are: a table that is read for several purposes drops a row once.
  private var droppedRows: [String: Set<Place>] = [:]

  func read(rows count: Int, of file: String) { rows[file] = max(rows[file] ?? 0, count) }

  /// A table that the cycle does not have.
  func miss(_ file: String) {
    record(.tableMissing, file: file, line: 0, column: nil, value: "", reason: "the cycle has no such table")
    read(rows: 0, of: file)
  }

  /// - Parameter part: of a file that holds several, the one in which the lines are counted.
  func record(
    _ kind: RecordProblem.Kind, file: String, part: String = "", line: Int, column: String?, value: String,
    reason: String
  ) {
    let place = Place(part: part, line: line)
    if kind == .rowDropped, !droppedRows[file, default: []].insert(place).inserted { return }
    let sort = Sort(kind: kind, file: file, column: column)
    counts[sort, default: 0] += 1
    guard examples[sort, default: []].count < ProblemLog.kept else { return }
    let problem = RecordProblem(
      kind: kind, file: file, part: part.isEmpty ? nil : part, line: line, column: column,
      value: String(value.prefix(ProblemLog.longestValue)),
      reason: reason)
    examples[sort, default: []].append(problem)
  }

  func drop(_ row: UnusableRow, _ file: String, line: Int) {
    record(.rowDropped, file: file, line: line, column: row.column, value: row.value, reason: row.reason)
  }

  /// How many rows of a file there were, and how many of them could not be used.
  func tally(_ file: String) -> ProblemReport.Table {
    ProblemReport.Table(file: file, rows: rows[file] ?? 0, droppedRows: droppedRows[file]?.count ?? 0)
  }

  var report: ProblemReport {
    let sorts = counts.keys.sorted {
      ($0.file, $0.kind.rawValue, $0.column ?? "") < ($1.file, $1.kind.rawValue, $1.column ?? "")
    }
    return ProblemReport(
      tables: rows.keys.sorted().map { tally($0) },
      counts: sorts.map {
        ProblemReport.Count(kind: $0.kind, file: $0.file, column: $0.column, count: counts[$0] ?? 0)
      },
      examples: sorts.flatMap { examples[$0] ?? [] })
  }
}

@available(*, unavailable)
extension ProblemLog: Sendable {}
