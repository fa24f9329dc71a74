internal import Core
public import Foundation

/// A publisher's public key in minisign's format.
public struct PublicKey: Hashable, Sendable {
  /// The eight bytes by which a signature names its key.
  let id: [UInt8]
  /// The 32 bytes of the Ed25519 key.
  let bytes: [UInt8]

  /// Parses a `.pub` file of two lines, or its second line alone: `RWQ…`
  public init(_ text: String) throws(ChartpipeError) {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
    let line = lines.last { !$0.isEmpty && !$0.hasPrefix(untrustedStart) }
    guard let all = line.flatMap({ Data(base64Encoded: $0) }).map(Array.init), all.count == 42,
      all.starts(with: Signature.Algorithm.legacy.rawValue.utf8)
    else {
      throw ChartpipeError(
        .invalid, "reading the public key", "it is not a public key in minisign's format",
        "Use the line that starts with RW of the publisher's .pub file")
    }
    id = Array(all[2..<10])
    bytes = Array(all[10...])
  }

  /// The identifier as minisign prints it.
  public var name: String { keyName(id) }
}

/// A detached signature in minisign's format.
///
/// ```swift
/// let signature = try Signature(text, path: "catalog.json.minisig")
/// try signature.verify(data, by: PublicKey("RWRKjMfeSoqHb…"), path: "catalog.json")
/// ```
public struct Signature: Sendable {
  public enum Algorithm: String, Sendable {
    /// Ed25519 over the file.
    case legacy = "Ed"
    /// Ed25519 over the BLAKE2b-512 of the file.
    case prehashed = "ED"
  }

  public let algorithm: Algorithm
  let keyID: [UInt8]
  private let signature: [UInt8]
  /// Signed, too.
  public let trustedComment: String
  private let commentSignature: [UInt8]

  /// Parses a `.minisig` file.
  ///
  /// - Parameter path: The file's name for errors.
  public init(_ text: String, path: String) throws(ChartpipeError) {
    let lines = text.replacing("\r\n", with: "\n").split(separator: "\n")
    guard lines.count == 4, lines[0].hasPrefix(untrustedStart), lines[2].hasPrefix(trustedStart),
      let first = Data(base64Encoded: String(lines[1])).map(Array.init), first.count == 74,
      let second = Data(base64Encoded: String(lines[3])).map(Array.init), second.count == 64,
      let algorithm = Algorithm(rawValue: String(decoding: first[..<2], as: UTF8.self))
    else { throw refusal(path, "the file is not a signature in minisign's format") }
    self.algorithm = algorithm
    keyID = Array(first[2..<10])
    signature = Array(first[10...])
    trustedComment = String(lines[2].dropFirst(trustedStart.count))
    commentSignature = second
  }

  /// Throws a ``ChartpipeError`` unless the key signed both the file and the trusted comment.
  ///
  /// - Parameter path: The file's name for errors.
  public func verify(_ file: Data, by key: PublicKey, path: String) throws {
    guard keyID == key.id else {
      throw refusal(path, "the signature is of the key \(keyName(keyID)), not of \(key.name)")
    }
    let signed =
      switch algorithm {
      case .legacy: Array(file)
      case .prehashed: Blake2b.hash(Array(file))
      }
    guard try Ed25519.isValid(signature, of: signed, key: key.bytes) else {
      throw refusal(path, "the signature does not match the file")
    }
    guard
      try Ed25519.isValid(commentSignature, of: signature + Array(trustedComment.utf8), key: key.bytes)
    else { throw refusal(path, "the trusted comment of the signature was changed") }
  }
}

private let untrustedStart = "untrusted comment:"
private let trustedStart = "trusted comment: "

private func refusal(_ path: String, _ reason: String) -> ChartpipeError {
  ChartpipeError(
    .signature, "verifying the signature of \(path)", reason,
    "Do not trust the file; keep the one that you have")
}

/// minisign prints an identifier as a little-endian number.
private func keyName(_ id: [UInt8]) -> String { hex(id.reversed()).uppercased() }
