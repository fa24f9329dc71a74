internal import Core

/// A problem in a row of the source.
public struct RecordProblem: Codable, Equatable, Sendable {
  public enum Kind: String, Codable, CaseIterable, Sendable {
    /// The row cannot be used.
    case rowDropped
    /// The row repeats another one and counts once.
    case rowRepeated
    /// The row belongs to a missing row of another group of tables, and is left out; the FAA's groups do not agree everywhere.
    case rowOrphaned
    /// The row is used, but this field is null.
    case fieldDropped
    /// A code that is not in the FAA's documentation: kept as text, or NULL in a column of flags.
    case unknownCode
    /// Another row has the identifier, so this row got another one.
    case identifierChanged
    /// The boundary crossed or touched itself; the area that it encloses is used.
    case shapeMended
    /// Two fields of the row contradict each other; the row is used unchanged.
    case contradiction
    /// The cycle lacks the table.
    case tableMissing
    /// The table lacks an optional column.
    case columnMissing
    /// An app's format has no word for the value, so the row has the nearest one.
    case valueMapped
  }

  public let kind: Kind
  /// Such as `APT_BASE.csv`.
  public let file: String
  /// The member in which the line is counted, if the file holds several: `R-2508 COMPLEX, CA.xml`.
  public var part: String?
  public let line: Int
  /// The FAA's name of the column; nil if the problem concerns the whole row.
  public let column: String?
  public internal(set) var value: String
  public let reason: String

  /// `line 12`, or `line 12 of R-2508 COMPLEX, CA.xml`; `KPAO 13/31` of a row of a database, `the whole file` of neither.
  public var place: String {
    guard line > 0 else { return part ?? "the whole file" }
    return "line \(line)" + (part.map { " of \($0)" } ?? "")
  }
}

extension [UserError] {
  /// Runs a check and keeps its error for the user. Other errors are thrown.
  mutating func collect(_ check: () throws -> Void) throws {
    do { try check() } catch let error as UserError { append(error) }
  }
}

/// The reason why a row is dropped.
struct UnusableRow: Error {
  var column: String?
  var value = ""
  let reason: String
}
