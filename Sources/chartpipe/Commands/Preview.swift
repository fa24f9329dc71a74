import Core
import Foundation
import Pipeline
import Preview

struct Preview: Subcommand {
  static let spec = CommandSpec(
    name: "preview", summary: "Serves a staged site as a map for the browser, for review before publication.",
    operands: OperandSpec(
      name: "SITE", help: "the folder of a site, or a build folder", minimum: 1,
      maximum: 1),
    options: [
      OptionSpec("--port", value: "N", "the port on 127.0.0.1 (default: any free port)"),
      OptionSpec("--cycle", value: "C", "the cycle to show first (default: the latest)"),
      OptionSpec(
        "--leaflet", value: "DIR", "the folder of Leaflet (default: the folder of the system package)"),
      .json,
    ],
    examples: [
      (
        "chartpipe preview work/site",
        "shows charts, airports and airspace on a map, and compares two cycles side by side. Ctrl-C stops it"
      )
    ])

  private let site: URL
  private let port: Int
  private let cycle: AiracCycle?
  private let leaflet: URL?

  init(_ arguments: ParsedArguments) throws {
    site = RunSettings.folder(arguments.operands[0])
    let port = arguments.value("--port") ?? "0"
    guard let number = Int(port), (0...65535).contains(number) else {
      throw Self.usageError("--port takes a number from 0 to 65535, not \"\(port)\"")
    }
    self.port = number
    cycle =
      try arguments.value("--cycle") == nil
      ? nil : RunSettings.cycle(arguments, command: Self.spec.name)
    leaflet = arguments.value("--leaflet").map(RunSettings.folder)
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    let server = try PreviewServer(
      site: site, start: cycle?.identifier, leaflet: try LeafletFolder(named: leaflet), port: port)
    try console.result(["url": server.address], text: server.address + "\n")
    console.note("Open this address in a browser. Ctrl-C stops the server.")
    server.serve()
    return nil
  }
}
