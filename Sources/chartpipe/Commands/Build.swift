internal import Core
internal import Foundation

extension CommandSpec {
  static let build = CommandSpec(
    name: "build", summary: "Builds the tile archives and databases of pipelines for one cycle.",
    operands: RunSettings.operands,
    options: RunSettings.options + [
      BuildOrder.planOption, ShardAssignment.option, ShardAssignment.destination, .endpoint,
    ],
    examples: """
      chartpipe build sample-sectional --cycle 2304 --from samples --only Sample_West
        builds one chart, work/build/2304/sample-sectional/Sample_West.mbtiles
      chartpipe build nasr --cycle current --from ~/Downloads --only airports
        builds a small database of airports, runways and frequencies from the FAA's CSV zip alone
      chartpipe build sample-sectional --cycle 2304 --from samples --variant webp-2x
        builds the charts as WebP tiles of 512 px in work/build/2304/sample-sectional-webp-2x
      chartpipe build --plan plan.json --shard 2/3 --to s3://bucket/parts
        builds a shard and sends it to part-2-of-3/ there (exit 5: sent, but some products failed)
      """,
    action: runBuild)
}

private func runBuild(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let order = try BuildOrder(arguments)
  let settings = try RunSettings(order, arguments)
  let shard = try ShardAssignment(order, cycle: settings.cycle, arguments)
  let destination = try arguments.value(ShardAssignment.destination.name).map(arguments.parts)
  guard shard != nil || destination == nil else {
    throw arguments.usageError("--to needs --shard", remedy: "A whole build is not sent anywhere.")
  }
  let run = try PipelineRun(settings, console)
  let plan = shard?.products ?? settings.plan
  let description = settings.workspace.root.appending(path: BuildPart.fileName)
  // Until the shard is complete, nothing describes it.
  if shard != nil { try? FileManager.default.removeItem(at: description) }
  let outcome = try run.build(plan)
  var sent: String?
  if let shard {
    let part = try shard.part(outcome, settings, entry: run.entry)
    let scratch = settings.workspace.scratchFile(BuildPart.fileName)
    try DurableFile.write(CanonicalJSON.pretty(part), to: description, scratch: scratch)
    sent = try destination.map { try send(part, to: $0, outcome, run, settings, console) }
  }
  try console.result(
    BuildReport(outcome, part: sent),
    text: outcome.results.flatMap(\.files).map { $0.url.path + "\n" }.joined())
  let verdict = try run.close(outcome)
  if plan.leavesJoining { console.note("`chartpipe join` completes edge tiles and builds mosaics.") }
  // The part is whole and states its failures, so the join can go on.
  return sent != nil && verdict != nil ? .partlyDone : verdict
}

/// Sends a shard to its destination, and returns where it is.
private func send(
  _ part: BuildPart, to destination: PublishTarget, _ outcome: RunOutcome, _ run: PipelineRun,
  _ settings: RunSettings, _ console: Console
) throws -> String {
  let times = outcome.results.compactMap { result in
    run.entry(of: result.step).map { (result.step.product, $0.seconds) }
  }
  let sent = try destination.send(
    part, from: settings.workspace.root, seconds: Dictionary(times) { $1 }, progress: console.progress)
  console.note("Shard \(part.shard) is \(sent.isNew ? "sent" : "already sent") to \(sent.name).")
  return sent.name
}

/// The output of `chartpipe build --json`.
struct BuildReport: Encodable {
  struct Item: Encodable {
    var product: String
    var files: [String]?
    var message: String?
  }

  var built: [Item]
  var failed: [Item]
  /// Where the shard was sent; nil if it was not sent.
  var part: String?

  init(_ outcome: RunOutcome, part: String? = nil) {
    self.part = part
    built = outcome.results.map { Item(product: $0.step.description, files: $0.files.map(\.url.path)) }
    failed = outcome.failures.map { Item(product: $0.step.description, message: $0.error.message) }
  }
}
