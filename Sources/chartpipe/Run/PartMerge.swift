internal import Core
internal import Foundation

/// Moves the products of other machines into the work folder, as if this machine had built them.
///
/// A product whose files and journal entry are there already is not copied again, so a killed join continues.
struct PartMerge {
  let parts: PartSet
  let workspace: Workspace
  let journal: Journal
  let room: DiskSpace
  let progress: any ProgressReporter
  let now: () -> String

  private struct Delivery: Sendable {
    let part: FoundPart
    let built: BuildPart.Built
    let seconds: Double
  }

  /// The number of files that are copied at a time. More than one helps with a store, whose answers take time.
  private static let width = 4

  /// - Returns: the results and failures of the parts, in the order of a run.
  func run(_ plan: BuildPlan) throws -> RunOutcome {
    try parts.checkProducts(of: plan.units.map { $0.map(\.product) })
    var deliveries: [String: Delivery] = [:]
    for part in parts.parts {
      let seconds = part.seconds()
      for built in part.part.built {
        deliveries[built.product] = Delivery(part: part, built: built, seconds: seconds[built.product] ?? 0)
      }
    }
    let ordered = plan.items.compactMap { deliveries[$0.product] }
    let lacking = ordered.filter { !isThere($0.built) }
    try room.check(
      lacking.flatMap(\.built.files).map(\.bytes).reduce(0, +),
      for: "the parts of cycle \(parts.plan.cycle ?? "")")
    var outcome = RunOutcome()
    for (index, delivery) in lacking.enumerated() {
      progress.report(.advanced(step: "join", done: index, total: lacking.count, unit: "products"))
      try take(delivery)
    }
    outcome.results = ordered.map { result(of: $0.built) }
    let order = Dictionary(uniqueKeysWithValues: plan.items.enumerated().map { ($1.product, $0) })
    outcome.failures = parts.parts.flatMap(\.part.failures)
      .sorted { order[$0.product, default: 0] < order[$1.product, default: 0] }
      .map { (Step.ID(product: $0.product), $0.error) }
    for failure in outcome.failures {
      progress.report(.failed(step: failure.step.description, fault: failure.error))
    }
    outcome.notes = Set(parts.parts.flatMap(\.part.notes)).sorted {
      ($0.source, $0.message) < ($1.source, $1.message)
    }
    return outcome
  }

  private func final(_ file: Journal.Entry.Output) -> URL { workspace.root.appending(path: file.path) }

  private func result(of built: BuildPart.Built) -> StepResult {
    StepResult(
      step: Step.ID(product: built.product), key: built.key,
      files: built.files.map { .init(url: final($0), role: $0.role) })
  }

  private func isThere(_ built: BuildPart.Built) -> Bool {
    let step = Step.ID(product: built.product)
    return journal[step]?.outputs == built.files && journal.result(of: step, key: built.key) != nil
  }

  /// Copies the files of a product, verifies them, and moves them to their names, the description last.
  private func take(_ delivery: Delivery) throws {
    let (part, built) = (delivery.part, delivery.built)
    defer { try? workspace.prepare() }
    let copies = built.files.map { workspace.scratchFile(URL(filePath: $0.path).lastPathComponent) }
    try processEach(Array(built.files.indices), width: PartMerge.width) { index in
      try part.copy(built.files[index], to: copies[index])
    }
    try check(built, description: copies[copies.count - 1], of: part)
    for (file, copy) in zip(built.files, copies) { try DurableFile.publish(copy, as: final(file)) }
    try journal.append(result(of: built), seconds: delivery.seconds, finished: now())
    progress.finish(
      built.product, "\(Counts.bytes(built.files.map(\.bytes).reduce(0, +))) from shard \(part.part.shard)")
  }

  /// The description names files that later steps open, so it must name files of the part only.
  private func check(_ built: BuildPart.Built, description: URL, of part: FoundPart) throws {
    let file = built.files[built.files.count - 1]
    let product = try? Product(describedBy: description)
    guard let product, product.id == built.product, product.cycle.identifier == parts.plan.cycle else {
      throw part.damaged(file, "it does not describe \(built.product) of cycle \(parts.plan.cycle ?? "")")
    }
    let folder = file.path.prefix(upTo: file.path.lastIndex(of: "/") ?? file.path.startIndex)
    for listed in product.files {
      let isListed = built.files.dropLast().contains {
        $0.path == "\(folder)/\(listed.path)" && $0.sha256 == listed.sha256 && $0.bytes == listed.bytes
      }
      guard isListed else {
        throw part.damaged(file, "it lists \"\(listed.path)\", which the part does not have")
      }
    }
  }
}
