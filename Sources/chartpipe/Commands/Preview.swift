import Core
import Foundation
import Pipeline
import Preview

struct Preview: Subcommand {
  static let spec = CommandSpec(
    name: "preview", summary: "Shows a staged site as a map in the browser, before it goes out.",
    operands: OperandSpec(
      name: "SITE", help: "the folder of a site, or a build folder before it is staged", minimum: 1,
      maximum: 1),
    options: [
      OptionSpec("--port", value: "N", "the port on 127.0.0.1 (default: any that is free)"),
      OptionSpec("--cycle", value: "C", "the cycle to begin with (default: the latest that is there)"),
      OptionSpec(
        "--leaflet", value: "DIR", "where Leaflet lies (default: where the system's package puts it)"),
      .json,
    ],
    examples: [
      (
        "chartpipe preview work/site",
        "charts, airports and airspace on a map; with two cycles also one beside the other. Ctrl-C ends it"
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
    if console.json {
      try console.result(json: ["url": server.address])
    } else {
      try console.result(server.address + "\n")
    }
    console.note("Open it in a browser. Ctrl-C ends it.")
    server.serve()
    return nil
  }
}
