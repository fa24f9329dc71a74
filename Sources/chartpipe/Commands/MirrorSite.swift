internal import Core
internal import Foundation

struct MirrorSite: Subcommand {
  static let spec = CommandSpec(
    name: "mirror", summary: "Copies and verifies a published site, to serve it from another place.",
    operands: OperandSpec(
      name: "SITE DIR",
      help:
        "the address or the folder of a site, and the folder of the mirror, which is created or updated",
      minimum: 2, maximum: 2, places: [.site, .path]),
    options: [
      SiteArguments.publicKey,
      OptionSpec("--check", "verify existing files again, and replace damaged ones"),
      OptionSpec("--keep-old", "keep files that neither the catalogue nor the previous one names"),
      SiteArguments.endpoint, SiteArguments.jobs, .json,
    ],
    examples: [
      (
        "chartpipe mirror https://charts.example.org/vfr /srv/charts --public-key chartpipe.key.pub",
        "copies missing files, then the catalogue"
      ),
      (
        "chartpipe verify /srv/charts --public-key chartpipe.key.pub",
        "verifies the mirror like any other site"
      ),
    ])

  private let source: String
  private let endpoint: String?
  private let folder: URL
  private let key: VerifyingKey?
  private let checks: Bool
  private let keepsOld: Bool
  private let jobs: Int

  init(_ arguments: ParsedArguments) throws {
    source = arguments.operands[0]
    endpoint = arguments.value(SiteArguments.endpoint.name)
    folder = RunSettings.folder(arguments.operands[1])
    key = try SiteArguments.key(arguments, command: Self.spec.name)
    checks = arguments.has("--check")
    keepsOld = arguments.has("--keep-old")
    jobs = try SiteArguments.jobs(arguments, command: Self.spec.name)
    _ = try SiteArguments.site(source, endpoint: endpoint, command: Self.spec.name)
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    let site = try SiteArguments.site(source, endpoint: endpoint, command: Self.spec.name)
    let mirror = SiteMirror(
      source: site, folder: folder, verifier: key, jobs: jobs, checks: checks, keepsOld: keepsOld,
      now: SystemClock.now)
    let outcome = try mirror.run(progress: console.progress)
    try console.result(outcome, text: outcome.text)
    if !outcome.isProved {
      console.note("The signature was not verified: give the publisher's key with --public-key.")
    }
    return nil
  }
}

extension SiteMirror.Outcome {
  fileprivate var text: String {
    let held = cycles.isEmpty ? "no cycle" : "cycle \(cycles.joined(separator: ", "))"
    return """
      The mirror is complete: \(Counts.of(files, "file")), \(Counts.bytes(bytes)), serial \(serial), \(held).
        copied   \(Counts.of(copied, "file")), \(Counts.bytes(copiedBytes))
        removed  \(Counts.of(removed, "file"))
        folder   \(folder)

      """
  }
}
