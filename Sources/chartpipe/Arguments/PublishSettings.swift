import Core
import Foundation
import Pipeline
import Site

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What `publish` and `rollback` are asked in the same words.
struct PublishSettings: Sendable {
  static let options: [OptionSpec] = [
    OptionSpec("--keep-old", "remove nothing"),
    OptionSpec(
      "--take-over", "go ahead although another publisher holds the target: only when it is surely dead"),
    SigningSecret.option,
    SiteArguments.endpoint, SiteArguments.siteURL,
    OptionSpec("--jobs", value: "N", "how many files are sent at a time (default: 4)"),
    OptionSpec(
      "--lease", value: "S", "for how many seconds others wait if this one is killed (default: 300)"),
    .json,
  ]

  let target: PublishTarget
  var terms: PublishTerms

  init(_ arguments: ParsedArguments, target place: String, command: String) throws {
    target = try PublishSettings.target(place, arguments, command: command)
    terms = try PublishSettings.terms(arguments, command: command)
  }

  func knock() throws { try Publisher.knock(at: target, terms) }

  func publish(
    _ site: URL, isReplacing: Bool = false, progress: any ProgressReporter
  ) throws -> PublishReport {
    try Publisher.publish(site, to: target, isReplacing: isReplacing, terms, progress: progress)
  }

  private static let shortestLease = 5

  /// `build-7, process 4711`
  private static var holder: String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let host = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return "\(host), process \(ProcessInfo.processInfo.processIdentifier)"
  }

  private static func target(
    _ text: String, _ arguments: ParsedArguments, command: String
  ) throws -> PublishTarget {
    let endpoint = arguments.value(SiteArguments.endpoint.name)
    let store = try PublishTarget(
      address: text, endpoint: endpoint, environment: ProcessInfo.processInfo.environment)
    if let store { return store }
    guard !text.contains("://"), endpoint == nil else {
      throw ParsedArguments.fault(
        command, "TARGET is a folder or s3://bucket/prefix, and --endpoint is for the latter")
    }
    let folder = RunSettings.folder(text)
    guard folder.kindOnDisk != .file else {
      throw UserError(
        .badCall, operation: "publishing to", path: folder.path, reason: "it is a file",
        suggestion: "Name a folder; it is made when there is none.")
    }
    return PublishTarget(folder: folder)
  }

  private static func terms(_ arguments: ParsedArguments, command: String) throws -> PublishTerms {
    let clock = PublishClock(now: { SystemClock.now })
    var terms = PublishTerms(holder: holder, clock: clock)
    terms.key = try SigningSecret.key(arguments)
    terms.siteURL = try SiteArguments.siteURL(arguments, command: command)
    terms.keepsOld = arguments.has("--keep-old")
    terms.checks = arguments.has("--check")
    terms.takesOver = arguments.has("--take-over")
    terms.isDryRun = arguments.has("--dry-run")
    if let jobs = try arguments.count("--jobs", command: command) { terms.jobs = jobs }
    if let seconds = try arguments.count("--lease", command: command) {
      guard seconds >= shortestLease else {
        throw ParsedArguments.fault(command, "--lease takes at least \(shortestLease) seconds")
      }
      terms.leaseSeconds = seconds
    }
    return terms
  }
}

extension OptionSpec {
  static let dryRun = OptionSpec("--dry-run", "only say what would be sent and removed")
}

extension Console {
  func show(_ report: PublishReport) throws {
    if json {
      try result(json: report)
    } else {
      try result(report.text)
    }
  }

  func warn(of report: PublishReport) {
    for message in report.warnings { progress.report(.warning(step: "publish", message: message)) }
  }
}
