internal import CryptoIO
internal import Foundation

/// A publisher's public key, in minisign's form.
public struct VerifyingKey: Hashable, Sendable {
  /// Eight bytes by which a signature names its key.
  let id: [UInt8]
  let key: Ed25519PublicKey

  private static let algorithm = Array("Ed".utf8)
  private static let idBytes = 8

  /// minisign draws the id by lot; taken from the key itself, it need not be kept beside the secret.
  init(_ key: Ed25519PublicKey) throws(CryptoError) {
    self.key = key
    id = Array(try MinisignSignature.digest(of: key.bytes).prefix(VerifyingKey.idBytes))
  }

  /// Reads a `.pub` file of two lines, or the second line alone.
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

  /// The line that people hand on: `RWQ…`
  public var line: String { Data(VerifyingKey.algorithm + id + key.bytes).base64EncodedString() }

  /// The file that `minisign -p` takes.
  public var text: String { "untrusted comment: minisign public key \(name)\n\(line)\n" }

  /// The id as minisign prints it: the bytes as a number whose lowest comes first.
  public var name: String { hex(id.reversed()).uppercased() }
}
