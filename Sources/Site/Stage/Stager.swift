public import Core
public import Foundation
public import Pipeline
public import Validation

/// Puts the products of one cycle into a site: validated, under the hashes of their bytes, with a manifest and a
/// report, and named by the catalogue only when all of that stands.
public enum Stager {
  public typealias Validate = (_ request: ValidationRequest, _ progress: any ProgressReporter) throws
    -> ValidationReport

  /// - Parameter validate: the validation to ask; nil for the usual one.
  public static func stage(
    _ request: StageRequest, validate: Validate? = nil, progress: any ProgressReporter
  ) throws -> StagedSite {
    try stage(admit(request, validate: validate, progress: progress), progress: progress)
  }

  /// Decides what may be staged. Nothing of the site changes.
  ///
  /// - Throws: a refusal when nothing may, when an error belongs to no single product, and for any error when the request is
  ///   strict.
  public static func admit(
    _ request: StageRequest, validate: Validate? = nil, progress: any ProgressReporter
  ) throws -> StageAdmission {
    let site = SiteFolder(root: request.site)
    _ = try site.readCatalogue()  // that it cannot be read is better reported before the long part
    try checkKey(request.key, site: request.site)
    let build = try BuildScan(request.builds)
    let validator = Validator()
    let gate = StageGate(
      site: site, request: request, validate: validate ?? { try validator.validate($0, progress: $1) })
    let verdict = try gate.pass(build, progress: progress)
    let refusal = verdict.admitted.isEmpty ? gate.refusal(of: build, verdict.errors) : nil
    return StageAdmission(request: request, build: build, verdict: verdict, refusal: refusal)
  }

  /// Stages what was admitted, and reports what is held back.
  ///
  /// - Throws: a refusal when nothing was admitted.
  public static func stage(
    _ admission: StageAdmission, progress: any ProgressReporter
  ) throws -> StagedSite {
    if let refusal = admission.refusal { throw refusal }
    let site = SiteFolder(root: admission.request.site)
    return try site.withLock {
      var staging = Staging(site: site, admission, progress: progress)
      return try staging.run()
    }
  }

  /// How many bytes a staging would add to the site.
  public static func bytesToCopy(_ admission: StageAdmission) -> Int {
    let blobs = BlobStore(site: SiteFolder(root: admission.request.site))
    let files = admission.verdict.admitted.flatMap(\.product.files)
    return files.filter { !blobs.stands($0) }.map(\.bytes).reduce(0, +)
  }

  /// A new catalogue beside an old signature would be refused by every client.
  public static func checkKey(_ key: SigningKey?, site root: URL) throws {
    let site = SiteFolder(root: root)
    guard key == nil, FileManager.default.fileExists(atPath: site.signature.path) else { return }
    throw UserError(
      .badCall, operation: "staging into", path: site.root.path,
      reason: "its catalogue is signed, and there is no key to sign the new one with",
      suggestion:
        "Give --key FILE, or remove \(site.signature.lastPathComponent) to go on without signatures.")
  }
}

/// What is to be staged, and where.
public struct StageRequest: Sendable {
  /// Folders, which are searched, or single `.product.json`, `.mbtiles` or `.sqlite` files. All of one cycle.
  public var builds: [URL]
  public var site: URL
  /// Decides only which cycle the catalogue calls the current one.
  public var now: Instant
  /// The ids of products that should be there and could not be made.
  public var missing: [String]
  /// Why they could not, of those of which it is known.
  public var failures: [ProductFailure]
  /// Products that were not made because validation refused a chart that they would contain.
  public var unmade: [UnmadeProduct]
  /// What the run noticed of its sources.
  public var notes: [SourceNote]
  /// What may pass although a rule says no.
  public var accepted: [Acceptance]
  /// Whether one error in one product refuses all; otherwise only that product is held back.
  public var isStrict: Bool
  /// What the catalogue is signed with; nil for a site without signatures.
  public var key: SigningKey?
  /// Where the site will be to be had, for the links of its feed; nil for relative ones.
  public var siteURL: String?

  public init(
    builds: [URL], site: URL, now: Instant, missing: [String] = [], failures: [ProductFailure] = [],
    unmade: [UnmadeProduct] = [], notes: [SourceNote] = [], accepted: [Acceptance] = [],
    isStrict: Bool = false, key: SigningKey? = nil, siteURL: String? = nil
  ) {
    self.builds = builds
    self.site = site
    self.now = now
    self.missing = missing
    self.failures = failures
    self.unmade = unmade
    self.notes = notes
    self.accepted = accepted
    self.isStrict = isStrict
    self.key = key
    self.siteURL = siteURL
  }
}

/// A mosaic that was not made because validation refused one of its charts.
public struct UnmadeProduct: Sendable {
  public var id: String
  public var name: String
  /// The ids of the charts that it joins.
  public var parts: [String]

  public init(id: String, name: String, parts: [String]) {
    (self.id, self.name, self.parts) = (id, name, parts)
  }
}

/// What came of it.
public struct StagedSite: Equatable, Sendable {
  public var site: URL
  public var cycle: String
  /// How many products the site has of this cycle now.
  public var products: Int
  /// Of their files.
  public var bytes: Int
  /// What this staging held back, by id.
  public var held: [HeldProduct]
  public var catalogue: URL
  public var report: URL
}

/// What validation admitted to a site, and what it holds back.
public struct StageAdmission {
  let request: StageRequest
  let build: BuildScan
  let verdict: StageGate.Verdict
  /// For an admission of nothing.
  let refusal: UserError?

  /// What is held back now, by id.
  public var held: [HeldProduct] { verdict.held }

  /// The products that validation refused themselves, by id.
  public var refused: [String] { held.filter { $0.because == nil }.map(\.id) }

  /// The reason why a product is held back, and what to do.
  ///
  /// - Parameter held: with the edition that stays published.
  func fault(of held: HeldProduct) -> UserError {
    let stays =
      held.published.map { "Its edition of \($0.edition), built for cycle \($0.cycle), stays published." }
      ?? "There is no earlier edition, so nothing is published of it."
    return UserError(
      .refused, operation: "staging", path: held.id,
      reason: "held back: \(held.rule.map { "\($0): " } ?? "")\(held.message)",
      suggestion: "\(stays)\n  \(nextStep(held))")
  }

  private func nextStep(_ held: HeldProduct) -> String {
    let built = build.products.first { $0.product.id == held.id }
    guard let rule = held.rule else {
      return built?.product.cut == nil
        ? "It can go out when those can."
        : "`chartpipe run` completes its edges without them, so that it can go out."
    }
    return "Look closer with: chartpipe validate \(built?.description.path ?? held.id) --html report.html\n"
      + "  Where the rule is right and the product is too: --accept \(rule):REASON."
  }
}
