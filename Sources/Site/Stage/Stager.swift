internal import Core
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
