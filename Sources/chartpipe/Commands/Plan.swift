import Core
import Fetch
import Pipeline

struct Plan: Subcommand {
  static let spec = CommandSpec(
    name: "plan", summary: "Prints the products of a run, divided among machines, and its expected cost.",
    operands: RunSettings.operands,
    options: [
      OptionSpec("--shards", value: "N", "divide the work among N machines (default: 1)"),
      OptionSpec("--format", value: "F", "the output format; only json"),
      OptionSpec(
        "--cycle", value: "C",
        "also print the disk space, memory and, if an earlier run measured it, time for this cycle"),
      .from, .only, .variant, .work, .pipelines,
    ],
    examples: [
      (
        "chartpipe plan sample-sectional sample-terminal --shards 2 --format json",
        "prints the products of each machine; each runs `chartpipe build ... --shard I/2`"
      ),
      (
        "chartpipe plan vfr-sectional nasr --cycle next",
        "prints the disk space, memory and time for a complete build of the next cycle"
      ),
    ])

  private let plan: BuildPlan
  private let shards: Int
  private let cost: PlanCost?

  init(_ arguments: ParsedArguments) throws {
    let format = arguments.value("--format") ?? "json"
    guard format == "json" else {
      throw Self.usageError("there is no format \"\(format)\"", remedy: "The only format is json.")
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

/// The result of `chartpipe plan`.
private struct PlanReport: Encodable {
  struct Shard: Encodable {
    var shard: String
    var products: [String]
  }

  var pipelines: [String]
  var products: Int
  var shards: [Shard]
  /// The products that a run builds from the charts of all shards.
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

/// The expected cost of a complete build.
private struct PlanCost: Encodable {
  var cycle: String
  var steps: Int
  /// The number of steps that an earlier run of any cycle measured. The others are estimated from the sizes of their sources.
  var measuredSteps: Int
  /// The time of the measured steps; nil if there is none.
  var seconds: Double?
  var buildBytes: Int
  var siteBytes: Int
  /// The memory with one worker per core, or with `--jobs` workers.
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
