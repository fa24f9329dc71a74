import Core
import Foundation
import Pipeline

struct Doctor: Subcommand {
  static let spec = CommandSpec(
    name: "doctor", summary: "Checks that this machine is able to run the pipeline.",
    options: [.work, .pipelines, .json],
    examples: [("chartpipe doctor", "exit 0 when everything needed is there, 1 when something is not")])

  private let workspace: Workspace
  private let pipelines: URL

  init(_ arguments: ParsedArguments) {
    workspace = Workspace(RunSettings.folder(arguments.value("--work") ?? "work"))
    pipelines = DefinitionsFolder.url(arguments.value("--pipelines"))
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    let examination = Examination(workspace: workspace, pipelines: pipelines)
    if console.json {
      try console.result(json: examination)
    } else {
      try console.result(examination.text)
    }
    return examination.ok ? nil : .failed
  }
}
