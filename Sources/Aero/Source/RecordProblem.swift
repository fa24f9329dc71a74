/// Something in a row of the source that could not be taken as it stands.
public struct RecordProblem: Codable, Equatable, Sendable {
  public enum Kind: String, Codable, CaseIterable, Sendable {
    /// The row cannot be used at all.
    case rowDropped
    /// The row says once more what another one says, and counts once.
    case rowRepeated
    /// The row belongs to a row of another group of tables that is not there, and is left out; the FAA's groups do not
    /// agree with each other everywhere.
    case rowOrphaned
    /// The row stands, this field of it is null.
    case fieldDropped
    /// A code that is not in the FAA's pages: kept as text, or NULL where the column holds yes or no.
    case unknownCode
    /// The identifier was taken, so the row has another one.
    case identifierChanged
    /// The boundary crossed or touched itself; the area that it encloses stands.
    case shapeMended
    /// The row stands as it is, though two of its fields cannot both be right.
    case contradiction
    /// The cycle comes without the table.
    case tableMissing
    /// The table comes without a column that it may lack.
    case columnMissing
    /// An app's form has no word for the value, so the row has the nearest one.
    case valueMapped
  }

  public let kind: Kind
  /// Such as `APT_BASE.csv`.
  public let file: String
  /// In a file that holds several, the one in which the line is counted: `R-2508 COMPLEX, CA.xml`.
  public var part: String?
  public let line: Int
  /// The FAA's name of the column; nil when the row as a whole is at fault.
  public let column: String?
  public let value: String
  public let reason: String

  /// `line 12`, or `line 12 of R-2508 COMPLEX, CA.xml`; `KPAO 13/31` of a row of a database, `the whole file` of neither.
  public var place: String {
    guard line > 0 else { return part ?? "the whole file" }
    return "line \(line)" + (part.map { " of \($0)" } ?? "")
  }
}

/// All problems of a build: counted in full, shown by the first examples, in an order that the input alone decides.
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

  /// What was read, table by table.
  public let tables: [Table]
  public let counts: [Count]
  public let examples: [RecordProblem]
  /// What became of each correction, in the order of the definition.
  public let corrections: [CorrectionOutcome]

  init(
    tables: [Table], counts: [Count], examples: [RecordProblem], corrections: [CorrectionOutcome] = []
  ) {
    self.tables = tables
    self.counts = counts
    self.examples = examples
    self.corrections = corrections
  }

  init(_ report: ProblemReport, corrections: [CorrectionOutcome]) {
    self.init(
      tables: report.tables, counts: report.counts, examples: report.examples, corrections: corrections)
  }

  public var droppedRows: Int { total(.rowDropped) }
  public var droppedFields: Int { total(.fieldDropped) }
  public var unknownCodes: Int { total(.unknownCode) }

  public func total(_ kind: RecordProblem.Kind) -> Int {
    counts.filter { $0.kind == kind }.reduce(0) { $0 + $1.count }
  }

  /// For people: a line for each table, and below it a line for each kind of problem with its first example.
  public var text: String {
    tables.map { table in
      let head = "\(table.file): \(table.rows) rows, \(table.droppedRows) dropped\n"
      return head + counts.filter { $0.file == table.file }.map { line($0) + "\n" }.joined()
    }.joined() + corrections.map { "\($0.text)\n" }.joined()
  }

  private func line(_ count: Count) -> String {
    let first = examples.first {
      $0.kind == count.kind && $0.file == count.file && $0.column == count.column
    }
    let example = first.map {
      ", such as \($0.place): \($0.reason)" + ($0.value.isEmpty ? "" : " (\($0.value))")
    }
    return "  \(count.column ?? "row"): \(count.count) x \(count.kind.words)" + (example ?? "")
  }
}

extension RecordProblem.Kind {
  var words: String {
    switch self {
    case .rowDropped: "row dropped"
    case .rowRepeated: "row repeated"
    case .rowOrphaned: "row orphaned"
    case .fieldDropped: "field dropped"
    case .unknownCode: "unknown code"
    case .identifierChanged: "identifier changed"
    case .shapeMended: "shape mended"
    case .contradiction: "contradiction"
    case .tableMissing: "table missing"
    case .columnMissing: "column missing"
    case .valueMapped: "value mapped"
    }
  }
}
