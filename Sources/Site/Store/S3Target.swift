internal import Core
internal import Foundation

/// The address of a site in an S3 bucket. It contains no secret.
struct S3Target: Equatable, Sendable {
  let bucket: String
  /// Without slashes at its ends; empty for the whole bucket.
  let prefix: String
  let region: String
  /// Such as `https://s3.example.org`; nil for Amazon S3.
  let endpoint: String?

  static let scheme = "s3://"
  private static let operation = "reading the target"

  /// - Parameters:
  ///   - text: `s3://bucket` or `s3://bucket/prefix`.
  ///   - endpoint: takes precedence over the one of the environment.
  init(_ text: String, endpoint: String? = nil, environment: [String: String]) throws(UserError) {
    func variable(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    let parts = text.dropFirst(S3Target.scheme.count).split(
      separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard text.hasPrefix(S3Target.scheme), let bucket = parts.first, S3Target.isBucket(bucket) else {
      throw S3Target.invalid(text, "it does not name a bucket", "Write s3://bucket or s3://bucket/prefix.")
    }
    self.bucket = String(bucket)
    prefix = try S3Target.prefix(parts.dropFirst().first ?? "", of: text)
    let address = endpoint ?? variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
    self.endpoint = try address.map { address throws(UserError) in
      try S3Target.endpoint(address, bucket: String(bucket))
    }
    let isCloudflare = self.endpoint?.hasSuffix(".r2.cloudflarestorage.com") ?? false
    let region = variable("AWS_REGION", "AWS_DEFAULT_REGION") ?? (isCloudflare ? "auto" : "us-east-1")
    guard region.utf8.allSatisfy({ isLowerOrDigit($0) || $0 == UInt8(ascii: "-") }) else {
      throw S3Target.invalid("$AWS_REGION", "it is not a region", "Write it like us-east-1.")
    }
    self.region = region
  }

  /// For messages.
  var name: String { S3Target.scheme + bucket + (prefix.isEmpty ? "" : "/" + prefix) }

  /// The prefix of all keys.
  var root: String { prefix.isEmpty ? "" : prefix + "/" }

  /// - Parameters:
  ///   - key: nil for the bucket itself.
  ///   - query: in any order; the URL has it sorted by name, as signatures need.
  func url(_ key: String?, query: [(name: String, value: String)] = []) -> String {
    let path = key.map { percentEncoded(root + $0, keeping: "/") } ?? ""
    let pairs = query.sorted { $0.name < $1.name }
      .map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }
    return base + "/" + path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
  }

  private var base: String {
    if let endpoint { return "\(endpoint)/\(bucket)" }
    let host = "s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
    // Amazon's certificate covers one label before its domain, so a bucket with dots goes into the path.
    return bucket.contains(".") ? "https://\(host)/\(bucket)" : "https://\(bucket).\(host)"
  }

  // MARK: - Parsing

  private static func isBucket(_ name: Substring) -> Bool {
    (3...63).contains(name.utf8.count) && name.first != "." && name.last != "."
      && name.utf8.allSatisfy { isLowerOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
  }

  private static func prefix(_ text: Substring, of target: String) throws(UserError) -> String {
    let prefix = text.hasSuffix("/") ? text.dropLast() : text
    if prefix.isEmpty { return "" }
    guard prefix.isPlainPath, prefix.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) else {
      throw invalid(target, "its prefix has an empty step, . or ..", "Write it as s3://bucket/charts/vfr.")
    }
    return String(prefix)
  }

  /// An error does not repeat the text, since it may contain a password.
  private static func endpoint(_ text: String, bucket: String) throws(UserError) -> String {
    let place = "the endpoint"
    guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty, parts.user == nil,
      parts.password == nil, parts.query == nil, parts.fragment == nil
    else {
      throw invalid(
        place, "it is not the plain address of a server",
        "Write it like https://s3.example.org, without a key.")
    }
    parts.scheme = scheme
    while parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath.removeLast() }
    if parts.path.split(separator: "/").last.map(String.init) == bucket {
      throw invalid(place, "it ends with the bucket", "Leave the bucket out: the target names it already.")
    }
    return parts.string ?? text
  }

  private static func invalid(_ subject: String, _ problem: String, _ remedy: String) -> UserError {
    UserError(.badCall, operation: operation, path: subject, reason: problem, suggestion: remedy)
  }
}

private func isLowerOrDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

/// Escapes everything but letters, digits and `-._~`, as signatures need.
private func percentEncoded(_ text: String, keeping more: String = "") -> String {
  let kept = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~\(more)")
  return text.addingPercentEncoding(withAllowedCharacters: kept) ?? text
}

/// The access keys of a publisher. They are never printed, not even as part of another value.
struct S3Keys: Sendable {
  let id: String
  let secret: String
  /// Of temporary keys.
  let session: String?

  static let variables = (
    id: "AWS_ACCESS_KEY_ID", secret: "AWS_SECRET_ACCESS_KEY", session: "AWS_SESSION_TOKEN"
  )

  /// Keys come from the environment only, since all users of a machine can read its command lines.
  init(environment: [String: String]) throws(UserError) {
    func value(_ name: String) throws(UserError) -> String? {
      // A secret that was read from a file often ends with a line break.
      let text = (environment[name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
      guard text.utf8.allSatisfy({ (33...126).contains($0) }) else {
        throw S3Keys.invalid("$\(name)", "contains blanks or non-ASCII characters")
      }
      return text.isEmpty ? nil : text
    }
    guard let id = try value(S3Keys.variables.id) else {
      throw S3Keys.invalid("$\(S3Keys.variables.id)", "is not set")
    }
    guard let secret = try value(S3Keys.variables.secret) else {
      throw S3Keys.invalid("$\(S3Keys.variables.secret)", "is not set")
    }
    self.id = id
    self.secret = secret
    session = try value(S3Keys.variables.session)
  }

  /// Removes the keys from a text: some stores repeat the request in a refusal.
  func redacted(_ text: String) -> String {
    [secret, session, id].compactMap(\.self).reduce(text) { $0.replacing($1, with: "…") }
  }

  private static func invalid(_ subject: String, _ problem: String) -> UserError {
    UserError(
      .badCall, operation: "looking for the keys of the store", path: subject, reason: problem,
      suggestion:
        "Set $\(variables.id) and $\(variables.secret), for temporary keys $\(variables.session) too.")
  }
}

extension S3Keys: CustomStringConvertible, CustomReflectable {
  var description: String { "keys of a store" }
  var customMirror: Swift.Mirror { Swift.Mirror(self, children: [:]) }
}
