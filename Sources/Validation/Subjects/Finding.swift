/// A problem that a rule found.
public struct Finding: Codable, Equatable, Sendable {
  public enum Severity: String, Codable, Sendable {
    case error
    case warning
  }

  /// The rule's name, as `validate --list` shows it.
  public var rule: String
  public var severity: Severity
  /// The file, and the location in it: `San_Francisco.mbtiles tile 12/656/1586`.
  public var `where`: String
  public var message: String
  /// The reason given with `--accept`; nil for a finding that was not accepted.
  public var accepted: String?
  /// The id of the product that has the problem; empty in a manifest, and otherwise nil, where no single product has it.
  public var product: String?
}

extension [Finding] {
  /// Sorting the few findings is faster than sorting all rows of a table.
  var sortedByPlace: [Finding] { sorted { $0.where < $1.where } }
}

/// Something that differs from what it was made from, or from what an index says of it.
struct Difference: Sendable {
  /// The place within its file: a table, and the key of a row.
  let place: String
  let text: String

  init(_ place: String, _ text: String) { (self.place, self.text) = (place, text) }
}
