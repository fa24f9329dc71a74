internal import CryptoIO

/// What a publisher signs catalogues with.
public struct SigningKey: Sendable {
  /// A handle of libcrypto is for one thread, and signing is rare: so the text is kept, and read for each signature.
  private let secret: String
  public let verifier: VerifyingKey

  private init(_ key: Ed25519PrivateKey) throws {
    secret = try key.pem()
    verifier = try VerifyingKey(key.publicKey)
  }

  public static func generate() throws -> SigningKey { try SigningKey(try Ed25519PrivateKey.generate()) }

  /// Reads what `pem` writes, or `openssl genpkey -algorithm ed25519`.
  /// - Parameter passphrase: for a key that is encrypted.
  public init(pem: String, passphrase: String = "") throws {
    try self.init(try Ed25519PrivateKey(pem: pem, passphrase: passphrase))
  }

  /// - Parameter passphrase: what to encrypt it with; nil for a key that lies open.
  public func pem(passphrase: String?) throws -> String {
    try Ed25519PrivateKey(pem: secret).pem(passphrase: passphrase)
  }

  /// Signs a file in minisign's form. The comment is signed too, so that nobody can put another in its place.
  public func signature(of file: [UInt8], comment: String) throws -> MinisignSignature {
    let key = try Ed25519PrivateKey(pem: secret)
    let signature = try key.sign(try MinisignSignature.digest(of: file))
    return MinisignSignature(
      keyID: verifier.id, signature: signature, comment: comment,
      commentSignature: try key.sign(signature + Array(comment.utf8)))
  }
}
