import Core
import Pipeline
import Site

/// What a run says on the page of a job.
enum RunPage {
  static func text(
    _ cycle: AiracCycle, _ outcome: RunOutcome, _ account: RunAccount, staged: StagedSite? = nil,
    published: PublishReport? = nil
  ) -> String {
    let held = staged?.held ?? []
    let isUnsent = published?.unsent.contains { $0.cycle == cycle.identifier } ?? false
    let isComplete = outcome.failures.isEmpty && held.isEmpty && !isUnsent
    let mark = isComplete ? "✅" : staged == nil ? "❌" : "⚠️"
    var rows = [
      ["made or standing", Counts.of(outcome.outputs.count, "product")],
      ["failed", Counts.of(outcome.failures.count, "product")],
    ]
    if !held.isEmpty { rows.append(["held back", Counts.of(held.count, "product")]) }
    if let staged {
      rows.append(["staged", "\(Counts.of(staged.products, "product")), \(Counts.bytes(staged.bytes))"])
    }
    if let published {
      rows.append(["published", published.text.split(separator: "\n").first.map(String.init) ?? ""])
      rows += published.unsent.map { ["not published", $0.message()] }
      rows += published.comebacks.map { ["published again", $0.message()] }
    }
    var text = heading(mark, cycle) + Markdown.table(["", ""], rows + account.cells)
    if !held.isEmpty {
      let reasons = held.map { [$0.id, $0.rule ?? "", $0.message, $0.published?.edition ?? "none"] }
      text += "\n" + Markdown.table(["held back", "rule", "why", "stays published"], reasons)
    }
    if !outcome.failures.isEmpty {
      text +=
        "\n" + Markdown.table(["product", "why"], outcome.failures.map { [$0.step, $0.fault.message] })
    }
    if !outcome.notes.isEmpty {
      text += "\n" + Markdown.table(["source", "noticed"], outcome.notes.map { [$0.source, $0.message] })
    }
    return text + "\n"
  }

  static func ended(_ cycle: AiracCycle, by fault: UserError) -> String {
    heading("❌", cycle) + Markdown.table(["", ""], [["ended by", fault.message]]) + "\n"
  }

  private static func heading(_ mark: String, _ cycle: AiracCycle) -> String {
    "### \(mark) Cycle \(cycle.identifier), effective \(cycle.effectiveDay)\n\n"
  }
}
