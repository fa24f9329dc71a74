import Core
import Fetch
import Pipeline

struct Plan: Subcommand {
  static let spec = CommandSpec(
    name: "plan", summary: "Shows what a run would make, shared out over machines, and what that takes.",
    operands: RunSettings.operands,
    options: [
      OptionSpec("--shards", value: "N", "share the work out over N machines (default: 1)"),
      OptionSpec("--format", value: "F", "json, the only one so far"),
      OptionSpec(
        "--cycle", value: "C",
        "print what a run of this cycle needs: disk, memory, and time where an earlier run measured it"),
      .from, .only, .variant, .work, .pipelines,
    ],
    examples: [
      (
        "chartpipe plan sample-sectional sample-terminal --shards 2 --format json",
        "which machine makes what; each one runs `chartpipe build ... --shard I/2`"
      ),
      (
        "chartpipe plan vfr-sectional nasr --cycle next",
        "how much room and time the next cycle takes, made from nothing"
      ),
    ])

  private let plan: BuildPlan
  private let shards: Int
  private let cost: PlanCost?

  init(_ arguments: ParsedArguments) throws {
    let format = arguments.value("--format") ?? "json"
    guard format == "json" else {
      throw Self.usageError("there is no format \"\(format)\"", remedy: "Use json.")
    }
    shards = try arguments.count("--shards", command: Self.spec.name) ?? 1
    plan = try RunSettings.plan(arguments, command: Self.spec.name)
    cost = try arguments.value("--cycle").map { _ in
      try PlanCost(RunSettings(arguments, command: Self.spec.name))
    }
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    try console.result(json: PlanReport(plan, shards: shards, cost: cost))
    return nil
  }
}

/// The answer of `chartpipe plan`.
private struct PlanReport: Encodable {
  struct Shard: Encodable {
    var shard: String
    var products: [String]
  }

  var pipelines: [String]
  var products: Int
  var shards: [Shard]
  /// What is made of the charts of all shards, by a run that has them.
  var afterwards: [String]
  var cost: PlanCost?

  init(_ plan: BuildPlan, shards count: Int, cost: PlanCost?) {
    self.cost = cost
    pipelines = plan.pipelines
    products = plan.items.count
    afterwards = count > 1 ? plan.joined.map(\.product) : []
    shards = (1...count).map { number in
      Shard(shard: "\(number)/\(count)", products: plan.shard(number, of: count).items.map(\.product))
    }
  }
}

/// What a run of a whole plan takes, when nothing of it stands.
private struct PlanCost: Encodable {
  var cycle: String
  var steps: Int
  /// How many steps an earlier run measured, of this cycle or of another; the rest is guessed from the sizes of sources.
  var measuredSteps: Int
  /// Of those; nil where there is none.
  var seconds: Double?
  var buildBytes: Int
  var siteBytes: Int
  /// With one worker a core, or as many as there are to be.
  var memoryBytes: Int

  init(_ settings: RunSettings) throws {
    let sizes = SourceSizes(sources: try? SourceFolder(settings.from), cycle: settings.cycle)
    let run = try RunCosts(settings.plan, sizes, in: settings.workspace, joins: true)
    cycle = settings.cycle.identifier
    steps = run.costs.count
    measuredSteps = run.measured.steps
    seconds = run.measured.steps > 0 ? run.measured.seconds : nil
    buildBytes = run.costs.built
    siteBytes = run.costs.staged
    memoryBytes = MemoryNeed(settings.plan, sizes).bytes(workers: settings.jobs)
  }
}
