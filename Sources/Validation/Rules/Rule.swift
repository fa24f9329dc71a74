internal import Core
internal import SQLiteIO

/// A check of a finished file or of a whole cycle. A new rule is a type that conforms to `Rule` and one line in `RuleList`.
protocol Rule<Subject>: Sendable {
  /// What the rule looks at: an opened archive, database or document, a product's description, or a cycle.
  associatedtype Subject: RuleSubject
  associatedtype Outcome: RuleOutcome
  /// The id that reports and `--accept` use, such as `tiles-decode`.
  var name: String { get }
  /// What the rule guarantees, in one sentence.
  var protects: String { get }
  /// Returns the findings; findings with measured facts; or, for a rule about single tiles, a visitor that collects them.
  func check(_ subject: Subject) throws -> Outcome
}

/// What a rule returns.
protocol RuleOutcome {
  /// Looks at the next tile, ordered by zoom, column, and row from the south. Only rules about single tiles need it.
  mutating func visit(_ tile: DecodedTile) throws
  /// Returns the result; called once, after the last tile.
  mutating func finish() throws -> RuleResult
}

extension RuleOutcome {
  func visit(_ tile: DecodedTile) {}
}

/// What a rule found wrong, and what it measured.
struct RuleResult: RuleOutcome {
  var findings: [Finding]
  /// By product id.
  var facts: [String: ProductFacts]

  init(_ findings: [Finding] = [], facts: [String: ProductFacts] = [:]) {
    (self.findings, self.facts) = (findings, facts)
  }

  /// A result that only notes evidence of a chart's place that was not found.
  init(missing source: ProductFacts.MissingEvidence.Source, of subject: ProductUnderTest, _ reason: String) {
    self.init(facts: [subject.product.id: .missing(source, reason)])
  }

  func finish() -> RuleResult { self }

  static func += (result: inout RuleResult, other: RuleResult) {
    result.findings += other.findings
    result.facts.add(other.facts)
  }
}

extension [Finding]: RuleOutcome {
  func finish() -> RuleResult { RuleResult(self) }
}

/// Finds the problems of each tile by itself or by what the tiles before it showed, and those of all tiles.
struct TileFindings: RuleOutcome {
  private let found: (DecodedTile) throws -> [Finding]
  private let last: () throws -> [Finding]
  private var findings: [Finding] = []

  init(
    _ rule: some Rule, _ archive: ArchiveUnderTest,
    _ problems: @escaping (DecodedTile) throws -> [String],
    ofAll last: @escaping () throws -> [String] = { [] }
  ) {
    found = { tile in try problems(tile).map { rule.error(archive.place(of: tile.stored), $0) } }
    self.last = { try last().map { rule.error(archive.place, $0) } }
  }

  mutating func visit(_ tile: DecodedTile) throws { findings += try found(tile) }
  func finish() throws -> RuleResult { RuleResult(findings + (try last())) }
}

/// A query for wrong rows of a table. Its first column names a row; a second one begins the message.
struct RowCheck: Sendable {
  let severity: Finding.Severity
  let table: String
  let sql: String
  let message: String

  init(_ severity: Finding.Severity, _ table: String, sql: String, _ message: String) {
    (self.severity, self.table, self.sql, self.message) = (severity, table, sql, message)
  }

  init(
    _ severity: Finding.Severity, _ table: String, _ label: String, where condition: String, _ message: String
  ) {
    self.init(severity, table, sql: "SELECT \(label) FROM \(table) WHERE \(condition) ORDER BY 1", message)
  }
}

extension Rule where Subject == DatabaseUnderTest {
  func findings(of checks: [RowCheck], in database: DatabaseUnderTest) throws -> [Finding] {
    try checks.flatMap { check in
      try database.connection.prepare(check.sql).map { row in
        let start = row.columnCount > 1 ? "\(row.text(1) ?? ""), " : ""
        return finding(check.severity, database.place(check.table, row), start + check.message)
      }
    }
  }

  /// An error of a database without airports.
  func emptiness(of database: DatabaseUnderTest) throws -> [Finding] {
    try database.connection.count("airports") > 0 ? [] : [error(database.place, "there is no airport in it")]
  }
}

extension Rule {
  /// Reports at most this many findings of one rule in one file.
  private static var findingLimit: Int { 20 }

  func error(_ place: String, _ message: String) -> Finding { finding(.error, place, message) }
  func warning(_ place: String, _ message: String) -> Finding { finding(.warning, place, message) }

  func finding(_ severity: Finding.Severity, _ place: String, _ message: String) -> Finding {
    Finding(rule: name, severity: severity, where: place, message: message)
  }

  /// Returns a finding in one of several products.
  func finding(
    _ severity: Finding.Severity, _ subject: ProductUnderTest, _ place: String = "", _ message: String
  ) -> Finding {
    Finding(
      rule: name, severity: severity, where: place.isEmpty ? subject.place : "\(subject.place) \(place)",
      message: message, product: subject.product.id)
  }

  /// Checks a subject. A check that fails counts as an error of the subject.
  func run(on subject: Subject) throws -> RuleResult {
    try result(at: subject.place) {
      var outcome = try check(subject)
      return try outcome.finish()
    }
  }

  /// Returns a rule's result with a limited number of findings, errors first; an error thrown becomes a finding.
  func result(at place: String, _ body: () throws -> RuleResult) throws -> RuleResult {
    do {
      var result = try body()
      let found = result.findings
      guard found.count > Self.findingLimit else { return result }
      let sorted = found.filter { $0.severity == .error } + found.filter { $0.severity != .error }
      let rest = sorted.dropFirst(Self.findingLimit)
      let message = "and \(Counts.grouped(rest.count)) more like these"
      let hasError = rest.contains { $0.severity == .error }
      result.findings =
        sorted.prefix(Self.findingLimit) + [finding(hasError ? .error : .warning, place, message)]
      return result
    } catch let cancelled as CancellationError {
      throw cancelled
    } catch {
      return RuleResult([self.error(place, "it cannot be checked: \(reason(error))")])
    }
  }
}

/// Returns the most specific description of an error.
func reason(_ error: any Error) -> String {
  switch error {
  case let error as SQLiteError: error.message
  case let error as DecodingError: error.whereAndWhy()
  case let error as UserError: ([error.reason] + error.causes).joined(separator: ": ")
  default: error.fileErrorReason
  }
}
