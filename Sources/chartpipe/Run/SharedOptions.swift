internal import Core
internal import Foundation

extension OptionSpec {
  /// The options that `publish` and `rollback` share.
  static let publishing = [
    OptionSpec("--keep-old", "delete nothing"),
    key, validFor, newKey, adoptUnsigned,
    endpoint, siteURL,
    OptionSpec("--jobs", value: "N", "the number of parallel uploads (default: 4)"),
    json,
  ]

  fileprivate static let newKey = OptionSpec(
    "--new-key", value: "OLD.pub",
    "--key is a new key, and the published catalogue is signed with this one: a .pub file, or its second line"
  )
  fileprivate static let adoptUnsigned = OptionSpec(
    "--adopt-unsigned", "extend and sign a published catalogue that has no signature, and print what it lists"
  )
  static let validFor = OptionSpec(
    "--valid-for", value: "TIME",
    "how long the published catalogue is valid, such as 3d or 36h (default: until a week after the next data cycle that it does not list takes effect)"
  )
}

/// How to publish.
extension ParsedArguments {
  func publishTarget(_ text: String) throws -> PublishTarget {
    let target = try target(
      text, for: "publishing to", orElse: "Name a folder. It is created if it does not exist.")
    guard target.folder == nil || endpoint == nil else {
      throw usageError("--endpoint requires a target that begins with s3://, not \"\(text)\"")
    }
    return target
  }

  /// - Parameter key: signs the catalogue. It may come through a pipe, which can be read once.
  func publishOptions(key: SigningKey?) throws -> PublishOptions {
    var options = PublishOptions(clock: PublishClock(now: { SystemClock.now }))
    options.key = key
    options.oldKey = try publicKey(.newKey)
    options.adoptsUnsigned = has(OptionSpec.adoptUnsigned.name)
    if key == nil, options.oldKey != nil || options.adoptsUnsigned {
      throw usageError("\(OptionSpec.newKey.name) and \(OptionSpec.adoptUnsigned.name) require --key")
    }
    options.validSeconds = try duration(OptionSpec.validFor.name)
    options.siteURL = try siteURL()
    options.keepsOld = has("--keep-old")
    options.checks = has("--check")
    options.isDryRun = has("--dry-run")
    options.jobs = try count("--jobs") ?? options.jobs
    return options
  }
}

extension OptionSpec {
  static let dryRun = OptionSpec("--dry-run", "only print what would be sent and deleted")
  static let key = OptionSpec(
    "--key", value: "FILE",
    "sign the catalogue with this key from `chartpipe keygen` (default: its text in $CHARTPIPE_KEY, if set)")
  static let publicKey = OptionSpec(
    "--public-key", value: "KEY",
    "verify that this key signed the catalogue: a .pub file, or its second line")
  static let downloads = OptionSpec("--jobs", value: "N", "the number of parallel downloads (default: 4)")
  static let siteURL = OptionSpec(
    "--site-url", value: "URL",
    "the public address of the site, for feed.xml and style.json (default: relative links)")
  static let endpoint = OptionSpec(
    "--endpoint", value: "URL", "the address of an S3-compatible store other than Amazon's")
}

/// Keys.
extension ParsedArguments {
  /// Warns of a key file that others can use.
  func checkKeyMode(_ progress: any ProgressReporter) {
    guard let name = value(OptionSpec.key.name),
      let facts = try? FileManager.default.attributesOfItem(
        atPath: URL(filePath: name).resolvingSymlinksInPath().path),
      facts[.type] as? FileAttributeType == .typeRegular, let mode = facts[.posixPermissions] as? Int,
      mode & 0o066 != 0
    else { return }
    progress.warn("key", "other users of this machine can use \(name): run chmod 600 on it")
  }

  /// The secret key for signatures, from a file or from the environment. Nil if no key is given, so nothing is signed.
  func signingKey() throws -> SigningKey? {
    guard let path = value("--key") else {
      return try EnvironmentVariable.key.value.map { try signingKey($0, from: "in CHARTPIPE_KEY") }
    }
    return try signingKey(keyText(path), from: path)
  }

  private func signingKey(_ text: String, from place: String) throws -> SigningKey {
    guard PublicKey(minisign: text) == nil else {
      throw UserError(
        .badCall, operation: "reading the key", path: place, reason: "it is the public key",
        suggestion: "Name the secret file of `chartpipe keygen`, the one without .pub.")
    }
    // libcrypto's message about a secret stays in the causes, which only --verbose prints.
    return try UserError.wrapping(
      "reading the key", place, "it is not an Ed25519 key in PEM, or the passphrase is wrong",
      kind: .badCall,
      suggestion:
        "For an encrypted key, set $CHARTPIPE_PASSPHRASE. $CHARTPIPE_KEY holds the text of a key; --key takes its file."
    ) { try SigningKey(pem: text, passphrase: EnvironmentVariable.passphrase.value ?? "") }
  }

  /// The key that verifies signatures; nil without the option.
  func publicKey(_ option: OptionSpec = .publicKey) throws -> PublicKey? {
    guard let text = value(option.name) else { return nil }
    if let key = PublicKey(minisign: text) { return key }
    guard URL(filePath: text).kindOnDisk != nil else {
      throw usageError(
        "\(option.name): \"\(text)\" is neither a key nor an existing file",
        remedy: "Name the .pub file that `chartpipe keygen` or minisign wrote, or give its second line.")
    }
    let content = try keyText(text)
    if let key = PublicKey(minisign: content) { return key }
    let isSecret = content.contains("PRIVATE KEY-----")
    throw UserError(
      .badCall, operation: "reading the public key", path: text,
      reason: isSecret ? "it is the secret key" : "it is not a public key",
      suggestion: isSecret
        ? "Name the .pub file that `chartpipe keygen` wrote beside it."
        : "Name the .pub file that `chartpipe keygen` or minisign wrote.")
  }

  /// The text of a file with a secret or public key. A secret may come through a pipe, which `Data(contentsOf:)` cannot read:
  /// --key <(gpg --decrypt key.gpg)
  private func keyText(_ path: String) throws -> String {
    let file = URL(filePath: path)
    let isFolder = file.kindOnDisk == .folder
    return try UserError.wrapping(
      "reading the key", path, isFolder ? "it is a folder" : nil, kind: .badCall,
      suggestion: "Name a file that `chartpipe keygen` wrote."
    ) {
      if isFolder { throw CocoaError(.fileReadUnknown) }
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
    }
  }
}

/// Sites and places of publication.
extension ParsedArguments {
  var endpoint: String? { value(OptionSpec.endpoint.name) }

  /// The number of parallel downloads.
  func downloads() throws -> Int { try count(OptionSpec.downloads.name) ?? 4 }

  func siteURL() throws -> String? {
    try value(OptionSpec.siteURL.name, as: "an address such as https://charts.example.org/vfr") {
      PublishedSite(address: $0) == nil ? nil : $0
    }
  }

  /// The store at an `s3://` address; nil for any other text.
  private func store(_ text: String) throws -> PublishTarget? {
    try PublishTarget(address: text, endpoint: endpoint, environment: ProcessInfo.processInfo.environment)
  }

  /// A folder to write into, or a prefix in an S3 store.
  ///
  /// - Parameters:
  ///   - operation: for errors.
  ///   - suggestion: what to do if the folder is a file.
  func target(_ text: String, for operation: String, orElse suggestion: String) throws -> PublishTarget {
    if let store = try store(text) { return store }
    let folder = RunSettings.folder(text)
    guard folder.kindOnDisk != .file else {
      throw UserError(
        .badCall, operation: operation, path: folder.path, reason: "it is a file", suggestion: suggestion)
    }
    return PublishTarget(folder: folder)
  }

  /// Where parts are exchanged.
  func parts(_ text: String) throws -> PublishTarget {
    try target(text, for: "exchanging parts through", orElse: "Name a folder.")
  }

  /// Whether the text is an address rather than the path of a folder.
  static func isAddress(_ text: String) -> Bool { text.contains("://") }

  /// The site at a path or address.
  ///
  /// - Parameter mayBeMissing: whether a missing folder counts as an empty site.
  func site(_ text: String, mayBeMissing: Bool = false) throws -> PublishedSite {
    if let store = try store(text) { return PublishedSite(store) }
    guard endpoint == nil else {
      throw usageError("--endpoint requires a site that begins with s3://, not \"\(text)\"")
    }
    guard ParsedArguments.isAddress(text) else {
      let folder = RunSettings.folder(text)
      guard folder.kindOnDisk == .folder || mayBeMissing else {
        throw UserError(
          .badCall, operation: "reading the site", path: folder.path, reason: folder.missingFolderReason,
          suggestion: "Name the folder that `chartpipe stage` wrote, or the address of a site.")
      }
      return PublishedSite(folder: folder)
    }
    if let site = PublishedSite(address: text) { return site }
    throw usageError(
      "\"\(text)\" is not the address of a site",
      remedy: "An address begins with https://, http:// or s3:// and has no password and no query.")
  }
}

extension ParsedArguments {
  /// The work folder from `--work`.
  var workspace: Workspace { Workspace(RunSettings.folder(value(OptionSpec.work.name) ?? "work")) }

  /// The definitions: in the folder from `--pipelines`, or in ./pipelines, or in the installed folder.
  var library: PipelineLibrary {
    if let named = value(OptionSpec.pipelines.name) {
      return PipelineLibrary(folder: RunSettings.folder(named))
    }
    let here = RunSettings.folder("pipelines")
    // `/usr/local/share/chartpipe/pipelines` for `/usr/local/bin/chartpipe`.
    let installed = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "share/chartpipe/pipelines")
    let isInstalled = here.kindOnDisk != .folder && installed?.kindOnDisk == .folder
    return PipelineLibrary(folder: isInstalled ? installed ?? here : here)
  }

  private static let longestHours = 400 * 24

  /// Parses a time such as `3d` or `36h`, in seconds.
  func duration(_ option: String) throws -> Int? {
    try value(option, as: "days or hours such as 3d or 36h") { text in
      guard let unit = ["d": 24, "h": 1][text.suffix(1)], let number = Int(text.dropLast()),
        (1...ParsedArguments.longestHours / unit).contains(number)
      else { return nil }
      return number * unit * 3600
    }
  }

  /// Parses a time such as `5m`, in minutes.
  func minutes(_ option: String) throws -> Int? {
    try value(option, as: "minutes from 1m to 60m") { text in
      let number = text.hasSuffix("m") ? Int(text.dropLast()) : nil
      return number.flatMap { (1...60).contains($0) ? $0 : nil }
    }
  }

  private static let units = ["KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12]

  /// Parses `--max-disk`, a size such as `500MB` or `1.5GB`, in powers of ten.
  func maxDisk() throws -> Int? {
    try value(OptionSpec.maxDisk.name, as: "a size such as 500MB or 2GB") { text in
      let digits = text.prefix { $0 == "." || $0.isASCII && $0.isNumber }
      let unit = text.dropFirst(digits.count).trimmingPrefix(" ").uppercased()
      guard let number = Double(digits), let factor = ParsedArguments.units[unit],
        (1...1e15).contains(number * factor)
      else { return nil }
      return Int(number * factor)
    }
  }
}
