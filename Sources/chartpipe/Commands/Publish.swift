internal import Core
internal import Foundation

extension CommandSpec {
  static let publish = CommandSpec(
    name: "publish", summary: "Uploads a staged site to its public place, and switches the catalogue last.",
    operands: OperandSpec(
      name: "SITE TARGET",
      help:
        "the folder of a site, and the place to publish it: a folder, or s3://bucket/prefix; with --renew, TARGET is enough",
      maximum: 2, places: [.path, .target]),
    options: [
      OptionSpec("--replace", "replace the published products of the site's cycles, instead of merging them"),
      OptionSpec(
        "--reinstate", value: "C", repeatable: true,
        "publish a cycle again that `rollback` withdrew: 2613, or a date"),
      OptionSpec("--renew", "publish also if nothing has changed, so that the catalogue is valid for longer"),
      .dryRun,
      OptionSpec("--check", "also verify the files that are already published"),
    ] + OptionSpec.publishing,
    examples: """
      chartpipe publish work/site /srv/charts --dry-run
        prints the files to upload and delete, and the cycles of the new catalogue
      chartpipe publish work/site s3://charts/vfr
        reads the credentials of S3 from the environment, such as AWS_ACCESS_KEY_ID
      chartpipe publish work/site /srv/charts --key chartpipe.key
        uploads files, then the catalogue, then deletes unused files; run it again after an interruption
      chartpipe publish --renew /srv/charts --key chartpipe.key --valid-for 3d
        signs the published catalogue again; for a daily job
      """,
    action: runPublish)
}

private func runPublish(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let places = arguments.operands
  guard places.count == 2 || arguments.has("--renew") else { throw arguments.usageError("TARGET is missing") }
  let target = try arguments.publishTarget(places[places.count - 1])
  var options = try arguments.publishOptions(key: arguments.signingKey())
  options.renews = arguments.has("--renew")
  options.reinstated = Set(try arguments.values("--reinstate").map(arguments.cycle))
  let progress = console.progress
  let report =
    places.count == 2
    ? try Publisher.publish(
      RunSettings.folder(places[0]), to: target, isReplacing: arguments.has("--replace"), options,
      progress: progress)
    : try Publisher.rollBack(target, to: nil, options, progress: progress)
  try console.result(report, text: report.text)
  for message in console.json ? report.warnings : [] { progress.warn(Uploader.step, message) }
  return report.unsent.contains(where: \.needsAttention) ? .partlyDone : nil
}

extension CommandSpec {
  static let rollback = CommandSpec(
    name: "rollback", summary: "Publishes the previous catalogue again, in one write.",
    operands: OperandSpec(
      name: "TARGET", help: "the published site: a folder, or s3://bucket/prefix", places: [.target]),
    options: [
      OptionSpec("--to", value: "C", "only withdraw the cycles after this one: 2612, or a date"),
      .dryRun,
    ] + OptionSpec.publishing,
    examples: """
      chartpipe rollback /srv/charts --dry-run
        prints the catalogue that would be published again
      chartpipe rollback /srv/charts --to 2612
        withdraws cycle 2613 and later
      """,
    action: runRollback)
}

private func runRollback(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let cycle = try arguments.value("--to").map(arguments.cycle)
  let target = try arguments.publishTarget(arguments.operands[0])
  let options = try arguments.publishOptions(key: arguments.signingKey())
  let report = try Publisher.rollBack(target, to: cycle, options, progress: console.progress)
  try console.result(report, text: report.text)
  return nil
}

extension CommandSpec {
  static let keygen = CommandSpec(
    name: "keygen", summary: "Creates a key for signing catalogues.",
    operands: OperandSpec(
      name: "FILE", help: "the file for the secret key; the public key is written to FILE.pub"),
    options: [.json],
    examples: """
      chartpipe keygen ~/chartpipe.key
        creates an Ed25519 key; share chartpipe.key.pub and keep the other file secret
      CHARTPIPE_PASSPHRASE=... chartpipe keygen ~/chartpipe.key
        creates an encrypted key; signing needs the same variable
      """,
    action: runKeygen)
}

private func runKeygen(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let secret = URL(filePath: arguments.operands[0])
  let open = secret.appendingPathExtension("pub")
  let folder = secret.deletingLastPathComponent()
  guard folder.kindOnDisk == .folder else {
    throw UserError(
      .badCall, operation: "making a key in", path: folder.path, reason: folder.missingFolderReason,
      suggestion: "Create the folder, or name another.")
  }
  let key = try SigningKey.generate()
  // An old key may be needed to verify earlier catalogues.
  for file in [secret, open] where file.kindOnDisk != nil {
    throw UserError(
      .badCall, operation: "making a key", path: file.path, reason: "the file exists",
      suggestion: "Choose another name, or move the old key.")
  }
  try write(key.pem(passphrase: EnvironmentVariable.passphrase.value), to: secret, mode: 0o600)
  try write(key.verifier.text, to: open, mode: 0o644)
  try console.result(
    ["key": key.verifier.line, "public": open.path, "secret": secret.path],
    text: """
      Created key \(key.verifier.name).
        secret  \(secret.path)   back it up, and do not share it
        public  \(open.path)
                \(key.verifier.line)

      """)
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
