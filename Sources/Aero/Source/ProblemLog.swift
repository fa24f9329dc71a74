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

  /// The rows in which a column's value is an unknown code or cannot be read.
  struct UnusableValues {
    let column: String
    fileprivate(set) var rows: Int
    /// The first of them.
    let example: RecordProblem
    fileprivate var last: Place
  }

  private var counts: [Sort: Int] = [:]
  /// By file, then by column.
  private var unusableValues: [String: [String: UnusableValues]] = [:]
  private var examples: [Sort: [RecordProblem]] = [:]
  private var rows: [String: Int] = [:]
  fileprivate struct Place: Hashable {
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

  /// A column that a table does not have. However often the table is opened, it counts once.
  func miss(column: String, of file: String) {
    guard counts[Sort(kind: .columnMissing, file: file, column: column)] == nil else { return }
    record(
      .columnMissing, file: file, line: 1, column: column, value: "", reason: "the table has no such column")
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
    let problem = RecordProblem(
      kind: kind, file: file, part: part.isEmpty ? nil : part, line: line, column: column,
      value: String(value.prefix(ProblemLog.longestValue)),
      reason: reason)
    if kind == .unknownCode || kind == .fieldDropped { countValue(problem, at: place) }
    if examples[sort, default: []].count < ProblemLog.kept { examples[sort, default: []].append(problem) }
  }

  /// Counts a row once, however many codes of one field are unknown: the problems of one field follow each other.
  private func countValue(_ problem: RecordProblem, at place: Place) {
    guard let column = problem.column else { return }
    guard var values = unusableValues[problem.file]?[column] else {
      unusableValues[problem.file, default: [:]][column] = UnusableValues(
        column: column, rows: 1, example: problem, last: place)
      return
    }
    guard values.last != place else { return }
    values.rows += 1
    values.last = place
    unusableValues[problem.file]?[column] = values
  }

  /// The files that have unusable values, in order.
  var filesWithUnusableValues: [String] { unusableValues.keys.sorted() }

  /// The columns of a file with unusable values, in order.
  func unusableValues(of file: String) -> [UnusableValues] {
    (unusableValues[file] ?? [:]).values.sorted { $0.column < $1.column }
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
