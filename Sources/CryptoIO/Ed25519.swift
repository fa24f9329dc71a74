internal import CCrypto

/// A private key for signatures.
public final class Ed25519PrivateKey {
  private let key: OpaquePointer

  private init(_ key: OpaquePointer) { self.key = key }
  deinit { EVP_PKEY_free(key) }

  public static func generate() throws(CryptoError) -> Ed25519PrivateKey {
    guard let key = chartpipe_ed25519_new() else { throw CryptoError.last("EVP_PKEY_Q_keygen") }
    return Ed25519PrivateKey(key)
  }

  /// Reads PKCS#8 in PEM, the format of `openssl genpkey -algorithm ed25519`.
  ///
  /// - Parameter passphrase: The passphrase of an encrypted key.
  public convenience init(pem: String, passphrase: String = "") throws(CryptoError) {
    // The BIO reads the bytes where they are, so they must exist until the key is parsed.
    let key: OpaquePointer? = Array(pem.utf8).withUnsafeBytes { bytes in
      guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
      defer { BIO_free(bio) }
      // Without a callback libcrypto uses the last argument as the passphrase and does not prompt at a terminal.
      return passphrase.withCString { words in
        PEM_read_bio_PrivateKey(bio, nil, nil, UnsafeMutableRawPointer(mutating: words))
      }
    }
    guard let key else { throw CryptoError.last("PEM_read_bio_PrivateKey") }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519 else {
      EVP_PKEY_free(key)
      throw CryptoError(
        call: "PEM_read_bio_PrivateKey", message: "this is a key of another kind, not of Ed25519")
    }
    self.init(key)
  }

  /// - Parameter passphrase: Encrypts the key; nil for an unencrypted key.
  public func pem(passphrase: String? = nil) throws(CryptoError) -> String {
    guard let bio = BIO_new(BIO_s_mem()) else { throw CryptoError.last("BIO_new") }
    defer { BIO_free(bio) }
    let words = passphrase.map { Array($0.utf8CString) } ?? []
    let cipher = passphrase == nil ? nil : EVP_aes_256_cbc()
    let code = words.withUnsafeBufferPointer { words in
      PEM_write_bio_PKCS8PrivateKey(
        bio, key, cipher, words.baseAddress, Int32(clamping: max(0, words.count - 1)), nil, nil)
    }
    try CryptoError.check(code, "PEM_write_bio_PKCS8PrivateKey")
    var data: UnsafeMutablePointer<CChar>?
    let count = chartpipe_bio_data(bio, &data)
    return String(decoding: UnsafeRawBufferPointer(start: data, count: count), as: UTF8.self)
  }

  /// 32 bytes.
  public var publicKey: [UInt8] {
    get throws(CryptoError) {
      var bytes = [UInt8](repeating: 0, count: Ed25519.keyBytes)
      var count = bytes.count
      try CryptoError.check(EVP_PKEY_get_raw_public_key(key, &bytes, &count), "EVP_PKEY_get_raw_public_key")
      return bytes
    }
  }

  /// The same message gives the same signature.
  public func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { throw CryptoError.last("EVP_MD_CTX_new") }
    defer { EVP_MD_CTX_free(context) }
    try CryptoError.check(EVP_DigestSignInit(context, nil, nil, nil, key), "EVP_DigestSignInit")
    var signature = [UInt8](repeating: 0, count: Ed25519.signatureBytes)
    var count = signature.count
    try CryptoError.check(
      EVP_DigestSign(context, &signature, &count, message, message.count), "EVP_DigestSign")
    return signature
  }
}

@available(*, unavailable)
extension Ed25519PrivateKey: Sendable {}

/// Signatures by RFC 8032. libcrypto and CryptoKit refuse a signature whose second half is not below the group's order, so no second
/// signature can be made from a valid one.
public enum Ed25519 {
  static let keyBytes = 32
  static let signatureBytes = 64

  /// Returns false for a signature of another message or key. Throws errors of libcrypto.
  public static func isValid(
    _ signature: [UInt8], of message: [UInt8], key bytes: [UInt8]
  ) throws(CryptoError) -> Bool {
    guard signature.count == signatureBytes, bytes.count == keyBytes,
      let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count)
    else { return false }
    defer { EVP_PKEY_free(key) }
    guard let context = EVP_MD_CTX_new() else { throw CryptoError.last("EVP_MD_CTX_new") }
    defer { EVP_MD_CTX_free(context) }
    try CryptoError.check(EVP_DigestVerifyInit(context, nil, nil, nil, key), "EVP_DigestVerifyInit")
    let verdict = EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    if !verdict { ERR_clear_error() }
    return verdict
  }
}

/// A failed call of libcrypto with its message.
public struct CryptoError: Error, CustomStringConvertible {
  public let call: String
  public let message: String

  public var description: String { "\(call): \(message)" }

  static func last(_ call: String) -> CryptoError {
    var text = [CChar](repeating: 0, count: 256)
    ERR_error_string_n(ERR_get_error(), &text, text.count)
    return CryptoError(
      call: call, message: String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
  }

  static func check(_ code: Int32, _ call: String) throws(CryptoError) {
    guard code == 1 else { throw last(call) }
  }
}
