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

  func preflight() throws { try Publisher.knock(at: target, terms) }

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
      throw ParsedArguments.usageError(
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
        throw ParsedArguments.usageError(command, "--lease takes at least \(shortestLease) seconds")
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

/// Where a key to sign with comes from: a file that is named, or the environment, as CI keeps its secrets.
enum SigningSecret {
  static let option = OptionSpec(
    "--key", value: "FILE",
    "sign the catalogue with this key of `chartpipe keygen` (default: the text in $CHARTPIPE_KEY, if any)")

  static var passphrase: String? { EnvironmentVariable.passphrase.value }

  /// Nil when nothing is to be signed.
  static func key(_ arguments: ParsedArguments) throws -> SigningKey? {
    if let path = arguments.value("--key") {
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        throw UserError(
          .badCall, operation: "reading the key", path: path, reason: "the file cannot be read",
          suggestion: "Name the secret file of `chartpipe keygen`.")
      }
      return try key(text, from: path)
    }
    return try EnvironmentVariable.key.value.map { try key($0, from: "$CHARTPIPE_KEY") }
  }

  private static func key(_ text: String, from place: String) throws -> SigningKey {
    do {
      return try SigningKey(pem: text, passphrase: passphrase ?? "")
    } catch {
      // What libcrypto says of a secret stays among the causes, which are shown on request only.
      throw UserError(
        .badCall, operation: "reading the key", path: place,
        reason: "it is no Ed25519 key in PEM, or its passphrase is another",
        suggestion: "Set $CHARTPIPE_PASSPHRASE for a key that is encrypted.", causes: [error])
    }
  }
}

/// What commands take that read a site as its clients do.
enum SiteArguments {
  static let publicKey = OptionSpec(
    "--public-key", value: "KEY",
    "whose signature the catalogue must bear: a .pub file, or its second line")
  static let jobs = OptionSpec("--jobs", value: "N", "how many files at a time (default: 4)")
  static let siteURL = OptionSpec(
    "--site-url", value: "URL",
    "where the site will be to be had: the links of feed.xml begin with it (default: relative links)")

  static func key(_ arguments: ParsedArguments, command: String) throws -> VerifyingKey? {
    guard let text = arguments.value(publicKey.name) else { return nil }
    if let key = VerifyingKey((try? String(contentsOfFile: text, encoding: .utf8)) ?? text) { return key }
    throw ParsedArguments.usageError(
      command,
      "--public-key takes a file that minisign or `chartpipe keygen` wrote, or the key itself, not \"\(text)\""
    )
  }

  static func jobs(_ arguments: ParsedArguments, command: String) throws -> Int {
    try arguments.count(jobs.name, command: command) ?? 4
  }

  static func siteURL(_ arguments: ParsedArguments, command: String) throws -> String? {
    guard let text = arguments.value(siteURL.name) else { return nil }
    guard PublishedSite(address: text) != nil else {
      throw ParsedArguments.usageError(
        command, "--site-url takes an address such as https://charts.example.org/vfr, not \"\(text)\"")
    }
    return text
  }

  static let endpoint = OptionSpec(
    "--endpoint", value: "URL", "the address of a store that speaks S3 and is not Amazon's")

  /// Whether words name a place that is not a folder.
  static func isAddress(_ text: String) -> Bool { text.contains("://") }

  /// The site that an operand names.
  /// - Parameter mayBeMissing: whether a folder that is not there is a site with nothing in it.
  static func site(
    _ text: String, endpoint: String? = nil, command: String,
    mayBeMissing: Bool = false
  ) throws -> PublishedSite {
    let store = try PublishTarget(
      address: text, endpoint: endpoint, environment: ProcessInfo.processInfo.environment)
    if let store { return PublishedSite(store) }
    guard isAddress(text) else {
      let folder = RunSettings.folder(text)
      guard folder.kindOnDisk == .folder || mayBeMissing else {
        throw UserError(
          .badCall, operation: "looking at", path: folder.path, reason: "there is no such folder",
          suggestion: "Name the folder that `chartpipe stage` wrote, or the address of a site.")
      }
      return PublishedSite(folder: folder)
    }
    if let site = PublishedSite(address: text) { return site }
    throw ParsedArguments.usageError(
      command, "\"\(text)\" is no address of a site",
      remedy: "It begins with https://, http:// or s3://, and has neither a password nor a question mark.")
  }
}

/// How much of the machine a run may take.
struct RunLimits: Sendable {
  /// In bytes; nil for what there is.
  var disk: Int?
  var memory: Int?

  static let options: [OptionSpec] = [
    OptionSpec(
      "--max-memory", value: "SIZE",
      "how much memory it may take, such as 500MB or 2GB: so many workers as fit (default: all of --jobs)"),
    OptionSpec(
      "--max-disk", value: "SIZE",
      "how large the work folder may become: a step that would make it larger is not begun (default: as large as its disk)"
    ),
  ]

  init() {}

  init(_ arguments: ParsedArguments, command: String) throws {
    disk = try arguments.size("--max-disk", command: command)
    memory = try arguments.size("--max-memory", command: command)
  }
}

extension ParsedArguments {
  private static let units = ["KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12]

  /// `500MB`, `1.5GB`: in powers of ten, as sizes are told.
  func size(_ option: String, command: String) throws -> Int? {
    guard let text = value(option) else { return nil }
    let digits = text.prefix { $0 == "." || $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).trimmingPrefix(" ").uppercased()
    guard let number = Double(digits), let factor = ParsedArguments.units[unit],
      (1...1e15).contains(number * factor)
    else {
      throw ParsedArguments.usageError(
        command, "\(option) takes a size such as 500MB or 2GB, not \"\(text)\"")
    }
    return Int(number * factor)
  }
}
