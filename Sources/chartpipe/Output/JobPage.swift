internal import Core
internal import Foundation

/// Writes the summary of a job in Markdown, and annotations in GitHub Actions.
struct JobPage {
  static let option = OptionSpec(
    "--summary", value: "FILE",
    "append a Markdown summary to FILE (default in GitHub Actions: the page of the job)")

  private let summary: OutputFile?
  private let isMarked: Bool

  init(
    _ arguments: ParsedArguments, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    let place = arguments.value(JobPage.option.name) ?? environment["GITHUB_STEP_SUMMARY"]
    summary = try place.flatMap { $0.isEmpty ? nil : URL(filePath: $0) }.map {
      try OutputFile($0, JobPage.option.name, .summary)
    }
    isMarked = environment["GITHUB_ACTIONS"] == "true"
  }

  func append(_ markdown: String) throws { try summary?.append(markdown) }

  func mark(_ finding: Finding) {
    mark(finding.severity, title: finding.rule, "\(finding.where): \(finding.message)")
  }

  func mark(_ severity: Finding.Severity, title: String, _ message: String) {
    if isMarked { Console.complain(JobPage.annotation(severity, title: title, message) + "\n") }
  }

  /// The line that GitHub Actions reads as an annotation. Characters that would end the line or its title are escaped.
  static func annotation(_ severity: Finding.Severity, title: String, _ message: String) -> String {
    let forms: [Unicode.Scalar: String] = ["%": "%25", "\r": "%0D", "\n": "%0A"]
    let name = title.escaped(forms.merging([":": "%3A", ",": "%2C"]) { $1 })
    return "::\(severity.rawValue) title=\(name)::\(message.escaped(forms))"
  }
}

/// Markdown from untrusted text.
enum Markdown {
  /// Escapes markup, line ends and cell borders.
  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if character.isNewline {
        result += " "
      } else if "\\`*_{}[]<>()#+!|~&".contains(character) {
        result += "&#\(character.unicodeScalars.first?.value ?? 32);"
      } else {
        result.append(character)
      }
    }
  }

  static func table(_ head: [String], _ rows: [[String]]) -> String {
    let line = { (cells: [String]) in "| " + cells.map(escaped).joined(separator: " | ") + " |\n" }
    return line(head) + "|" + String(repeating: " --- |", count: head.count) + "\n" + rows.map(line).joined()
  }

  /// A table after an empty line; nothing without rows.
  static func section(_ head: [String], _ rows: [[String]]) -> String {
    rows.isEmpty ? "" : "\n" + table(head, rows)
  }
}

/// The summary of a run on the page of a job.
extension JobPage {
  static func run(
    _ cycle: AiracCycle, _ outcome: RunOutcome, _ account: RunAccount, staged: StagedSite? = nil,
    published: PublishReport? = nil
  ) -> String {
    let held = staged?.held ?? []
    let isUnsent = published?.unsent.contains { $0.cycle == cycle } ?? false
    let isComplete = outcome.failures.isEmpty && held.isEmpty && !isUnsent
    let mark = isComplete ? "✅" : staged == nil ? "❌" : "⚠️"
    var rows = [
      ["built or up to date", Counts.of(outcome.results.count, "product")],
      ["failed", Counts.of(outcome.failures.count, "product")],
    ]
    if !held.isEmpty { rows.append(["held back", Counts.of(held.count, "product")]) }
    if let staged {
      rows.append(["staged", "\(Counts.of(staged.products, "product")), \(Counts.bytes(staged.bytes))"])
    }
    if let published {
      rows.append(["published", published.text.split(separator: "\n").first.map(String.init) ?? ""])
      rows += published.unsent.map { ["not published", $0.message()] }
      rows += published.returning.map { ["published again", $0.message()] }
    }
    return heading(mark, cycle) + Markdown.table(["", ""], rows + account.cells)
      + Markdown.section(
        ["held back", "rule", "why", "stays published"],
        held.map { [$0.id, $0.rule ?? "", $0.message, $0.published?.edition.description ?? "none"] })
      + Markdown.section(
        ["product", "why"], outcome.failures.map { [$0.step.description, $0.error.message] })
      + Markdown.section(["source", "note"], outcome.notes.map { [$0.source, $0.message] }) + "\n"
  }

  static func ended(_ cycle: AiracCycle, by fault: UserError) -> String {
    heading("❌", cycle) + Markdown.table(["", ""], [["ended by", fault.message]]) + "\n"
  }

  private static func heading(_ mark: String, _ cycle: AiracCycle) -> String {
    "### \(mark) Cycle \(cycle.identifier), effective \(cycle.effectiveDay)\n\n"
  }
}

/// The summary of `verify` on the page of a job.
extension JobPage {
  static func health(_ report: HealthReport) -> String {
    let mark = report.ok ? (report.findings.isEmpty ? "✅" : "⚠️") : "❌"
    var rows = [
      ["site", report.site], ["checked", report.checked.description], ["publishes", report.content],
      ["outlook", report.outlook],
    ]
    if let expires = report.expires { rows.append(["current until", expires.description]) }
    let shown = report.findings.prefix(100).map { [$0.severity.rawValue, $0.rule, $0.where, $0.message] }
    let more = report.findings.count - shown.count
    return "### \(mark) \(Markdown.escaped(report.verdict))\n\n" + Markdown.table(["", ""], rows)
      + Markdown.section(["severity", "rule", "where", "what"], shown)
      + (more > 0 ? "\nand \(more) more\n" : "") + "\n"
  }

  static func unreachable(_ site: String, _ fault: UserError) -> String {
    "### ❌ The site could not be read\n\n"
      + Markdown.table(["", ""], [["site", site], ["why", fault.message]]) + "\n"
  }
}
