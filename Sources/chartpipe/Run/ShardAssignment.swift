internal import Core

/// The shard of a plan that this machine fetches or builds.
struct ShardAssignment: Sendable {
  static let option = OptionSpec(
    "--shard", value: "I/N",
    "only the I-th of N shards, as `chartpipe plan --shards N` divides the work; without --plan, as estimated from the definitions alone, so all machines find the same division"
  )
  static let destination = OptionSpec(
    "--to", value: "PLACE",
    "send the finished shard to a folder or to s3://bucket/prefix, as part-I-of-N, for `chartpipe join`")

  let number: ShardNumber
  let plan: ShardPlan
  /// The products of this shard.
  let products: BuildPlan

  /// Returns nil without `--shard`.
  init?(_ order: BuildOrder, cycle: AiracCycle, _ arguments: ParsedArguments) throws {
    guard let text = arguments.value(ShardAssignment.option.name) else {
      guard order.divided == nil else {
        throw arguments.usageError(
          "--plan needs --shard",
          remedy: "The plan has the shards \(order.divided?.range ?? "").")
      }
      return nil
    }
    guard let number = ShardNumber(text) else {
      throw arguments.usageError("--shard takes I/N, such as 2/3, not \"\(text)\"")
    }
    let plan =
      try order.divided
      ?? ShardPlan(
        order.plan, selection: order.selection, cycle: cycle.identifier, shards: number.count, measured: 0,
        milliseconds: ProductTimes(order.plan).milliseconds)
    guard let shard = plan[number] else {
      throw arguments.usageError(
        "the plan has no shard \(number)", remedy: "It has the shards \(plan.range).")
    }
    self.number = number
    self.plan = plan
    products = order.plan.shard(shard.products)
  }

  /// Describes the products that this machine built, and the reasons for the others.
  func part(_ outcome: RunOutcome, _ settings: RunSettings, entry: (Step.ID) -> Journal.Entry?) throws
    -> BuildPart
  {
    let done = Set(outcome.results.map(\.step))
    let built = products.items.map(\.step).filter(done.contains).compactMap(entry)
    let folders = [settings.from, settings.workspace.root]
    return try BuildPart(
      number: number, planSha256: plan.sha256(), plan: plan, libraries: StepContext.libraries,
      built: built.map(BuildPart.Built.init),
      failures: outcome.failures.map { .init($0.step, $0.error, leavingOut: folders) },
      notes: outcome.notes)
  }
}

extension ShardPlan {
  /// `1/3 to 3/3`
  fileprivate var range: String {
    shards.count > 1 ? "1/\(shards.count) to \(shards.count)/\(shards.count)" : "1/1"
  }
}
