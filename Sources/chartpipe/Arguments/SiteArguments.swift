import Core
import Foundation
import Pipeline
import Site

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
    throw ParsedArguments.fault(
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
      throw ParsedArguments.fault(
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
    throw ParsedArguments.fault(
      command, "\"\(text)\" is no address of a site",
      remedy: "It begins with https://, http:// or s3://, and has neither a password nor a question mark.")
  }
}
