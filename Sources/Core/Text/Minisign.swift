internal import Foundation

/// A publisher's public key in minisign's format.
public struct PublicKey: Hashable, Sendable {
  /// The eight bytes by which a signature names its key.
  public let id: [UInt8]
  /// The 32 bytes of the Ed25519 key.
  public let bytes: [UInt8]

  public init(id: [UInt8], bytes: [UInt8]) { (self.id, self.bytes) = (id, bytes) }

  /// Parses a `.pub` file of two lines, or its second line alone. Returns nil for a text in another format.
  public init?(minisign text: String) {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
    let line = lines.last { !$0.isEmpty && !$0.hasPrefix("untrusted comment:") }
    guard let all = line.flatMap({ Data(base64Encoded: $0) }).map(Array.init), all.count == 2 + 8 + 32,
      all.starts(with: Signature.Algorithm.legacy.rawValue.utf8)
    else { return nil }
    self.init(id: Array(all[2..<10]), bytes: Array(all[10...]))
  }

  /// The second line of the `.pub` file: `RWQ…`
  public var line: String {
    Data(Signature.Algorithm.legacy.rawValue.utf8 + id + bytes).base64EncodedString()
  }

  /// The file for `minisign -p`.
  public var text: String { "untrusted comment: minisign public key \(name)\n\(line)\n" }

  /// The identifier as minisign prints it.
  public var name: String { Signature.keyName(id) }
}

/// A detached signature in minisign's format, and another over that signature and a comment.
public struct Signature: Equatable, Sendable {
  public enum Algorithm: String, Sendable {
    /// Ed25519 over the file.
    case legacy = "Ed"
    /// Ed25519 over the BLAKE2b-512 of the file.
    case prehashed = "ED"
  }

  /// Why a signature does not fit.
  public enum Refusal: Error, Equatable {
    /// It was made with another key. The values are identifiers of keys.
    case otherKey(has: String, needs: String)
    case wrong
    case wrongComment
  }

  /// No signature covers this comment.
  private var untrusted = "signature of a Chartpipe catalogue"
  public private(set) var algorithm = Algorithm.prehashed
  public let keyID: [UInt8]
  public let bytes: [UInt8]
  /// Signed, too.
  public let trustedComment: String
  public let commentSignature: [UInt8]

  private static let untrustedStart = "untrusted comment: "
  private static let trustedStart = "trusted comment: "
  /// As in minisign.
  private static let longestUntrusted = 1024

  public init(keyID: [UInt8], bytes: [UInt8], trustedComment: String, commentSignature: [UInt8]) {
    (self.keyID, self.bytes) = (keyID, bytes)
    (self.trustedComment, self.commentSignature) = (trustedComment, commentSignature)
  }

  /// Parses a `.minisig` file. Returns nil for a text in another format.
  public init?(minisign text: String) {
    let lines = text.replacing("\r\n", with: "\n").split(separator: "\n")
    guard lines.count == 4, lines[0].hasPrefix(Signature.untrustedStart),
      lines[0].utf8.count <= Signature.longestUntrusted, lines[2].hasPrefix(Signature.trustedStart),
      let first = Data(base64Encoded: String(lines[1])).map(Array.init), first.count == 2 + 8 + 64,
      let second = Data(base64Encoded: String(lines[3])).map(Array.init), second.count == 64,
      let algorithm = Algorithm(rawValue: String(decoding: first[..<2], as: UTF8.self))
    else { return nil }
    self.init(
      keyID: Array(first[2..<10]), bytes: Array(first[10...]),
      trustedComment: String(lines[2].dropFirst(Signature.trustedStart.count)), commentSignature: second)
    self.algorithm = algorithm
    untrusted = String(lines[0].dropFirst(Signature.untrustedStart.count))
  }

  /// The file, as minisign writes it. One with anything else, such as more lines, was changed.
  public var text: String {
    """
    \(Signature.untrustedStart)\(untrusted)
    \(Data(algorithm.rawValue.utf8 + keyID + bytes).base64EncodedString())
    \(Signature.trustedStart)\(trustedComment)
    \(Data(commentSignature).base64EncodedString())

    """
  }

  /// The identifier of its key, as minisign prints it.
  public var keyName: String { Signature.keyName(keyID) }

  /// minisign prints an identifier as a little-endian number.
  fileprivate static func keyName(_ id: [UInt8]) -> String { hex(id.reversed()).uppercased() }

  /// Throws a ``Refusal`` unless the key signed both the file and the trusted comment.
  ///
  /// - Parameters:
  ///   - hash: Returns the BLAKE2b-512 of bytes.
  ///   - isValid: Whether an Ed25519 signature of a message was made with a key.
  public func verify(
    _ file: [UInt8], by key: PublicKey, hash: ([UInt8]) throws -> [UInt8],
    isValid: (_ signature: [UInt8], _ message: [UInt8], _ key: [UInt8]) throws -> Bool
  ) throws {
    guard keyID == key.id else { throw Refusal.otherKey(has: keyName, needs: key.name) }
    let signed = algorithm == .legacy ? file : try hash(file)
    guard try isValid(bytes, signed, key.bytes) else { throw Refusal.wrong }
    guard try isValid(commentSignature, bytes + Array(trustedComment.utf8), key.bytes) else {
      throw Refusal.wrongComment
    }
  }
}
