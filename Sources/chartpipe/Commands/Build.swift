import Core
import Foundation
import Pipeline

struct Build: Subcommand {
  static let spec = CommandSpec(
    name: "build", summary: "Builds the tile archives and databases of pipelines for one cycle.",
    operands: RunSettings.operands,
    options: RunSettings.options + [
      OptionSpec(
        "--shard", value: "I/N", "only the I-th of N parts, as `chartpipe plan` divides the work")
    ],
    examples: [
      (
        "chartpipe build sample-sectional --cycle 2304 --from samples --only Sample_West",
        "builds one chart, work/build/2304/sample-sectional/Sample_West.mbtiles"
      ),
      (
        "chartpipe build nasr --cycle current --from ~/Downloads --only airports",
        "builds a small database of airports, runways and frequencies from the FAA's CSV zip alone"
      ),
      (
        "chartpipe build sample-sectional --cycle 2304 --from samples --variant webp-2x",
        "builds the charts as WebP tiles of 512 px in work/build/2304/sample-sectional-webp-2x"
      ),
    ])

  private let settings: RunSettings
  private let shard: (number: Int, count: Int)

  init(_ arguments: ParsedArguments) throws {
    settings = try RunSettings(arguments, command: Self.spec.name)
    if settings.isFromMirror {
      throw Self.usageError(
        "--from takes a folder here", remedy: "Download the sources first with `chartpipe fetch`.")
    }
    shard = try Build.shard(arguments.value("--shard"))
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    let run = try PipelineRun(settings, console)
    let plan = settings.plan.shard(shard.number, of: shard.count)
    let outcome = try run.build(plan)
    if console.json {
      try console.result(json: BuildReport(outcome))
    } else {
      for file in outcome.results.flatMap(\.files) { try console.result(file.url.path + "\n") }
    }
    let verdict = try run.close(outcome)
    if plan.leavesJoining {
      console.note("A run with all charts completes edge tiles and builds mosaics and exports.")
    }
    return verdict
  }

  /// Parses `2/3`, the second of three parts.
  private static func shard(_ text: String?) throws -> (Int, Int) {
    guard let text else { return (1, 1) }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], 1 <= number, number <= count,
      count <= 1024
    else { throw usageError("--shard takes I/N, such as 2/3, not \"\(text)\"") }
    return (number, count)
  }
}

/// The output of `chartpipe build --json`.
struct BuildReport: Encodable {
  struct Built: Encodable {
    var product: String
    var files: [String]
  }

  struct Failed: Encodable {
    var product: String
    var message: String
  }

  var built: [Built]
  var failed: [Failed]

  init(_ outcome: RunOutcome) {
    built = outcome.results.map { Built(product: $0.step.description, files: $0.files.map(\.url.path)) }
    failed = outcome.failures.map { Failed(product: $0.step.description, message: $0.error.message) }
  }
}
