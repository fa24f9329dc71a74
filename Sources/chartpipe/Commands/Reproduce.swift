internal import Core
internal import Foundation

extension CommandSpec {
  static let reproduce = CommandSpec(
    name: "reproduce",
    summary: "Rebuilds a published cycle from its sources and compares the bytes.",
    operands: OperandSpec(
      name: "MANIFEST",
      help:
        "cycles/2612/manifest.json of a site, for the manifest that its catalogue names by hash, or any manifest"
    ),
    options: [
      OptionSpec(
        "--from", value: "DIR",
        "the folder with the sources, under any names (default: sources/ in the work folder)"),
      OptionSpec(
        "--work", value: "DIR", "the folder for the rebuild, in its subfolder reproduce/ (default: ./work)"),
      .only, .jobs, .pipelines, .json,
    ],
    examples: """
      chartpipe reproduce site/cycles/2612/manifest.json --from ~/Downloads
        exit 0 if all files are the same, 1 if one differs, 5 if some could not be built
      chartpipe reproduce manifest.json --from sources --only San_Francisco
        rebuilds one chart
      """,
    action: runReproduce)
}

private func runReproduce(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let workspace = arguments.workspace
  let jobs = try arguments.jobs()
  let target = try ReproductionTarget(
    manifest: URL(filePath: arguments.operands[0]).standardizedFileURL, only: try arguments.list("--only"))
  let from = arguments.value("--from").map(RunSettings.folder) ?? workspace.sources
  let reproduction = try Reproduction(
    target, library: arguments.library, from: try SourceFolder(from), work: workspace.root, jobs: jobs,
    console: console)
  if target.isOtherThanCopy {
    console.note("note: the file is not the manifest that the catalogue names. That one is compared.")
  }
  let report = try reproduction.run()
  try console.result(report, text: report.text)
  return report.verdict
}
