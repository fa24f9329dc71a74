public import Foundation
public import Pipeline
public import Validation

/// Puts the products of one cycle into a site: validated, under the hashes of their bytes, with a manifest and a
/// report, and named by the catalogue only when all of that stands.
public enum Stager {
  /// - Parameter validate: what is asked whether a product may be published. Nothing of the site changes when it finds
  ///   an error.
  public static func stage(
    _ request: StageRequest,
    validate: (_ request: ValidationRequest, _ progress: any ProgressReporter) throws -> ValidationReport = {
      try Validator().validate($0, progress: $1)
    },
    progress: any ProgressReporter
  ) throws -> StagedSite {
    let site = Site(root: request.site)
    _ = try site.readCatalogue()  // that it cannot be read is better told before the long part
    try checkKey(request.key, site: request.site)
    let build = try BuildScan(request.builds)
    return try withoutActuallyEscaping(validate) { validate in
      let gate = StageGate(site: site, accepted: request.accepted, validate: validate)
      let verdict = try gate.pass(build, progress: progress)
      return try site.withLock {
        var staging = Staging(site: site, build: build, progress: progress)
        return try staging.run(request, verdict)
      }
    }
  }

  /// How many bytes a staging would add to the site.
  public static func bytesToCopy(_ request: StageRequest) throws -> Int {
    let blobs = BlobStore(site: Site(root: request.site))
    let files = try BuildScan(request.builds).products.flatMap(\.product.files)
    return files.filter { !blobs.stands($0) }.map(\.bytes).reduce(0, +)
  }

  /// A new catalogue beside an old signature would be refused by every client.
  public static func checkKey(_ key: SigningKey?, site root: URL) throws {
    let site = Site(root: root)
    guard key == nil, FileManager.default.fileExists(atPath: site.signature.path) else { return }
    throw Fault(
      .badCall, doing: "staging into", subject: site.root.path,
      problem: "its catalogue is signed, and there is no key to sign the new one with",
      remedy: "Give --key FILE, or remove \(site.signature.lastPathComponent) to go on without signatures.")
  }
}
