import Core
import Foundation
import Pipeline
import Site

struct Keygen: Subcommand {
  static let spec = CommandSpec(
    name: "keygen", summary: "Makes a key to sign catalogues with.",
    operands: OperandSpec(
      name: "FILE", help: "where the secret goes; the public key goes beside it, as FILE.pub", minimum: 1,
      maximum: 1),
    options: [.json],
    examples: [
      ("chartpipe keygen ~/chartpipe.key", "an Ed25519 key; hand on chartpipe.key.pub, keep the other"),
      (
        "CHARTPIPE_PASSPHRASE=... chartpipe keygen ~/chartpipe.key",
        "the same, encrypted; signing then asks for the same variable"
      ),
    ])

  private let secret: URL

  init(_ arguments: ParsedArguments) throws {
    secret = URL(filePath: arguments.operands[0])
  }

  private var open: URL { secret.appendingPathExtension("pub") }

  func run(_ console: Console) throws -> UserError.Kind? {
    let key = try SigningKey.generate()
    // An old key may be the only one that past catalogues can be proved with.
    for file in [secret, open] where file.kindOnDisk != nil {
      throw UserError(
        .badCall, operation: "making a key", path: file.path, reason: "there is such a file already",
        suggestion: "Give another name, or move the old key away.")
    }
    try write(key.pem(passphrase: SigningSecret.passphrase), to: secret, mode: 0o600)
    try write(key.verifier.text, to: open, mode: 0o644)
    try console.show(key.verifier, secret: secret.path, open: open.path)
    return nil
  }

  private func write(_ text: String, to file: URL, mode: Int) throws {
    guard
      FileManager.default.createFile(
        atPath: file.path, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
    else {
      throw UserError(
        .failed, operation: "making a key", path: file.path, reason: "the file cannot be written",
        suggestion: "Check the folder and its permissions.")
    }
  }
}

extension Console {
  fileprivate func show(_ key: VerifyingKey, secret: String, open: String) throws {
    if json {
      try result(json: ["key": key.line, "public": open, "secret": secret])
    } else {
      try result(
        """
        Key \(key.name) is made.
          secret  \(secret)   keep it, and keep it to yourself
          public  \(open)
                  \(key.line)

        """)
    }
  }
}
