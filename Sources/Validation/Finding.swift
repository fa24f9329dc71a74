internal import Pipeline

/// Something that a rule found wrong.
public struct Finding: Codable, Equatable, Sendable {
  public enum Severity: String, Codable, Sendable {
    case error
    case warning
  }

  /// The rule's name, as `validate --list` shows it.
  public var rule: String
  public var severity: Severity
  /// The file, and the place in it: `San_Francisco.mbtiles tile 12/656/1586`.
  public var `where`: String
  public var message: String
  /// Why somebody let it pass; nil for what nobody did.
  public var accepted: String?
  /// The id of the product that it was found in. Not part of the JSON, which tells the file.
  public var product: String?

  private enum CodingKeys: String, CodingKey {
    case rule
    case severity
    case `where`
    case message
    case accepted
  }

  public init(
    rule: String, severity: Severity, where place: String, message: String, product: String? = nil
  ) {
    self.rule = rule
    self.severity = severity
    self.where = place
    self.message = message
    self.product = product
  }
}

extension [Finding] {
  /// Sorting the few findings is faster than sorting all rows of a table.
  var sortedByPlace: [Finding] { sorted { $0.where < $1.where } }
}

/// What all rules have: a name that people can refer to, and a reason to exist.
public protocol Rule: Sendable {
  /// Such as `tiles-decode`.
  var name: String { get }
  /// What a pilot would suffer without it, in one sentence.
  var protects: String { get }
}

extension Rule {
  func error(_ place: String, _ message: String) -> Finding {
    Finding(rule: name, severity: .error, where: place, message: message)
  }

  func warning(_ place: String, _ message: String) -> Finding {
    Finding(rule: name, severity: .warning, where: place, message: message)
  }

  /// For rules that see several products: which one it is of, and where in it.
  func finding(
    _ severity: Finding.Severity, _ subject: ProductUnderTest, _ place: String = "", _ message: String
  ) -> Finding {
    Finding(
      rule: name, severity: severity, where: place.isEmpty ? subject.place : "\(subject.place) \(place)",
      message: message, product: subject.product.id)
  }
}
