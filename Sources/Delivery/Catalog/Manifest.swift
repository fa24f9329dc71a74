public import Airac
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
  /// What was noticed of the sources, such as an image that no definition knows; nil when there was nothing.
  public var notes: [SourceNote]?
  /// What of the FAA's data a database could not take as it stands, by product; nil when there is no database.
  public var problems: [String: ProblemDigest]?
  public var validation: Validation

  public init(
    format: Format = .version1, cycle: AiracCycle, products: [Product], missing: [String],
    failures: [ProductFailure]? = nil, notes: [SourceNote]? = nil, problems: [String: ProblemDigest]? = nil,
    validation: Validation
  ) {
    self.format = format
    self.cycle = cycle.identifier
    effective = cycle.effective.description
    expires = cycle.expires(.every28Days).description
    self.products = products
    self.missing = missing
    self.failures = failures
    self.notes = notes
    self.problems = problems
    self.validation = validation
  }

  /// Every file that the cycle needs, patches too.
  public var allFiles: [Product.File] { products.flatMap(\.allFiles) }
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
