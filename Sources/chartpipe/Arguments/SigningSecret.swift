import Core
import Foundation
import Pipeline
import Site

/// Where a key to sign with comes from: a file that is named, or the environment, as CI keeps its secrets.
enum SigningSecret {
  static let option = OptionSpec(
    "--key", value: "FILE",
    "sign the catalogue with this key of `chartpipe keygen` (default: the text in $CHARTPIPE_KEY, if any)")

  static var passphrase: String? { EnvironmentVariable.passphrase.value }

  /// Nil when nothing is to be signed.
  static func key(_ arguments: ParsedArguments) throws -> SigningKey? {
    if let path = arguments.value("--key") {
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        throw UserError(
          .badCall, operation: "reading the key", path: path, reason: "the file cannot be read",
          suggestion: "Name the secret file of `chartpipe keygen`.")
      }
      return try key(text, from: path)
    }
    return try EnvironmentVariable.key.value.map { try key($0, from: "$CHARTPIPE_KEY") }
  }

  private static func key(_ text: String, from place: String) throws -> SigningKey {
    do {
      return try SigningKey(pem: text, passphrase: passphrase ?? "")
    } catch {
      // What libcrypto says of a secret stays among the causes, which are shown on request only.
      throw UserError(
        .badCall, operation: "reading the key", path: place,
        reason: "it is no Ed25519 key in PEM, or its passphrase is another",
        suggestion: "Set $CHARTPIPE_PASSPHRASE for a key that is encrypted.", causes: [error])
    }
  }
}
