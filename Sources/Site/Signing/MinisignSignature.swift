internal import CryptoIO
internal import Foundation

/// A detached signature in minisign's form: Ed25519 over the BLAKE2b of the file, and over that and a comment.
public struct MinisignSignature: Equatable, Sendable {
  let keyID: [UInt8]
  let signature: [UInt8]
  /// Signed too.
  public let comment: String
  let commentSignature: [UInt8]

  private static let algorithm = Array("ED".utf8)
  private static let trusted = "trusted comment: "
  private static let untrusted = "signature of a Chartpipe catalogue"

  static func digest(of file: [UInt8]) throws(CryptoError) -> [UInt8] {
    let digest = try Digest(.blake2b512)
    try digest.update(file)
    return try digest.finish()
  }

  init(keyID: [UInt8], signature: [UInt8], comment: String, commentSignature: [UInt8]) {
    self.keyID = keyID
    self.signature = signature
    self.comment = comment
    self.commentSignature = commentSignature
  }

  /// Nil for what is no such file.
  public init?(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
      .map { $0.hasSuffix("\r") ? $0.dropLast() : $0 }
    guard lines.count == 4, lines[0].hasPrefix("untrusted comment:"),
      lines[2].hasPrefix(MinisignSignature.trusted),
      let first = Data(base64Encoded: String(lines[1])), first.count == 2 + 8 + 64,
      first.starts(with: MinisignSignature.algorithm),
      let second = Data(base64Encoded: String(lines[3])), second.count == 64
    else { return nil }
    self.init(
      keyID: Array(first.dropFirst(2).prefix(8)), signature: Array(first.suffix(64)),
      comment: String(lines[2].dropFirst(MinisignSignature.trusted.count)), commentSignature: Array(second))
  }

  /// Of the key that made it, as minisign prints it.
  public var keyName: String { hex(keyID.reversed()).uppercased() }

  public var text: String { text(MinisignSignature.untrusted) }

  /// Whether a file has nothing in it but the signature, in the form in which we or minisign write it: what is not signed
  /// should not have been changed either.
  func isAll(of file: String) -> Bool {
    [MinisignSignature.untrusted, "signature from minisign secret key"].contains { text($0) == file }
  }

  private func text(_ untrusted: String) -> String {
    """
    untrusted comment: \(untrusted)
    \(Data(MinisignSignature.algorithm + keyID + signature).base64EncodedString())
    \(MinisignSignature.trusted)\(comment)
    \(Data(commentSignature).base64EncodedString())

    """
  }

  public enum Refusal: Error, Equatable {
    /// It was made with another key; by the ids' names.
    case otherKey(has: String, needs: String)
    case wrong
    case wrongComment
  }

  /// Throws what is wrong with it.
  public func verify(_ file: [UInt8], by verifier: VerifyingKey) throws {
    guard keyID == verifier.id else {
      throw Refusal.otherKey(has: keyName, needs: verifier.name)
    }
    guard try verifier.key.verifies(signature, of: MinisignSignature.digest(of: file)) else {
      throw Refusal.wrong
    }
    guard try verifier.key.verifies(commentSignature, of: signature + Array(comment.utf8)) else {
      throw Refusal.wrongComment
    }
  }
}
