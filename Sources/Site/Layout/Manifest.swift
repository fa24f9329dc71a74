public import Core
public import Foundation

/// `cycles/2612/manifest.json`: everything that a site has of one cycle.
public struct Manifest: Codable, Equatable, Sendable {
  public enum Format: String, Codable, Sendable {
    case version1 = "chartpipe-manifest-1"
  }

  /// The results of the rules for the accepted products.
  public struct Validation: Codable, Equatable, Sendable {
    public var ok = true
    public var tool = ToolVersion.tool
    public var version = ToolVersion.version
    public var findings: [Finding]
    /// The measurements of the rules, by product; nil in manifests of earlier versions.
    public var facts: [String: ProductFacts]?
  }

  public var format = Format.version1
  public var cycle: AiracCycle
  public var effective: Instant
  public var expires: Instant
  /// By id.
  public var products: [Product]
  /// The identifiers of products that could not be built.
  public var missing: [String]
  /// Why they could not be built, as far as it is known; nil if nothing is missing.
  public var failures: [ProductFailure]?
  /// The products that validation refused, and those that contain one of them, by id; nil if nothing is held back.
  public var held: [HeldProduct]?
  /// Earlier editions that stay published in place of products that are held back or missing, by id, each with its own cycle and
  /// dates; nil if there is none.
  public var kept: [Product]?
  /// Remarks about the sources, such as an image that no definition knows; nil if there is none.
  public var notes: [SourceNote]?
  /// The FAA's records that a database could not use unchanged, by product; nil if there is no database.
  public var problems: [String: ProblemDigest]?
  public var validation: Validation

  /// The products of the cycle, including those that stay though they could not be built again.
  var whole: [Product] { products + (kept ?? []).filter { $0.cycle == cycle } }

  /// All files of the cycle, including compressed ones.
  public var allFiles: [Product.File] { products.flatMap(\.allFiles) }

  /// The catalogue's entries for the products that the cycle lacks, by id.
  var heldInCatalogue: [CycleEntry.Held]? {
    let published = Dictionary(first: (kept ?? []).map { ($0.id, $0.cycle) })
    let refused = (held ?? []).map {
      CycleEntry.Held(
        id: $0.id, reason: $0.because == nil ? .refused : .contains, rule: $0.rule,
        published: published[$0.id])
    }
    let failed = missing.map { CycleEntry.Held(id: $0, reason: .failed, published: published[$0]) }
    return refused.isEmpty && failed.isEmpty ? nil : (refused + failed).sorted { $0.id < $1.id }
  }
}

/// Why a run could not build a product.
public struct ProductFailure: Codable, Equatable, Sendable {
  public var id: String
  public var message: String
  public var remedy: String?
  /// The rough outline of a chart, as a ring of longitudes and latitudes; nil if the definition does not give it.
  public var outline: [[Double]]?
}

extension ProductFailure {
  /// - Parameters:
  ///   - folders: the work folders. Paths below them become relative, since later readers do not have them.
  ///   - outline: the rough outline of a chart.
  public init(id: String, _ error: UserError, outline: [[Double]]? = nil, leavingOut folders: [URL]) {
    let relative = { (text: String) in text.relative(to: folders) }
    self.init(
      id: id, message: relative(error.line), remedy: error.suggestion.map(relative))
    self.outline = outline
  }
}

extension String {
  /// The text with paths below these folders made relative.
  func relative(to folders: [URL]) -> String {
    folders.reduce(self) { text, folder in
      text.replacing(folder.path + "/", with: "").replacing(folder.path, with: folder.lastPathComponent)
    }
  }
}

/// A product that validation refused, or that contains a refused one. It is not published in this cycle, and its previous edition
/// stays with its own dates.
public struct HeldProduct: Codable, Equatable, Sendable {
  public var id: String
  public var kind: Product.Kind
  public var name: String
  /// Of the held edition.
  public var edition: IssueDate
  public var effectiveDate: Instant
  public var expirationDate: Instant
  /// The first rule that refused it; nil if it is only held back because of its parts.
  public var rule: String?
  /// The reason, for the user.
  public var message: String
  /// The refused products whose pixels or rows it contains; nil if it was refused itself.
  public var because: [String]?
  /// All errors of the rules; empty if it is only held back because of its parts.
  public var findings: [Finding]
  /// The hashes of its files for clients; nil for a mosaic that was not built. An edition with the same bytes is refused too, so it does
  /// not stay published.
  public var sha256: [SHA256Hex]?
  /// The edition that stays published in its place; nil if no earlier edition is known.
  public var published: PublishedEdition?
  /// The rough outline of a chart, as a ring of longitudes and latitudes; nil for other products and for mosaics.
  public var outline: [[Double]]?

  /// A product that validation refused.
  init(_ product: Product, refusedFor errors: [Finding]) {
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

  /// A product that was not built, of the same edition as one of its parts.
  init(_ mosaic: SkippedMosaic, like part: Product, containing refused: [String]) {
    var product = part
    (product.id, product.name, product.cut) = (mosaic.id, mosaic.name, nil)
    self.init(product, containing: refused)
    sha256 = nil
  }

  private init(
    _ product: Product, rule: String?, message: String, because: [String]?, findings: [Finding]
  ) {
    (id, kind, name) = (product.id, product.kind, product.name)
    (edition, effectiveDate) = (product.edition, product.effectiveDate)
    expirationDate = product.expirationDate
    (self.rule, self.message, self.because, self.findings) = (rule, message, because, findings)
    sha256 = product.clientHashes
    outline = product.approximateOutline
  }
}

/// The edition of a product that stays published in place of a newer one that is held back or missing.
public struct PublishedEdition: Codable, Equatable, Sendable {
  /// The cycle for which it was built: `2611`. Its entry in `products` has this cycle.
  public var cycle: AiracCycle
  public var edition: IssueDate
  public var effectiveDate: Instant
  public var expirationDate: Instant

  init(_ product: Product) {
    (cycle, edition) = (product.cycle, product.edition)
    (effectiveDate, expirationDate) = (product.effectiveDate, product.expirationDate)
  }
}

/// The FAA's records that a database could not use unchanged: the most frequent kinds of problems, each with an example.
public struct ProblemDigest: Codable, Equatable, Sendable {
  /// By kind: `rowDropped`, `fieldDropped`, `unknownCode` …
  public var totals: [String: Int]
  /// The most severe kind first, within it the most frequent sort.
  public var sorts: [Sort]
  /// How many further sorts there are.
  public var sortsLeftOut: Int
  /// The result of each correction.
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
      first: ([.tableMissing] + RecordProblem.Kind.allCases).enumerated().map { ($1, $0) })
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
    self.init(
      kind: count.kind.rawValue, file: count.file, column: count.column, count: count.count,
      example: report.example(of: count))
  }
}

extension CycleEntry {
  /// The entry of a cycle whose manifest is stored in `file`.
  init(_ manifest: Manifest, in file: FileReference, published: Instant? = nil) {
    self.init(
      id: manifest.cycle, effective: manifest.effective, expires: manifest.expires, manifest: file,
      published: published)
    held = manifest.heldInCatalogue
  }
}

extension CycleProducts {
  init(_ manifest: Manifest) { self.init(own: manifest.products, kept: manifest.kept ?? []) }
}

/// A mosaic that was not built because validation refused one of its charts.
public struct SkippedMosaic: Sendable {
  public var id: String
  public var name: String
  /// The ids of its charts.
  public var parts: [String]
}
