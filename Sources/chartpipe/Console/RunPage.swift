import Airac
import Delivery
import Pipeline

/// What a run says on the page of a job.
enum RunPage {
  static func text(
    _ cycle: AiracCycle, _ outcome: RunOutcome, _ account: RunAccount, staged: StagedSite? = nil,
    published: PublishReport? = nil
  ) -> String {
    let mark = outcome.failures.isEmpty ? "✅" : staged == nil ? "❌" : "⚠️"
    var rows = [
      ["made or standing", Counts.of(outcome.outputs.count, "product")],
      ["failed", Counts.of(outcome.failures.count, "product")],
    ]
    if let staged {
      rows.append(["staged", "\(Counts.of(staged.products, "product")), \(Counts.bytes(staged.bytes))"])
    }
    if let published {
      rows.append(["published", published.text.split(separator: "\n").first.map(String.init) ?? ""])
    }
    var text = heading(mark, cycle) + Markdown.table(["", ""], rows + account.cells)
    if !outcome.failures.isEmpty {
      text +=
        "\n" + Markdown.table(["product", "why"], outcome.failures.map { [$0.step, $0.fault.message] })
    }
    if !outcome.notes.isEmpty {
      text += "\n" + Markdown.table(["source", "noticed"], outcome.notes.map { [$0.source, $0.message] })
    }
    return text + "\n"
  }

  static func ended(_ cycle: AiracCycle, by fault: Fault) -> String {
    heading("❌", cycle) + Markdown.table(["", ""], [["ended by", fault.message]]) + "\n"
  }

  private static func heading(_ mark: String, _ cycle: AiracCycle) -> String {
    "### \(mark) Cycle \(cycle.identifier), effective \(cycle.effectiveDay)\n\n"
  }
}
