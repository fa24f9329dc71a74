import Core
import Fetch
import Foundation
import Pipeline

struct FetchCommand: Subcommand {
  static let spec = CommandSpec(
    name: "fetch", summary: "Gets the sources of a cycle: only what is new, checked, and noted by hash.",
    operands: RunSettings.operands,
    options: [
      .cycle, .fromAnywhere, .only,
      OptionSpec("--list", "only show what is there, missing and new"),
      OptionSpec("--locked", "take only the files that the cycle's lock file names, to the bit"),
      OptionSpec(
        "--jobs", value: "N", "how many files at a time (default: 4); of one server never more than 4"),
      .cache, .work, .pipelines, .json,
    ],
    examples: [
      (
        "chartpipe fetch vfr-sectional nasr --cycle next --list", "what the FAA has of the next cycle already"
      ),
      (
        "chartpipe fetch vfr-terminal --cycle current --only Denver",
        "one zip into work/sources/; `chartpipe build` and `chartpipe run` find it there"
      ),
    ])

  private let request: FetchRequest
  private let workspace: Workspace
  private let isOnlyList: Bool

  init(_ arguments: ParsedArguments) throws {
    let command = Self.spec.name
    workspace = Workspace(RunSettings.folder(arguments.value("--work") ?? "work"))
    var request = try Fetching.request(
      RunSettings.plan(arguments, command: command).items,
      RunSettings.cycle(arguments, command: command), from: SourceOrigin(arguments.value("--from")),
      into: workspace, cache: arguments.value("--cache"))
    request.jobs = try arguments.count("--jobs", command: command) ?? 4
    request.isLocked = arguments.has("--locked")
    self.request = request
    isOnlyList = arguments.has("--list")
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    if isOnlyList {
      let report = FetchReport(request, try SourceFetcher(request, progress: SilentProgress()).list())
      try report.show(console, asTable: true)
      // What a server does not have is an answer; that it gives none is not.
      return report.sources.contains { $0.state == .failed } ? report.verdict : nil
    }
    let lock = try workspace.lock()
    defer { withExtendedLifetime(lock) {} }
    let report = FetchReport(request, try SourceFetcher(request, progress: console.progress).fetch())
    try report.show(console, asTable: false)
    if !report.sources.isEmpty { console.note(report.summary) }
    return report.verdict
  }
}
