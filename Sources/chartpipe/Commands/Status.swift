internal import Core
internal import Foundation

extension CommandSpec {
  static let status = CommandSpec(
    name: "status",
    summary: "Lists the finished steps of a work folder: when, how long, and from which sources.",
    options: [OptionSpec("--cycle", value: "C", "only this cycle, with each of its steps"), .work, .json],
    examples: """
      chartpipe status
        prints one line for each cycle
      chartpipe status --cycle 2612
        prints each step of a chart or database, and whether its files are unchanged
      """,
    action: runStatus)
}

private func runStatus(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let workspace = arguments.workspace
  let root = workspace.root
  guard root.kindOnDisk == .folder else {
    throw UserError(
      .badCall, operation: "reading the work folder", path: root.path, reason: root.missingFolderReason,
      suggestion: "Name a folder with --work in which `chartpipe run` or `chartpipe build` worked.")
  }
  let cycle = try arguments.value("--cycle").map { try arguments.cycle($0).identifier }
  let report = try StatusReport(workspace, only: cycle)
  try console.result(report, text: report.text(details: cycle != nil))
  return nil
}

/// The contents of a work folder's journals: the finished steps, their times and sources, and whether their files are unchanged.
struct StatusReport: Encodable {
  struct Cycle: Encodable {
    var cycle: String
    var steps: [Step]
    var seconds: Double
    var finished: String
    /// The charts that the last validation refused.
    var refused: [String]
  }

  struct Step: Encodable {
    var step: String
    var finished: String
    var seconds: Double
    var bytes: Int
    var sources: [String]
    /// Whether its files are unchanged.
    var stands: Bool
  }

  var work: String
  var cycles: [Cycle]

  init(_ workspace: Workspace, only cycle: String?) throws {
    work = workspace.root.path
    cycles = try Journal.cycles(in: workspace).filter { cycle == nil || $0 == cycle }.map { name in
      let journal = try Journal(cycle: name, in: workspace)
      let steps = journal.entries.map { Step($0, journal, workspace) }
      return Cycle(
        cycle: name, steps: steps, seconds: (steps.map(\.seconds).reduce(0, +) * 1000).rounded() / 1000,
        finished: steps.last?.finished ?? "",
        refused: journal.refusedCharts.keys.sorted())
    }
  }

  /// - Parameter details: whether to list every step.
  func text(details: Bool) -> String {
    if cycles.isEmpty { return "\(work) has no finished steps.\n" }
    return cycles.map { cycle in
      guard !cycle.steps.isEmpty else {
        return "Cycle \(cycle.cycle): no finished steps that this version can use.\n"
      }
      let changed = cycle.steps.count { !$0.stands }
      let head =
        "Cycle \(cycle.cycle): \(Counts.of(cycle.steps.count, "step")) in "
        + "\(Counts.duration(cycle.seconds)), the last at \(cycle.finished)"
        + (changed == 0 ? ".\n" : "; \(changed) changed or missing.\n")
      let refused =
        cycle.refused.isEmpty ? "" : "  refused by validation: \(cycle.refused.joined(separator: ", "))\n"
      return head + refused + (details ? cycle.steps.map(line).joined() : "")
    }.joined()
  }

  private func line(_ step: Step) -> String {
    let state = step.stands ? "ok     " : "CHANGED"
    return
      "  \(state) \(step.step)  \(Counts.bytes(step.bytes)), \(Counts.duration(step.seconds)), \(step.finished)"
      + (step.sources.isEmpty ? "" : ", from \(step.sources.joined(separator: ", "))") + "\n"
  }
}

extension StatusReport.Step {
  fileprivate init(_ entry: Journal.Entry, _ journal: Journal, _ workspace: Workspace) {
    let product = entry.outputs.first { $0.role == .product }
      .flatMap { try? Product(describedBy: workspace.root.appending(path: $0.path)) }
    self.init(
      step: entry.step.description, finished: entry.finished, seconds: entry.seconds,
      bytes: entry.bytes, sources: product?.sources.map(\.url) ?? [],
      stands: journal.result(of: entry.step, key: entry.key) != nil)
  }
}
