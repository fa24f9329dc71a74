internal import CCrypto

/// A digest computed in pieces by libcrypto.
public final class Digest {
  public enum Algorithm: Sendable {
    case sha256
    /// Only for the tile hash that the MBTiles community agreed on; nothing here relies on it for safety.
    case md5
    /// Only for UUIDs of version 5, which are defined by it.
    case sha1
    /// What minisign signs in place of a file.
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
    try CryptoError.check(
      EVP_DigestUpdate(context, bytes.baseAddress, bytes.count), "EVP_DigestUpdate")
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
