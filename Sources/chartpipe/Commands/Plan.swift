internal import Core
internal import Foundation

extension CommandSpec {
  static let plan = CommandSpec(
    name: "plan", summary: "Prints the products of a run, divided among machines.",
    operands: RunSettings.operands,
    options: [
      OptionSpec(
        "--shards", value: "N",
        "divide the products among N machines that build about equally long, as measured by earlier runs in the work folder, else as estimated from the sources or the definitions"
      ),
      OptionSpec(
        "--format", value: "F",
        "json (default); or for an engine: github prints the matrix of a job, slurm a script for sbatch, kubernetes an Indexed Job with its join"
      ),
      OptionSpec(
        "--output", value: "FILE", "write the plan as JSON to FILE, for `fetch`, `build` and `join`"),
      BuildOrder.planOption,
      OptionSpec(
        "--to", value: "PLACE",
        "with --format slurm or kubernetes, the folder or s3://bucket/prefix through which the shards are exchanged"
      ),
      OptionSpec("--cycle", value: "C", "plan the shards of this cycle"),
      .from, .only, .variant, .rawTables, .work, .pipelines, .json,
    ],
    examples: """
      chartpipe plan vfr-sectional nasr
        prints the products of both definitions
      chartpipe plan vfr-sectional nasr --cycle 2612 --shards 8 --output plan.json
        writes a plan; each machine runs `chartpipe build --plan plan.json --shard I/8 --to PLACE`
      chartpipe plan --plan plan.json --format github
        prints {"include":[{"shard":"1/8",...},...]} for `strategy.matrix: ${{ fromJSON(...) }}`
      chartpipe plan vfr-sectional nasr --cycle 2612 --shards 8 --format slurm > cycle.sbatch
        prints a script; `sbatch cycle.sbatch` submits an array of 8 jobs and the join after it
      chartpipe plan vfr-sectional nasr --cycle 2612 --shards 8 --format kubernetes | kubectl apply -f -
        creates a Job of 8 indexes and a suspended Job for the join; its first lines say how to start that
      """,
    action: runPlan)
}

private func runPlan(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let format = try format(arguments.value("--format") ?? "json", arguments)
  if format != nil, arguments.has("--json") {
    throw arguments.usageError(
      "--json and --format exclude each other", remedy: "The plan is JSON without --format.")
  }
  let order = try BuildOrder(arguments)
  let settings = try arguments.value("--cycle").map { _ in try RunSettings(order, arguments) }
  let count = try arguments.count("--shards")
  if order.divided != nil, count != nil {
    throw arguments.usageError("--shards cannot be given with --plan", remedy: "The plan contains it.")
  }
  let divided = try order.divided ?? count.map { try divide(order, among: $0, settings) }
  let inputs = [arguments.value(BuildOrder.planOption.name)].compactMap(\.self).map { URL(filePath: $0) }
  let output = try OutputFile("--output", of: arguments, .plan, inputs: inputs)
  let isWhole = format == nil && output == nil
  guard divided != nil || isWhole else {
    throw arguments.usageError("--format and --output need --shards", remedy: "One shard is --shards 1.")
  }
  guard divided?.cycle != nil || isWhole else {
    throw arguments.usageError("--format and --output need --cycle")
  }
  guard let divided else {
    let (plan, products) = (order.plan, order.plan.items.map(\.product))
    try console.result(
      json: PlanReport(
        pipelines: plan.pipelines, products: products.count, shards: [.init(products: products)]))
    return nil
  }
  try output?.write(CanonicalJSON.pretty(divided))
  if let format {
    try console.result(format.text(divided, place: arguments.value("--to")))
  } else if output == nil {
    try console.result(json: divided)
  }
  return nil
}

/// Returns nil for JSON.
private func format(_ name: String, _ arguments: ParsedArguments) throws -> EngineFormat? {
  if name == "json" { return nil }
  if let format = EngineFormat(rawValue: name) { return format }
  let names = ["json"] + EngineFormat.allCases.map(\.rawValue)
  throw arguments.usageError(
    "there is no format \"\(name)\"", remedy: "The formats are \(names.joined(separator: ", ")).")
}

/// - Parameter settings: nil without a cycle; then the division is that of a build without a plan.
private func divide(_ order: BuildOrder, among count: Int, _ settings: RunSettings?) throws -> ShardPlan {
  let times =
    try settings.map { settings in
      ProductTimes(
        order.plan, history: try StepHistory(in: settings.workspace),
        sizes: SourceSizes(sources: try? SourceFolder(settings.from), cycle: settings.cycle))
    } ?? ProductTimes(order.plan)
  return try ShardPlan(
    order.plan, selection: order.selection, cycle: settings?.cycle.identifier, shards: count,
    measured: order.plan.items.count(where: times.isMeasured), milliseconds: times.milliseconds)
}

/// The result of `chartpipe plan` for one machine.
private struct PlanReport: Encodable {
  var pipelines: [String]
  var products: Int
  var shards: [Shard]
  var afterwards: [String] = []

  struct Shard: Encodable {
    var shard = "1/1"
    var products: [String]
  }
}
