public import Aero

/// What of the FAA's data a database could not take as it stands: the sorts with most cases, each with one of them.
public struct ProblemDigest: Codable, Equatable, Sendable {
  /// By kind: `rowDropped`, `fieldDropped`, `unknownCode` …
  public var totals: [String: Int]
  /// The gravest kind first, within it the most frequent sort.
  public var sorts: [Sort]
  /// Of how many sorts no more is told.
  public var sortsLeftOut: Int
  /// What became of each correction.
  public var corrections: [Correction]

  public struct Sort: Codable, Equatable, Sendable {
    public var kind: String
    public var file: String
    public var column: String?
    public var count: Int
    /// `line 12: no runway of that name (13/31)`
    public var example: String?
  }

  public struct Correction: Codable, Equatable, Sendable {
    public var ending: String
    public var text: String
  }

  private static let limit = 40

  public init(_ report: ProblemReport) {
    totals = Dictionary(report.counts.map { ($0.kind.rawValue, $0.count) }, uniquingKeysWith: +)
    let order = Dictionary(
      ([.tableMissing] + RecordProblem.Kind.allCases).enumerated().map { ($1, $0) },
      uniquingKeysWith: { first, _ in first })
    let sorted = report.counts.enumerated().sorted { one, two in
      (order[one.element.kind] ?? 0, -one.element.count, one.offset)
        < (order[two.element.kind] ?? 0, -two.element.count, two.offset)
    }
    sorts = sorted.prefix(ProblemDigest.limit).map { Sort($0.element, in: report) }
    sortsLeftOut = sorted.count - sorts.count
    corrections = report.corrections.map { Correction(ending: $0.ending.rawValue, text: $0.text) }
  }
}

extension ProblemDigest.Sort {
  fileprivate init(_ count: ProblemReport.Count, in report: ProblemReport) {
    let first = report.examples.first {
      $0.kind == count.kind && $0.file == count.file && $0.column == count.column
    }
    self.init(
      kind: count.kind.rawValue, file: count.file, column: count.column, count: count.count,
      example: first.map { "\($0.place): \($0.reason)" + ($0.value.isEmpty ? "" : " (\($0.value))") })
  }
}
