internal import Core
public import Foundation

#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import CryptoIO
#endif

/// A SHA-256 computed in pieces: by CryptoKit on Apple's systems, by libcrypto elsewhere.
struct StreamingSHA256 {
  #if canImport(CryptoKit)
    private var hash = CryptoKit.SHA256()

    init() throws {}
    mutating func update(_ data: Data) throws { hash.update(data: data) }
    func finish() throws -> String { hex(hash.finalize()) }
  #else
    private let hash: Digest

    init() throws { hash = try Digest(.sha256) }
    mutating func update(_ data: Data) throws { try data.withUnsafeBytes { try hash.update($0) } }
    func finish() throws -> String { hex(try hash.finish()) }
  #endif
}

#if canImport(CryptoKit)
  /// What `CryptoIO` has on other systems.
  enum Ed25519 {
    static func isValid(_ signature: [UInt8], of message: [UInt8], key: [UInt8]) throws -> Bool {
      guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key) else { return false }
      return key.isValidSignature(signature, for: message)
    }
  }
#endif

func sha256(of data: Data) throws -> String {
  var hash = try StreamingSHA256()
  try hash.update(data)
  return try hash.finish()
}

/// Reads the file in pieces.
func sha256(ofFile file: URL) throws -> String {
  var hash = try StreamingSHA256()
  let handle = try FileHandle(forReadingFrom: file)
  defer { try? handle.close() }
  while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty { try hash.update(piece) }
  return try hash.finish()
}

extension SiteFile {
  /// Throws unless the file has the size and hash in the catalogue. Call it before you replace the old file.
  public func check(_ file: URL) throws { try check(file, sha256: sha256(ofFile:)) }
}
