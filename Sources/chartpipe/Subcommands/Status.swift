import Core
import Foundation
import Pipeline

struct Status: Subcommand {
  static let spec = CommandSpec(
    name: "status", summary: "Tells what was made in a work folder: when, how long it took, and of what.",
    operands: nil,
    options: [
      OptionSpec("--cycle", value: "C", "only this one, and each of its products"), .work, .json,
    ],
    examples: [
      ("chartpipe status", "one line for each cycle"),
      (
        "chartpipe status --cycle 2612",
        "each chart and database, and whether its files still are as they were made"
      ),
    ])

  private let workspace: Workspace
  private let cycle: String?

  init(_ arguments: ParsedArguments) throws {
    workspace = Workspace(RunSettings.folder(arguments.value("--work") ?? "work"))
    cycle = try arguments.value("--cycle").map {
      try RunSettings.cycle($0, command: Self.spec.name).identifier
    }
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    let report = try StatusReport(workspace, only: cycle)
    if console.json {
      try console.result(json: report)
    } else {
      try console.result(report.text(details: cycle != nil))
    }
    return nil
  }
}
