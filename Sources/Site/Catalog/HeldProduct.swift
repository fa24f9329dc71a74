internal import Core
public import Pipeline

/// A product of a cycle that validation refused, or that contains one that it refused. It is not published in this cycle; its
/// previous edition stays, with its own dates.
public struct HeldProduct: Codable, Equatable, Sendable {
  public var id: String
  public var kind: Product.Kind
  public var name: String
  /// Of the edition that is held back.
  public var edition: String
  public var effectiveDate: String
  public var expirationDate: String
  /// The first rule that refused it; nil when it is held back only for what it contains.
  public var rule: String?
  /// Why, for people.
  public var message: String
  /// The refused products whose pixels or rows it contains; nil when it was refused itself.
  public var because: [String]?
  /// All errors of the rules; empty when it is held back only for what it contains.
  public var findings: [ProductFinding]
  /// What stays published in its place; nil when no earlier edition is known.
  public var published: PublishedEdition?

  /// A product that validation refused.
  init(_ product: Product, refusedFor errors: [ProductFinding]) {
    let first = errors.first
    let more = errors.count > 1 ? " (and \(Counts.of(errors.count - 1, "more error")))" : ""
    self.init(
      product, rule: first?.rule, message: (first.map { "\($0.where): \($0.message)" } ?? "") + more,
      because: nil, findings: errors)
  }

  /// A product that contains refused ones.
  init(_ product: Product, containing refused: [String]) {
    self.init(
      product, rule: nil,
      message: "it contains parts of \(refused.joined(separator: ", ")), which was held back",
      because: refused, findings: [])
  }

  /// A product that was not made, of the same edition as one of its parts.
  init(_ unmade: UnmadeProduct, like part: Product, containing refused: [String]) {
    var product = part
    (product.id, product.name) = (unmade.id, unmade.name)
    self.init(product, containing: refused)
  }

  private init(
    _ product: Product, rule: String?, message: String, because: [String]?, findings: [ProductFinding]
  ) {
    (id, kind, name) = (product.id, product.kind, product.name)
    (edition, effectiveDate) = (product.edition, product.effectiveDate)
    expirationDate = product.expirationDate
    (self.rule, self.message, self.because, self.findings) = (rule, message, because, findings)
  }
}

/// Which edition of a product stays published in place of a newer one that is held back or could not be made.
public struct PublishedEdition: Codable, Equatable, Sendable {
  /// The cycle for which it was built: `2611`. Its entry in `products` has this cycle.
  public var cycle: String
  public var edition: String
  public var effectiveDate: String
  public var expirationDate: String

  init(_ product: Product) {
    (cycle, edition) = (product.cycle, product.edition)
    (effectiveDate, expirationDate) = (product.effectiveDate, product.expirationDate)
  }
}

extension CycleEntry {
  /// A product that the cycle should have and does not have.
  public struct Held: Codable, Equatable, Sendable {
    public enum Reason: String, Codable, Sendable {
      /// Validation refused it.
      case refused
      /// It contains a product that validation refused.
      case contains
      /// It could not be made.
      case failed
    }

    public var id: String
    public var reason: Reason
    /// The first rule that refused it; nil for other reasons.
    public var rule: String?
    /// The cycle of the edition that stays in `products` in its place; nil when there is none.
    public var published: String?
  }
}
