internal import Core

extension CommandSpec {
  static let preview = CommandSpec(
    name: "preview", summary: "Serves a staged site as a map for the browser, for review before publication.",
    operands: OperandSpec(name: "SITE", help: "the folder of a site, or a build folder"),
    options: [
      OptionSpec(
        "--host", value: "ADDRESS",
        "the address of this machine to listen on, or 0.0.0.0 for all; then every machine that reaches it can read the whole site, without a password and unencrypted (default: 127.0.0.1, only this machine)"
      ),
      OptionSpec("--port", value: "N", "the port (default: any free port)"),
      OptionSpec("--cycle", value: "C", "the cycle to show first (default: the latest)"),
      .json,
    ],
    examples: """
      chartpipe preview work/site
        shows charts, airports and airspace on a map, and compares two cycles side by side. Ctrl-C stops it
      chartpipe preview work/site --host 0.0.0.0 --port 8080
        also serves a phone or tablet in the same network, and prints the addresses to open there
      """,
    action: runPreview)
}

private func runPreview(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let name = arguments.value("--host") ?? "127.0.0.1"
  guard let host = ListenAddress(name) else {
    throw arguments.usageError(
      "--host takes an address of this machine, not \"\(name)\"",
      remedy: "Give 0.0.0.0 for all, 127.0.0.1, or one such as 192.168.1.20.")
  }
  let port =
    try arguments.value("--port", as: "a number from 0 to 65535") { text in
      Int(text).flatMap { (0...65535).contains($0) ? $0 : nil }
    } ?? 0
  let cycle = try arguments.value("--cycle").map(arguments.cycle)
  let site = RunSettings.folder(arguments.operands[0])
  let server = try PreviewServer(site: site, start: cycle, host: host, port: port)
  let urls = server.addresses
  try console.result(
    PreviewAnswer(url: urls.first ?? "", urls: urls.count > 1 ? urls : nil),
    text: urls.map { $0 + "\n" }.joined())
  if !host.isLoopback { console.note("Every machine that reaches an address above can read the site.") }
  console.note(
    "Open \(urls.count == 1 ? "this address" : "one of these addresses") in a browser. Ctrl-C stops the server."
  )
  server.serve()
  return nil
}

/// The result of `chartpipe preview --json`.
private struct PreviewAnswer: Encodable {
  var url: String
  /// All addresses; nil if there is only one.
  var urls: [String]?
}
