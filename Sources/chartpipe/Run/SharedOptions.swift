internal import Core
internal import Foundation

/// The settings that `publish`, `rollback` and `run` share.
struct PublishSettings: Sendable {
  static let options: [OptionSpec] = [
    OptionSpec("--keep-old", "delete nothing"),
    takeOver, SigningSecret.option, validFor, newKey, adoptUnsigned,
    SiteArguments.endpoint, SiteArguments.siteURL,
    OptionSpec("--jobs", value: "N", "the number of parallel uploads (default: 4)"),
    OptionSpec(
      "--lease", value: "S",
      "the seconds for which other publishers wait if this one is killed (default: 300)"),
    .json,
  ]

  static let takeOver = OptionSpec(
    "--take-over",
    "publish although another publisher holds the lease of the target; only if that publisher has ended")
  private static let newKey = OptionSpec(
    "--new-key", value: "OLD.pub",
    "--key is a new key, and the published catalogue is signed with this one: a .pub file, or its second line"
  )
  private static let adoptUnsigned = OptionSpec(
    "--adopt-unsigned", "extend and sign a published catalogue that has no signature, and print what it lists"
  )
  static let validFor = OptionSpec(
    "--valid-for", value: "TIME",
    "how long the published catalogue is valid, such as 3d or 36h (default: until a week after the next data cycle that it does not list takes effect)"
  )

  let target: PublishTarget
  var terms: PublishOptions

  /// - Parameter key: signs the catalogue. It may come through a pipe, which can be read once.
  init(_ arguments: ParsedArguments, target place: String, key: SigningKey?, command: String) throws {
    target = try PublishSettings.target(place, arguments, command: command)
    terms = try PublishSettings.terms(arguments, key, command: command)
  }

  func preflight() throws { try Publisher.preflight(target, terms) }

  func publish(
    _ site: URL, isReplacing: Bool = false, progress: any ProgressReporter
  ) throws -> PublishReport {
    try Publisher.publish(site, to: target, isReplacing: isReplacing, terms, progress: progress)
  }

  private static let leaseSeconds = 5...1024

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
    guard endpoint == nil else {
      throw ParsedArguments.usageError(
        command, "--endpoint requires a target that begins with s3://, not \"\(text)\"")
    }
    let folder = RunSettings.folder(text)
    guard folder.kindOnDisk != .file else {
      throw UserError(
        .badCall, operation: "publishing to", path: folder.path, reason: "it is a file",
        suggestion: "Name a folder. It is created if it does not exist.")
    }
    return PublishTarget(folder: folder)
  }

  private static func terms(
    _ arguments: ParsedArguments, _ key: SigningKey?, command: String
  ) throws -> PublishOptions {
    let clock = PublishClock(now: { SystemClock.now })
    var terms = PublishOptions(holder: holder, clock: clock)
    terms.key = key
    terms.oldKey = try SiteArguments.key(arguments, newKey, command: command)
    terms.adoptsUnsigned = arguments.has(adoptUnsigned.name)
    if key == nil, terms.oldKey != nil || terms.adoptsUnsigned {
      throw ParsedArguments.usageError(command, "\(newKey.name) and \(adoptUnsigned.name) require --key")
    }
    terms.validSeconds = try arguments.duration(validFor.name, command: command)
    terms.siteURL = try SiteArguments.siteURL(arguments, command: command)
    terms.keepsOld = arguments.has("--keep-old")
    terms.checks = arguments.has("--check")
    terms.takesOver = arguments.has(takeOver.name)
    terms.isDryRun = arguments.has("--dry-run")
    if let jobs = try arguments.count("--jobs", command: command) { terms.jobs = jobs }
    if let seconds = try arguments.count("--lease", in: leaseSeconds, command: command) {
      terms.leaseSeconds = seconds
    }
    return terms
  }
}

extension OptionSpec {
  static let dryRun = OptionSpec("--dry-run", "only print what would be sent and deleted")
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

/// Reads the secret key for signatures from a file or from the environment.
enum SigningSecret {
  static let option = OptionSpec(
    "--key", value: "FILE",
    "sign the catalogue with this key from `chartpipe keygen` (default: $CHARTPIPE_KEY, if set)")

  /// Warns of a key file that others can use.
  static func checkMode(_ arguments: ParsedArguments, _ progress: any ProgressReporter) {
    guard let file = arguments.value(option.name).map({ URL(filePath: $0).resolvingSymlinksInPath() }),
      let facts = try? FileManager.default.attributesOfItem(atPath: file.path),
      facts[.type] as? FileAttributeType == .typeRegular, let mode = facts[.posixPermissions] as? Int,
      mode & 0o066 != 0
    else { return }
    progress.report(
      .warning(
        step: "key", message: "other users of this machine can use \(file.path): run chmod 600 on it"))
  }

  static var passphrase: String? { EnvironmentVariable.passphrase.value }

  /// Nil if no key is given, so nothing is signed.
  static func key(_ arguments: ParsedArguments) throws -> SigningKey? {
    if let path = arguments.value("--key") {
      return try key(KeyFile.text(path), from: path)
    }
    return try EnvironmentVariable.key.value.map { try key($0, from: "$CHARTPIPE_KEY") }
  }

  private static func key(_ text: String, from place: String) throws -> SigningKey {
    guard VerifyingKey(text) == nil else {
      throw UserError(
        .badCall, operation: "reading the key", path: place, reason: "it is the public key",
        suggestion: "Name the secret file of `chartpipe keygen`, the one without .pub.")
    }
    // libcrypto's message about a secret stays in the causes, which only --verbose prints.
    return try UserError.wrapping(
      "reading the key", place, "it is not an Ed25519 key in PEM, or the passphrase is wrong",
      kind: .badCall, suggestion: "For an encrypted key, set $CHARTPIPE_PASSPHRASE."
    ) { try SigningKey(pem: text, passphrase: passphrase ?? "") }
  }
}

/// A file with a secret or public key.
enum KeyFile {
  static func text(_ path: String) throws -> String {
    let file = URL(filePath: path)
    guard file.kindOnDisk != .folder else { throw unreadable(path, "it is a folder") }
    do {
      // A secret may come through a pipe, which `Data(contentsOf:)` cannot read: --key <(gpg --decrypt key.gpg)
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
    } catch {
      throw unreadable(path, error.fileErrorReason, causes: [error])
    }
  }

  private static func unreadable(_ path: String, _ reason: String, causes: [any Error] = []) -> UserError {
    UserError(
      .badCall, operation: "reading the key", path: path, reason: reason,
      suggestion: "Name a file that `chartpipe keygen` wrote.", causes: causes)
  }
}

/// The arguments of commands that read a published site.
enum SiteArguments {
  static let publicKey = OptionSpec(
    "--public-key", value: "KEY",
    "verify that this key signed the catalogue: a .pub file, or its second line")
  static let jobs = OptionSpec("--jobs", value: "N", "the number of parallel downloads (default: 4)")
  static let siteURL = OptionSpec(
    "--site-url", value: "URL",
    "the public address of the site, for feed.xml and style.json (default: relative links)")

  static func key(
    _ arguments: ParsedArguments, _ option: OptionSpec = publicKey, command: String
  ) throws -> VerifyingKey? {
    guard let text = arguments.value(option.name) else { return nil }
    if let key = VerifyingKey(text) { return key }
    guard URL(filePath: text).kindOnDisk != nil else {
      throw ParsedArguments.usageError(
        command, "\(option.name): \"\(text)\" is neither a key nor an existing file",
        remedy: "Name the .pub file that `chartpipe keygen` or minisign wrote, or give its second line.")
    }
    let content = try KeyFile.text(text)
    if let key = VerifyingKey(content) { return key }
    guard !content.contains("PRIVATE KEY-----") else {
      throw UserError(
        .badCall, operation: "reading the public key", path: text, reason: "it is the secret key",
        suggestion: "Name the .pub file that `chartpipe keygen` wrote beside it.")
    }
    throw UserError(
      .badCall, operation: "reading the public key", path: text, reason: "it is not a public key",
      suggestion: "Name the .pub file that `chartpipe keygen` or minisign wrote.")
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
    "--endpoint", value: "URL", "the address of an S3-compatible store other than Amazon's")

  /// Whether the text is an address rather than the path of a folder.
  static func isAddress(_ text: String) -> Bool { text.contains("://") }

  /// Returns the site at a path or address.
  /// - Parameter mayBeMissing: whether a missing folder counts as an empty site.
  static func site(
    _ text: String, endpoint: String? = nil, command: String,
    mayBeMissing: Bool = false
  ) throws -> PublishedSite {
    let store = try PublishTarget(
      address: text, endpoint: endpoint, environment: ProcessInfo.processInfo.environment)
    if let store { return PublishedSite(store) }
    guard endpoint == nil else {
      throw ParsedArguments.usageError(
        command, "--endpoint requires a site that begins with s3://, not \"\(text)\"")
    }
    guard isAddress(text) else {
      let folder = RunSettings.folder(text)
      guard folder.kindOnDisk == .folder || mayBeMissing else {
        throw UserError(
          .badCall, operation: "reading the site", path: folder.path, reason: folder.missingFolderReason,
          suggestion: "Name the folder that `chartpipe stage` wrote, or the address of a site.")
      }
      return PublishedSite(folder: folder)
    }
    if let site = PublishedSite(address: text) { return site }
    throw ParsedArguments.usageError(
      command, "\"\(text)\" is not the address of a site",
      remedy: "An address begins with https://, http:// or s3:// and has no password and no query.")
  }
}

extension ParsedArguments {
  /// The work folder from `--work`.
  var workspace: Workspace { Workspace(RunSettings.folder(value(OptionSpec.work.name) ?? "work")) }

  private static let longestHours = 400 * 24

  /// Parses a time such as `3d` or `36h`, in seconds.
  func duration(_ option: String, command: String) throws -> Int? {
    guard let text = value(option) else { return nil }
    let unit = ["d": 24, "h": 1][text.suffix(1)]
    guard let unit, let number = Int(text.dropLast()),
      (1...ParsedArguments.longestHours / unit).contains(number)
    else {
      throw ParsedArguments.usageError(
        command, "\(option) takes days or hours such as 3d or 36h, not \"\(text)\"")
    }
    return number * unit * 3600
  }

  private static let units = ["KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12]

  /// Parses `--max-disk`, a size such as `500MB` or `1.5GB`, in powers of ten.
  func maxDisk(command: String) throws -> Int? {
    guard let text = value(OptionSpec.maxDisk.name) else { return nil }
    let digits = text.prefix { $0 == "." || $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).trimmingPrefix(" ").uppercased()
    guard let number = Double(digits), let factor = ParsedArguments.units[unit],
      (1...1e15).contains(number * factor)
    else {
      throw ParsedArguments.usageError(
        command, "\(OptionSpec.maxDisk.name) takes a size such as 500MB or 2GB, not \"\(text)\"")
    }
    return Int(number * factor)
  }
}
