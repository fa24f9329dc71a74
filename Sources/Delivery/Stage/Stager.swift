internal import Foundation
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
}
