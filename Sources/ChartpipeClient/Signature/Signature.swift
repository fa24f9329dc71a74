public import Core
public import Foundation

#if !canImport(CryptoKit)
  internal import CryptoIO
#endif

extension PublicKey {
  /// Parses a `.pub` file of two lines, or its second line alone: `RWQ…`
  public init(_ text: String) throws(ChartpipeError) {
    guard let key = PublicKey(minisign: text) else {
      throw ChartpipeError(
        .invalid, "reading the public key", "it is not a public key in minisign's format",
        "Use the line that starts with RW of the publisher's .pub file")
    }
    self = key
  }
}

/// ```swift
/// let signature = try Signature(text, path: "catalog.json.minisig")
/// try signature.verify(data, by: PublicKey("RWRKjMfeSoqHb…"), path: "catalog.json")
/// ```
extension Signature {
  /// Parses a `.minisig` file.
  ///
  /// - Parameter path: The file's name for errors.
  public init(_ text: String, path: String) throws(ChartpipeError) {
    guard let signature = Signature(minisign: text) else {
      throw .unsigned(path, "the file is not a signature in minisign's format")
    }
    self = signature
  }

  /// Throws a ``ChartpipeError`` unless the key signed both the file and the trusted comment.
  ///
  /// - Parameter path: The file's name for errors.
  public func verify(_ file: Data, by key: PublicKey, path: String) throws {
    do {
      try verify(Array(file), by: key, hash: Blake2b.hash, isValid: Ed25519.isValid)
    } catch let refusal as Refusal {
      switch refusal {
      case .otherKey(let has, let needs):
        throw ChartpipeError.unsigned(path, "the signature is of the key \(has), not of \(needs)")
      case .wrong: throw ChartpipeError.unsigned(path, "the signature does not match the file")
      case .wrongComment:
        throw ChartpipeError.unsigned(path, "the trusted comment of the signature was changed")
      }
    }
  }
}

extension ChartpipeError {
  static func unsigned(_ path: String, _ reason: String) -> ChartpipeError {
    ChartpipeError(
      .signature, "verifying the signature of \(path)", reason,
      "Do not trust the file; keep the one that you have")
  }
}
