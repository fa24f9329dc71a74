internal import Core
internal import Foundation
internal import Pipeline

/// A place in a store that speaks S3, and how it is reached. It holds no secret.
struct S3Target: Equatable, Sendable {
  let bucket: String
  /// Without slashes at its ends; empty for the whole bucket.
  let prefix: String
  let region: String
  /// Such as `https://s3.example.org`; nil for Amazon's own.
  let endpoint: String?

  static let scheme = "s3://"
  private static let doing = "reading the target"

  /// - Parameters:
  ///   - text: `s3://bucket` or `s3://bucket/prefix`.
  ///   - endpoint: goes before that of the environment.
  init(_ text: String, endpoint: String? = nil, environment: [String: String]) throws(UserError) {
    func variable(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    let parts = text.dropFirst(S3Target.scheme.count).split(
      separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard text.hasPrefix(S3Target.scheme), let bucket = parts.first, S3Target.isBucket(bucket) else {
      throw S3Target.trouble(text, "this names no bucket", "Write s3://bucket or s3://bucket/prefix.")
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
      throw S3Target.trouble("$AWS_REGION", "this is no region", "Write it as us-east-1.")
    }
    self.region = region
  }

  /// As people call it.
  var name: String { S3Target.scheme + bucket + (prefix.isEmpty ? "" : "/" + prefix) }

  /// What all keys of this place begin with.
  var root: String { prefix.isEmpty ? "" : prefix + "/" }

  /// - Parameters:
  ///   - key: nil for the bucket itself.
  ///   - query: in any order; it is signed in that of its names.
  func url(_ key: String?, query: [(name: String, value: String)] = []) -> String {
    let path = key.map { percentEncoded(root + $0, keepsSlashes: true) } ?? ""
    let pairs = query.sorted { $0.name < $1.name }
      .map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }
    return base + "/" + path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
  }

  private var base: String {
    if let endpoint { return "\(endpoint)/\(bucket)" }
    let host = "s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
    // Amazon's certificate holds for one name before its own, so a bucket with dots goes into the path.
    return bucket.contains(".") ? "https://\(host)/\(bucket)" : "https://\(bucket).\(host)"
  }

  // MARK: - What may be written

  private static func isBucket(_ name: Substring) -> Bool {
    (3...63).contains(name.utf8.count) && name.first != "." && name.last != "."
      && name.utf8.allSatisfy { isLowerOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
  }

  private static func prefix(_ text: Substring, of target: String) throws(UserError) -> String {
    let prefix = text.hasSuffix("/") ? text.dropLast() : text
    if prefix.isEmpty { return "" }
    let steps = prefix.split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = steps.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    guard isPlain, prefix.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) else {
      throw trouble(target, "its prefix has an empty step, . or ..", "Write it as s3://bucket/charts/vfr.")
    }
    return String(prefix)
  }

  /// Nothing of a wrong one is told, since people write passwords into addresses.
  private static func endpoint(_ text: String, bucket: String) throws(UserError) -> String {
    let place = "the endpoint"
    guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty, parts.user == nil,
      parts.password == nil, parts.query == nil, parts.fragment == nil
    else {
      throw trouble(
        place, "this is no plain address of a server", "Write it as https://s3.example.org, without a key.")
    }
    parts.scheme = scheme
    while parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath.removeLast() }
    if parts.path.split(separator: "/").last.map(String.init) == bucket {
      throw trouble(place, "it ends with the bucket", "Give it without: the bucket is in the target already.")
    }
    return parts.string ?? text
  }

  private static func trouble(_ subject: String, _ problem: String, _ remedy: String) -> UserError {
    UserError(.badCall, operation: doing, path: subject, reason: problem, suggestion: remedy)
  }
}

private func isLowerOrDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

/// As signatures need it: all but letters, digits and `-._~` is written as a number.
private func percentEncoded(_ text: String, keepsSlashes: Bool = false) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var result: [UInt8] = []
  for byte in text.utf8 {
    let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    if isUpper || isLowerOrDigit(byte) || "-._~".utf8.contains(byte)
      || keepsSlashes && byte == UInt8(ascii: "/")
    {
      result.append(byte)
    } else {
      result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: result, as: UTF8.self)
}

/// Who publishes. It is never printed, neither by itself nor within something else.
struct S3Keys: Sendable {
  let id: String
  let secret: String
  /// For keys that hold for some hours.
  let session: String?

  static let variables = (
    id: "AWS_ACCESS_KEY_ID", secret: "AWS_SECRET_ACCESS_KEY", session: "AWS_SESSION_TOKEN"
  )

  /// From the environment alone: what stands on a command line, every user of the machine can read.
  init(environment: [String: String]) throws(UserError) {
    func value(_ name: String) throws(UserError) -> String? {
      // A secret that came through a file often ends with a line break.
      let text = (environment[name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
      guard text.utf8.allSatisfy({ (33...126).contains($0) }) else {
        throw S3Keys.trouble("$\(name)", "has blanks or odd characters in it")
      }
      return text.isEmpty ? nil : text
    }
    guard let id = try value(S3Keys.variables.id) else {
      throw S3Keys.trouble("$\(S3Keys.variables.id)", "is not set")
    }
    guard let secret = try value(S3Keys.variables.secret) else {
      throw S3Keys.trouble("$\(S3Keys.variables.secret)", "is not set")
    }
    self.id = id
    self.secret = secret
    session = try value(S3Keys.variables.session)
  }

  /// What others say, without what must stay here: some stores repeat the request that they refuse.
  func redacted(_ text: String) -> String {
    [secret, session, id].compactMap(\.self).reduce(text) { $0.replacing($1, with: "…") }
  }

  private static func trouble(_ subject: String, _ problem: String) -> UserError {
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
