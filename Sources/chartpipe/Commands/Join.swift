internal import Core
internal import Foundation

struct Join: Subcommand {
  static let spec = CommandSpec(
    name: "join",
    summary: "Joins the shards that other machines built, then validates, stages and publishes the cycle.",
    operands: OperandSpec(
      name: "PART",
      help: "a part that `chartpipe build --shard` sent, or the folder or s3://bucket/prefix above all parts",
      minimum: 1, places: [.target]),
    options: [
      OptionSpec("--plan", value: "FILE", "refuse parts of any other plan (default: the plan in the parts)"),
      .jobs, .maxDisk, .work, .pipelines, .json, .cache,
    ] + CycleRelease.options,
    examples: """
      chartpipe join parts/2612 --work /srv/chartpipe --publish s3://charts/vfr
        completes edge tiles, builds mosaics, stages the cycle and publishes it, without any source
      chartpipe join s3://bucket/parts --plan plan.json
        refuses the parts of any other plan, and names what is missing, damaged or doubled
      """)

  private let settings: RunSettings
  private let release: CycleRelease
  private let parts: PartSet

  init(_ arguments: ParsedArguments) throws {
    let places = try arguments.operands.map(arguments.parts)
    let expected = try arguments.value("--plan").map { try ShardPlan(contentsOf: URL(filePath: $0)) }
    parts = try PartSet(PartSearch(in: places), of: expected, libraries: arguments.libraries)
    let order = try BuildOrder(
      parts.plan, from: arguments.value("--plan") ?? parts.parts[0].name, arguments)
    guard order.cycle != nil else { throw Self.usageError("the plan has no cycle") }
    settings = try RunSettings(order, arguments, isJoining: true)
    release = try CycleRelease(settings, arguments)
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    try release.run(Self.spec.name, console) { try $0.join(parts) }
  }
}
