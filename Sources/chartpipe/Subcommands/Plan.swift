import Pipeline

struct Plan: Subcommand {
  static let spec = CommandSpec(
    name: "plan", summary: "Shows what a run would make, shared out over machines.",
    operands: RunSettings.operands,
    options: [
      OptionSpec("--shards", value: "N", "share the work out over N machines (default: 1)"),
      OptionSpec("--format", value: "F", "json, the only one so far"),
      .only, .pipelines,
    ],
    examples: [
      (
        "chartpipe plan sample-sectional sample-terminal --shards 2 --format json",
        "which machine makes what; each one runs `chartpipe build ... --shard I/2`"
      )
    ])

  private let plan: BuildPlan
  private let shards: Int

  init(_ arguments: ParsedArguments) throws {
    let format = arguments.value("--format") ?? "json"
    guard format == "json" else { throw Self.fault("there is no format \"\(format)\"", remedy: "Use json.") }
    shards = try arguments.count("--shards", command: Self.spec.name) ?? 1
    plan = try RunSettings.plan(arguments, command: Self.spec.name)
  }

  func run(_ console: Console) throws -> Fault.Kind? {
    try console.result(json: PlanReport(plan, shards: shards))
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

  init(_ plan: BuildPlan, shards count: Int) {
    pipelines = plan.pipelines
    products = plan.items.count
    afterwards = count > 1 ? plan.joined.map(\.product) : []
    shards = (1...count).map { number in
      Shard(shard: "\(number)/\(count)", products: plan.shard(number, of: count).items.map(\.product))
    }
  }
}
