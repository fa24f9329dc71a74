import Core
import Fetch
import Foundation
import Pipeline
import Site

struct Reproduce: Subcommand {
  static let spec = CommandSpec(
    name: "reproduce",
    summary: "Rebuilds a published cycle from its sources and compares the bytes.",
    operands: OperandSpec(
      name: "MANIFEST", help: "cycles/2612/manifest.json of a site, or the blob that its catalogue names",
      minimum: 1,
      maximum: 1),
    options: [
      OptionSpec(
        "--from", value: "DIR",
        "the folder that holds the sources, under whatever names (default: the work folder's sources/)"),
      OptionSpec(
        "--work", value: "DIR", "the rebuild goes below reproduce/ in this folder (default: ./work)"),
      .only, .jobs, .pipelines, .json,
    ],
    examples: [
      (
        "chartpipe reproduce site/cycles/2612/manifest.json --from ~/Downloads",
        "exit 0 when every file is the same, 1 when one is not, 5 when some could not be built"
      ),
      (
        "chartpipe reproduce manifest.json --from sources --only San_Francisco",
        "one chart"
      ),
    ])

  private let target: ReproductionTarget
  private let library: PipelineLibrary
  private let from: URL
  private let work: URL
  private let jobs: Int

  init(_ arguments: ParsedArguments) throws {
    let command = Self.spec.name
    work = RunSettings.folder(arguments.value("--work") ?? "work")
    from = arguments.value("--from").map(RunSettings.folder) ?? Workspace(work).sources
    library = PipelineLibrary(folder: RunSettings.folder(arguments.value("--pipelines") ?? "pipelines"))
    jobs = try arguments.jobs(command: command)
    target = try ReproductionTarget(
      manifest: URL(filePath: arguments.operands[0]).standardizedFileURL,
      only: try arguments.list("--only", command: command))
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    let reproduction = Reproduction(
      target: target, library: library, from: try SourceFolder(from), work: work, jobs: jobs, console: console
    )
    let report = try reproduction.run()
    if console.json {
      try console.result(json: report)
    } else {
      try console.result(report.text)
    }
    return report.verdict
  }
}
