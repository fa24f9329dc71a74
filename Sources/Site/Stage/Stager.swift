public import Core
public import Foundation

/// Stages the products of one cycle into a site: validates them, copies them as blobs, writes the manifest and the report, and
/// updates the catalogue last.
public enum Stager {
  public typealias Validate = (_ request: ValidationRequest, _ progress: any ProgressReporter) throws
    -> ValidationReport

  /// - Parameter validate: the validation to use; nil for `Validator`.
  public static func stage(
    _ request: StageRequest, validate: Validate? = nil, progress: any ProgressReporter
  ) throws -> StagedSite {
    try stage(admit(request, validate: validate, progress: progress), progress: progress)
  }

  /// Validates the products and decides which may be staged. It does not change the site.
  ///
  /// - Throws: when an error belongs to no single product, and for any error when the request is strict.
  public static func admit(
    _ request: StageRequest, validate: Validate? = nil, progress: any ProgressReporter
  ) throws -> StageAdmission {
    let site = SiteFolder(root: request.site)
    // An unreadable catalogue is reported before the long validation.
    if try site.readCatalogue() == nil {
      _ = try LostCatalogue.serial(in: FolderStore(root: request.site), operation: "staging into")
    }
    try checkKey(request.key, site: request.site)
    try checkApart(request)
    let validator = Validator(journal: request.journal)
    return try StageAdmission(
      request, validate: validate ?? { try validator.validate($0, progress: $1) }, progress: progress)
  }

  /// Stages the admitted products and reports those held back.
  ///
  /// - Throws: when no product was admitted.
  static func stage(_ admission: StageAdmission, progress: any ProgressReporter) throws -> StagedSite {
    if let refusal = admission.refusal { throw refusal }
    let site = SiteFolder(root: admission.request.site)
    return try site.withLock {
      var staging = Staging(site: site, admission, progress: progress)
      return try staging.run()
    }
  }

  /// Throws when a signed site would get an unsigned catalogue, or one with another key, which every client would refuse.
  public static func checkKey(_ key: SigningKey?, site root: URL) throws {
    let site = SiteFolder(root: root)
    guard let present = try? String(contentsOf: site.signature, encoding: .utf8) else { return }
    let (own, other) = (key?.verifier.name, Signature(minisign: present)?.keyName)
    guard own == nil || other != nil && own != other else { return }
    throw UserError(
      .badCall, operation: "staging into", path: site.root.path,
      reason: own.map { "its catalogue is signed with key \(other ?? ""), and the given key is \($0)" }
        ?? "its catalogue is signed, and there is no key to sign the new one with",
      suggestion:
        "Give its key with --key FILE, or remove \(site.signature.lastPathComponent) to go on without it.")
  }

  /// A site among the products of a build would count as a build.
  private static func checkApart(_ request: StageRequest) throws {
    for build in request.builds where build.kindOnDisk == .folder {
      if request.site.isWithin(build) {
        throw UserError(
          .badCall, operation: "staging into", path: request.site.path,
          reason: "it is the build \(build.path), or lies in it",
          suggestion: "Name a folder outside of the build, such as work/site.")
      }
      if SiteFolder(root: build).catalogue.kindOnDisk == .file {
        throw UserError(
          .badCall, operation: "staging", path: build.path, reason: "it is a staged site, not a build",
          suggestion: "Name a build folder, such as work/build/\(AiracCycle(at: request.now).identifier). "
            + "A site is published with `chartpipe publish`.")
      }
    }
  }
}

/// The products to stage, and the site.
public struct StageRequest: Sendable {
  /// Folders to search, or single `.product.json`, `.mbtiles` or `.sqlite` files, all of one cycle.
  public var builds: [URL]
  public var site: URL
  /// Decides only which cycle of the catalogue is the current one.
  public var now: Instant
  /// The ids of products that could not be built.
  public var missing: [String] = []
  /// The known reasons for missing products.
  public var failures: [ProductFailure] = []
  /// Mosaics that were not built because validation refused one of their charts.
  public var skipped: [SkippedMosaic] = []
  /// The run's notes about its sources.
  public var notes: [SourceNote] = []
  /// What is published of earlier cycles, to compare the new products with. The site may lack it.
  public var published: [Product] = []
  /// The rules whose errors are accepted.
  public var accepted: [Acceptance] = []
  /// Whether an error in one product refuses all products; otherwise only that product is held back.
  public var isStrict: Bool = false
  /// Signs the catalogue; nil for a site without signatures.
  public var key: SigningKey?
  /// The published address of the site, for the links of its feed; nil for relative links.
  public var siteURL: String?
  /// Where the results of validation and staging are kept, so that unchanged products cost nothing.
  public var journal: Journal = Journal()
  /// Whether the site shares the files of the builds where the disk allows it, in place of copies: the files of a work folder are
  /// replaced, but never changed in place.
  public var linksFiles: Bool = false
}

/// The result of staging, as `chartpipe stage --json` prints it. Files are paths.
public struct StagedSite: Codable, Equatable, Sendable {
  public var site: String
  public var cycle: AiracCycle
  /// The number of products of this cycle in the site.
  public var products: Int
  /// The size of their files.
  public var bytes: Int
  /// The products held back by this run, sorted by id.
  public var held: [HeldProduct]
  public var catalogue: String
  public var report: String
}
