internal import Core
internal import CryptoIO
internal import Foundation

/// The secret key of a publisher.
public struct SigningKey: Sendable {
  /// A handle of libcrypto is for one thread, and signing is rare, so the text is parsed for each signature.
  private let secret: String
  public let verifier: VerifyingKey

  private init(_ key: Ed25519PrivateKey) throws {
    secret = try key.pem()
    verifier = try VerifyingKey(key.publicKey)
  }

  public static func generate() throws -> SigningKey { try SigningKey(try Ed25519PrivateKey.generate()) }

  /// Parses the output of `pem`, or of `openssl genpkey -algorithm ed25519`.
  /// - Parameter passphrase: of an encrypted key.
  public init(pem: String, passphrase: String = "") throws {
    try self.init(try Ed25519PrivateKey(pem: pem, passphrase: passphrase))
  }

  /// - Parameter passphrase: encrypts the key; nil for an unencrypted key.
  public func pem(passphrase: String?) throws -> String {
    try Ed25519PrivateKey(pem: secret).pem(passphrase: passphrase)
  }

  /// Signs a file in minisign's format. The comment is signed, too, so it cannot be replaced.
  public func signature(of file: [UInt8], comment: String) throws -> MinisignSignature {
    let key = try Ed25519PrivateKey(pem: secret)
    let signature = try key.sign(try MinisignSignature.digest(of: file))
    return MinisignSignature(
      keyID: verifier.id, signature: signature, comment: comment,
      commentSignature: try key.sign(signature + Array(comment.utf8)))
  }
}

extension SigningKey {
  /// The path of a catalogue's signature under the hash of the catalogue's bytes.
  static func path(of catalogue: Data) throws -> String {
    PublishedCatalogue.signature(of: try SHA256Hex(of: Array(catalogue)))
  }

  /// Returns the signature file of a catalogue; the same for the same bytes.
  func signature(of catalogue: Catalog, _ data: Data) throws -> Data {
    let comment = "\(MinisignSignature.catalogueComment)\(catalogue.serial)"
    return Data(try signature(of: Array(data), comment: comment).text.utf8)
  }
}

extension MinisignSignature {
  fileprivate static let catalogueComment = "Chartpipe catalogue, serial "

  /// The serial in the comment; nil unless the key has signed a comment about a catalogue.
  func catalogueSerial(signedBy verifier: VerifyingKey) -> Int? {
    let isSigned = try? verifier.key.verifies(commentSignature, of: signature + Array(comment.utf8))
    guard isSigned == true, comment.hasPrefix(MinisignSignature.catalogueComment) else { return nil }
    return Int(comment.dropFirst(MinisignSignature.catalogueComment.count))
  }
}

/// A publisher's public key, in minisign's format.
public struct VerifyingKey: Hashable, Sendable {
  /// The eight bytes by which a signature names its key.
  let id: [UInt8]
  let key: Ed25519PublicKey

  private static let algorithm = Array("Ed".utf8)
  private static let idBytes = 8

  /// minisign uses a random identifier. One that follows from the key need not be stored with the secret.
  init(_ key: Ed25519PublicKey) throws(CryptoError) {
    self.key = key
    id = Array(try MinisignSignature.digest(of: key.bytes).prefix(VerifyingKey.idBytes))
  }

  /// Parses a `.pub` file of two lines, or its second line alone.
  public init?(_ text: String) {
    let line = text.split(whereSeparator: \.isNewline).last { !$0.hasPrefix("untrusted comment:") }
    let trimmed = line.map { $0.trimmingCharacters(in: .whitespaces) }
    guard let bytes = trimmed.flatMap({ Data(base64Encoded: $0) }).map({ [UInt8]($0) }),
      bytes.starts(with: VerifyingKey.algorithm),
      let key = Ed25519PublicKey(bytes: Array(bytes.dropFirst(2 + VerifyingKey.idBytes)))
    else { return nil }
    id = Array(bytes.dropFirst(2).prefix(VerifyingKey.idBytes))
    self.key = key
  }

  /// The second line of the `.pub` file: `RWQ…`
  public var line: String { Data(VerifyingKey.algorithm + id + key.bytes).base64EncodedString() }

  /// The file for `minisign -p`.
  public var text: String { "untrusted comment: minisign public key \(name)\n\(line)\n" }

  /// The identifier as minisign prints it: a little-endian number.
  public var name: String { hex(id.reversed()).uppercased() }
}

/// A detached signature in minisign's format: Ed25519 over the BLAKE2b of the file, or over the file itself (`minisign -S -l`), and
/// another over that signature and a comment.
public struct MinisignSignature: Equatable, Sendable {
  /// No signature covers this comment.
  private var untrusted = "signature of a Chartpipe catalogue"
  private var algorithm = MinisignSignature.prehashed
  let keyID: [UInt8]
  let signature: [UInt8]
  /// Signed, too.
  public let comment: String
  let commentSignature: [UInt8]

  private static let prehashed = Array("ED".utf8)
  private static let legacy = Array("Ed".utf8)
  private static let trustedStart = "trusted comment: "
  private static let untrustedStart = "untrusted comment: "
  /// As in minisign.
  private static let longestUntrusted = 1024

  static func digest(of file: [UInt8]) throws(CryptoError) -> [UInt8] {
    let digest = try Digest(.blake2b512)
    try digest.update(file)
    return try digest.finish()
  }

  init(keyID: [UInt8], signature: [UInt8], comment: String, commentSignature: [UInt8]) {
    (self.keyID, self.signature, self.comment) = (keyID, signature, comment)
    self.commentSignature = commentSignature
  }

  /// Returns nil for a text in another format.
  public init?(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
      .map { $0.hasSuffix("\r") ? $0.dropLast() : $0 }
    guard lines.count == 4, lines[0].hasPrefix(MinisignSignature.untrustedStart),
      lines[0].utf8.count <= MinisignSignature.longestUntrusted,
      lines[2].hasPrefix(MinisignSignature.trustedStart),
      let first = Data(base64Encoded: String(lines[1])), first.count == 2 + 8 + 64,
      [MinisignSignature.prehashed, MinisignSignature.legacy].contains(Array(first.prefix(2))),
      let second = Data(base64Encoded: String(lines[3])), second.count == 64
    else { return nil }
    self.init(
      keyID: Array(first.dropFirst(2).prefix(8)), signature: Array(first.suffix(64)),
      comment: String(lines[2].dropFirst(MinisignSignature.trustedStart.count)),
      commentSignature: Array(second))
    algorithm = Array(first.prefix(2))
    untrusted = String(lines[0].dropFirst(MinisignSignature.untrustedStart.count))
  }

  /// The identifier of its key, as minisign prints it.
  public var keyName: String { hex(keyID.reversed()).uppercased() }

  /// The file, as minisign writes it. One with anything else, such as more lines, was changed.
  public var text: String {
    """
    \(MinisignSignature.untrustedStart)\(untrusted)
    \(Data(algorithm + keyID + signature).base64EncodedString())
    \(MinisignSignature.trustedStart)\(comment)
    \(Data(commentSignature).base64EncodedString())

    """
  }

  public enum Refusal: Error, Equatable {
    /// It was made with another key. The values are identifiers of keys.
    case otherKey(has: String, needs: String)
    case wrong
    case wrongComment
  }

  /// Throws a `Refusal` if it does not fit.
  public func verify(_ file: [UInt8], by verifier: VerifyingKey) throws {
    guard keyID == verifier.id else {
      throw Refusal.otherKey(has: keyName, needs: verifier.name)
    }
    let signed = algorithm == MinisignSignature.legacy ? file : try MinisignSignature.digest(of: file)
    guard try verifier.key.verifies(signature, of: signed) else {
      throw Refusal.wrong
    }
    guard try verifier.key.verifies(commentSignature, of: signature + Array(comment.utf8)) else {
      throw Refusal.wrongComment
    }
  }
}
