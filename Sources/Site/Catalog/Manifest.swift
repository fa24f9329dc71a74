public import Core
public import Pipeline
public import Validation

/// `cycles/2612/manifest.json`: all that a site holds of one cycle.
public struct Manifest: Codable, Equatable, Sendable {
  public enum Format: String, Codable, Sendable {
    case version1 = "chartpipe-manifest-1"
  }

  /// What the rules said before the products were let in.
  public struct Validation: Codable, Equatable, Sendable {
    public var ok: Bool
    public var tool: String
    public var version: String
    public var findings: [ProductFinding]
    /// What the rules measured, by product; nil in manifests of earlier versions.
    public var facts: [String: ProductFacts]?

    public init(
      ok: Bool, tool: String, version: String, findings: [ProductFinding],
      facts: [String: ProductFacts]? = nil
    ) {
      self.ok = ok
      self.tool = tool
      self.version = version
      self.findings = findings
      self.facts = facts
    }
  }

  public var format: Format
  public var cycle: String
  public var effective: String
  public var expires: String
  /// By id.
  public var products: [Product]
  /// The ids of products that should be here and could not be made.
  public var missing: [String]
  /// Why they could not be made, of those of which it is known; nil when nothing is missing.
  public var failures: [ProductFailure]?
  /// The products that validation refused, and those that contain one of them, by id; nil when nothing is held back.
  public var held: [HeldProduct]?
  /// Earlier editions that stay published in place of products that are held back or missing, by id: as they were, each with its
  /// own cycle and dates. Nil when there is none.
  public var kept: [Product]?
  /// What was noticed of the sources, such as an image that no definition knows; nil when there was nothing.
  public var notes: [SourceNote]?
  /// What of the FAA's data a database could not take as it stands, by product; nil when there is no database.
  public var problems: [String: ProblemDigest]?
  public var validation: Validation

  public init(
    format: Format = .version1, cycle: AiracCycle, products: [Product], missing: [String],
    failures: [ProductFailure]? = nil, held: [HeldProduct]? = nil, kept: [Product]? = nil,
    notes: [SourceNote]? = nil, problems: [String: ProblemDigest]? = nil, validation: Validation
  ) {
    self.format = format
    self.cycle = cycle.identifier
    effective = cycle.effective.description
    expires = cycle.expires(.every28Days).description
    self.products = products
    self.missing = missing
    self.failures = failures
    self.held = held
    self.kept = kept
    self.notes = notes
    self.problems = problems
    self.validation = validation
  }

  /// Every file that the cycle needs, patches too.
  public var allFiles: [Product.File] { products.flatMap(\.allFiles) }

  /// What the catalogue says of the products that the cycle should have and does not have, by id.
  var heldInCatalogue: [CycleEntry.Held]? {
    let published = Dictionary((kept ?? []).map { ($0.id, $0.cycle) }) { first, _ in first }
    let refused = (held ?? []).map {
      CycleEntry.Held(
        id: $0.id, reason: $0.because == nil ? .refused : .contains, rule: $0.rule,
        published: published[$0.id])
    }
    let failed = missing.map { CycleEntry.Held(id: $0, reason: .failed, published: published[$0]) }
    return refused.isEmpty && failed.isEmpty ? nil : (refused + failed).sorted { $0.id < $1.id }
  }
}

/// A finding, and the product that it was found in.
public struct ProductFinding: Codable, Equatable, Sendable {
  public var product: String
  public var rule: String
  public var severity: Finding.Severity
  public var `where`: String
  public var message: String
  /// Why somebody let it pass; nil for what nobody did.
  public var accepted: String?

  public init(product: String, _ finding: Finding) {
    self.product = product
    rule = finding.rule
    severity = finding.severity
    self.where = finding.where
    message = finding.message
    accepted = finding.accepted
  }
}
