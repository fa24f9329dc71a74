internal import Core

extension CommandSpec {
  static let mirror = CommandSpec(
    name: "mirror", summary: "Copies and verifies a published site, to serve it from another place.",
    operands: OperandSpec(
      name: "SITE DIR",
      help:
        "the address or the folder of a site, and the folder of the mirror, which is created or updated",
      minimum: 2, maximum: 2, places: [.site, .path]),
    options: [
      .publicKey,
      OptionSpec("--check", "verify existing files again, and replace damaged ones"),
      OptionSpec("--keep-old", "keep files that neither the catalogue nor the previous one names"),
      .endpoint, .downloads, .json,
    ],
    examples: """
      chartpipe mirror https://charts.example.org/vfr /srv/charts --public-key chartpipe.key.pub
        copies missing files, then the catalogue
      chartpipe verify /srv/charts --public-key chartpipe.key.pub
        verifies the mirror like any other site
      """,
    action: runMirror)
}

private func runMirror(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let mirror = SiteMirror(
    source: try arguments.site(arguments.operands[0]), folder: RunSettings.folder(arguments.operands[1]),
    verifier: try arguments.publicKey(), jobs: try arguments.downloads(), checks: arguments.has("--check"),
    keepsOld: arguments.has("--keep-old"), now: SystemClock.now)
  let outcome = try mirror.run(progress: console.progress)
  try console.result(outcome, text: outcome.text)
  if !outcome.isProved {
    console.note("The signature was not verified: give the publisher's key with --public-key.")
  }
  return nil
}

extension SiteMirror.Outcome {
  fileprivate var text: String {
    let held = cycles.isEmpty ? "no cycle" : "cycle \(cycles.map(\.identifier).joined(separator: ", "))"
    return """
      The mirror is up to date: \(Counts.of(files, "file")), \(Counts.bytes(bytes)), serial \(serial), \(held).
        copied   \(Counts.of(copied, "file")), \(Counts.bytes(copiedBytes))
        removed  \(Counts.of(removed, "file"))
        folder   \(folder)

      """
  }
}
