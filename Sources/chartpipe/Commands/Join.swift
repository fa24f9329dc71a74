internal import Core
internal import Foundation

extension CommandSpec {
  static let join = CommandSpec(
    name: "join",
    summary: "Joins the shards that other machines built, then validates, stages and publishes the cycle.",
    operands: OperandSpec(
      name: "PART",
      help: "a part that `chartpipe build --shard` sent, or the folder or s3://bucket/prefix above all parts",
      maximum: nil, places: [.target]),
    options: [
      OptionSpec("--plan", value: "FILE", "refuse parts of any other plan (default: the plan in the parts)"),
      .jobs, .maxDisk, .work, .pipelines, .json, .cache,
    ] + CycleRelease.options,
    examples: """
      chartpipe join parts/2612 --work /srv/chartpipe --publish s3://charts/vfr
        completes edge tiles, builds mosaics, stages the cycle and publishes it, without any source
      chartpipe join s3://bucket/parts --plan plan.json
        refuses the parts of any other plan, and names what is missing, damaged or doubled
      """,
    action: runJoin)
}

private func runJoin(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let places = try arguments.operands.map(arguments.parts)
  let expected = try arguments.value("--plan").map { try ShardPlan(contentsOf: URL(filePath: $0)) }
  let parts = try PartSet(PartSearch(in: places), of: expected, libraries: StepContext.libraries)
  let order = try BuildOrder(parts.plan, from: arguments.value("--plan") ?? parts.parts[0].name, arguments)
  guard order.cycle != nil else { throw arguments.usageError("the plan has no cycle") }
  let settings = try RunSettings(order, arguments, isJoining: true)
  return try CycleRelease(settings, arguments).run(console) { try $0.join(parts) }
}
