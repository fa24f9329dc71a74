public import Core
internal import CryptoIO
internal import Foundation

/// The secret key of a publisher.
public struct SigningKey: Sendable {
  /// A handle of libcrypto is for one thread, and signing is rare, so the text is parsed for each signature.
  private let secret: String
  public let verifier: PublicKey

  private init(_ key: Ed25519PrivateKey) throws {
    secret = try key.pem()
    verifier = try PublicKey(key.publicKey)
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
  public func signature(of file: [UInt8], comment: String) throws -> Signature {
    let key = try Ed25519PrivateKey(pem: secret)
    let bytes = try key.sign(try Signature.hash(file))
    return Signature(
      keyID: verifier.id, bytes: bytes, trustedComment: comment,
      commentSignature: try key.sign(bytes + Array(comment.utf8)))
  }
}

extension SigningKey {
  /// The path of a catalogue's signature under the hash of the catalogue's bytes.
  static func path(of catalogue: Data) throws -> String {
    PublishedCatalogue.signature(of: try SHA256Hex(of: Array(catalogue)))
  }

  /// Returns the signature file of a catalogue; the same for the same bytes.
  func signature(of catalogue: Catalog, _ data: Data, in channel: SiteChannel = .cycles) throws -> Data {
    let comment = "\(channel.comment)\(catalogue.serial)"
    return Data(try signature(of: Array(data), comment: comment).text.utf8)
  }
}

extension Signature {
  /// The serial in the comment; nil unless the key has signed a comment about a catalogue of the channel.
  func serial(in channel: SiteChannel, signedBy key: PublicKey) -> Int? {
    let isSigned = try? Ed25519.isValid(
      commentSignature, of: bytes + Array(trustedComment.utf8), key: key.bytes)
    guard isSigned == true, trustedComment.hasPrefix(channel.comment) else { return nil }
    return Int(trustedComment.dropFirst(channel.comment.count))
  }
}

extension PublicKey {
  /// minisign uses a random identifier. One that follows from the key need not be stored with the secret.
  init(_ key: [UInt8]) throws {
    self.init(id: Array(try Signature.hash(key).prefix(8)), bytes: key)
  }
}

extension Signature {
  /// The BLAKE2b-512 of bytes.
  fileprivate static func hash(_ bytes: [UInt8]) throws -> [UInt8] {
    let digest = try Digest(.blake2b512)
    try digest.update(bytes)
    return try digest.finish()
  }

  /// Throws a `Refusal` if it does not fit.
  func verify(_ file: [UInt8], by key: PublicKey) throws {
    try verify(file, by: key, hash: Signature.hash, isValid: Ed25519.isValid)
  }
}
