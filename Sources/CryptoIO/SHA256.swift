internal import CCrypto
public import Core
public import Foundation

extension SHA256Hex {
  public init(of bytes: [UInt8]) throws(CryptoError) {
    let digest = try Digest(.sha256)
    try digest.update(bytes)
    try self.init(finishing: digest)
  }

  /// Finishes a SHA-256 digest.
  public init(finishing digest: Digest) throws(CryptoError) { self.init(digest: try digest.finish()) }

  /// Reads the file in pieces.
  public init(ofFile file: URL) throws {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    let digest = try Digest(.sha256)
    while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
      try piece.withUnsafeBytes { try digest.update($0) }
    }
    try self.init(finishing: digest)
  }
}

/// A digest computed in pieces by libcrypto.
public final class Digest {
  public enum Algorithm: Sendable {
    case sha256
    /// For the `agg_tiles_hash` of MBTiles, not for security.
    case md5
    /// For UUIDs of version 5.
    case sha1
    /// minisign signs this hash instead of the file.
    case blake2b512
  }

  private let context: OpaquePointer

  public init(_ algorithm: Algorithm) throws(CryptoError) {
    guard let context = EVP_MD_CTX_new() else { throw CryptoError.last("EVP_MD_CTX_new") }
    self.context = context
    let kind =
      switch algorithm {
      case .sha256: EVP_sha256()
      case .md5: EVP_md5()
      case .sha1: EVP_sha1()
      case .blake2b512: EVP_blake2b512()
      }
    try CryptoError.check(EVP_DigestInit_ex(context, kind, nil), "EVP_DigestInit_ex")
  }

  deinit { EVP_MD_CTX_free(context) }

  public func update(_ bytes: UnsafeRawBufferPointer) throws(CryptoError) {
    guard !bytes.isEmpty else { return }
    try CryptoError.check(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count), "EVP_DigestUpdate")
  }

  public func update(_ bytes: [UInt8]) throws(CryptoError) {
    let outcome: Result<Void, CryptoError> = bytes.withUnsafeBytes { raw in
      Result { () throws(CryptoError) in try update(raw) }
    }
    try outcome.get()
  }

  public func update(_ text: String) throws(CryptoError) { try update(Array(text.utf8)) }

  public func finish() throws(CryptoError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    try CryptoError.check(EVP_DigestFinal_ex(context, &bytes, &count), "EVP_DigestFinal_ex")
    return Array(bytes.prefix(Int(count)))
  }
}

@available(*, unavailable)
extension Digest: Sendable {}

/// Codes that prove that a message comes from an owner of a key (HMAC).
public enum MessageAuthentication {
  public static func sha256(of message: [UInt8], key: [UInt8]) throws(CryptoError) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard
      HMAC(EVP_sha256(), key, Int32(clamping: key.count), message, message.count, &code, &count) != nil
    else { throw CryptoError.last("HMAC") }
    return Array(code.prefix(Int(count)))
  }
}
