/// Collects problems while a cycle is read; used by one thread.
///
/// It counts all problems and keeps the first of each sort, so that a table that is wrong throughout does not fill the memory.
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
    fileprivate var last: String
  }

  /// Learns of each problem.
  private let watch: (RecordProblem) -> Void
  private var counts: [Sort: Int] = [:]
  /// By file, then by column.
  private var unusableValues: [String: [String: UnusableValues]] = [:]
  private var examples: [Sort: [RecordProblem]] = [:]
  private var rows: [String: Int] = [:]
  /// The places of dropped rows: a row counts once, also if its table is read several times.
  private var droppedRows: [String: Set<String>] = [:]

  init(watch: @escaping (RecordProblem) -> Void = { _ in }) { self.watch = watch }

  func read(rows count: Int, of file: String) { rows[file] = max(rows[file] ?? 0, count) }

  /// Records a table that the cycle does not have.
  func miss(_ file: String) {
    record(.tableMissing, file: file, line: 0, column: nil, value: "", reason: "the cycle has no such table")
    read(rows: 0, of: file)
  }

  /// Records a column that a table does not have. It counts once, also if the table is opened several times.
  func miss(column: String, of file: String) {
    guard counts[Sort(kind: .columnMissing, file: file, column: column)] == nil else { return }
    record(
      .columnMissing, file: file, line: 1, column: column, value: "", reason: "the table has no such column")
  }

  /// - Parameter part: the member in which the lines are counted, if a file holds several.
  func record(
    _ kind: RecordProblem.Kind, file: String, part: String = "", line: Int, column: String?, value: String,
    reason: String
  ) {
    var problem = RecordProblem(
      kind: kind, file: file, part: part.isEmpty ? nil : part, line: line, column: column, value: value,
      reason: reason)
    watch(problem)
    let place = "\(line) \(part)"
    if kind == .rowDropped, !droppedRows[file, default: []].insert(place).inserted { return }
    let sort = Sort(kind: kind, file: file, column: column)
    counts[sort, default: 0] += 1
    problem.value = String(value.prefix(ProblemLog.longestValue))
    if kind == .unknownCode || kind == .fieldDropped { countValue(problem, at: place) }
    if examples[sort, default: []].count < ProblemLog.kept { examples[sort, default: []].append(problem) }
  }

  /// Counts a row once, also if several codes of one field are unknown: the problems of one field are adjacent.
  private func countValue(_ problem: RecordProblem, at place: String) {
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

  /// The number of a file's rows, and of those that were dropped.
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

/// All problems of a build: complete counts and the first examples, in an order that depends only on the input.
public struct ProblemReport: Codable, Equatable, Sendable {
  public struct Table: Codable, Equatable, Sendable {
    public let file: String
    public let rows: Int
    public let droppedRows: Int
  }

  public struct Count: Codable, Equatable, Sendable {
    public let kind: RecordProblem.Kind
    public let file: String
    public let column: String?
    public let count: Int
  }

  /// The tables that were read.
  public let tables: [Table]
  public let counts: [Count]
  public let examples: [RecordProblem]
  /// The outcome of each correction, in the order of the definition.
  public var corrections: [CorrectionOutcome] = []

  public var droppedRows: Int { total(.rowDropped) }
  public var droppedFields: Int { total(.fieldDropped) }
  public var unknownCodes: Int { total(.unknownCode) }

  /// These totals by the names under which a product counts them.
  var totals: [String: Int] {
    ["droppedRows": droppedRows, "droppedFields": droppedFields, "unknownCodes": unknownCodes]
  }

  public func total(_ kind: RecordProblem.Kind) -> Int {
    counts.filter { $0.kind == kind }.reduce(0) { $0 + $1.count }
  }

  /// The first example of a sort: `line 12: no runway of that name (13/31)`.
  public func example(of count: Count) -> String? {
    let first = examples.first {
      $0.kind == count.kind && $0.file == count.file && $0.column == count.column
    }
    return first.map { "\($0.place): \($0.reason)" + ($0.value.isEmpty ? "" : " (\($0.value))") }
  }
}
