import Core
import Pipeline
import Site
import Validation

/// What a site's examination says on the page of a job.
enum HealthPage {
  static func text(_ report: HealthReport) -> String {
    let mark = report.ok ? (report.findings.isEmpty ? "✅" : "⚠️") : "❌"
    var rows = [
      ["site", report.site], ["looked at", report.checked], ["has", report.offer],
      ["outlook", report.outlook],
    ]
    if let expires = report.expires { rows.append(["current until", expires]) }
    var text = "### \(mark) \(Markdown.escaped(report.verdict))\n\n" + Markdown.table(["", ""], rows)
    if !report.findings.isEmpty {
      let shown = report.findings.prefix(100).map { [$0.severity.rawValue, $0.rule, $0.where, $0.message] }
      text += "\n" + Markdown.table(["severity", "rule", "where", "what"], shown)
      let more = report.findings.count - shown.count
      if more > 0 { text += "\nand \(more) more\n" }
    }
    return text + "\n"
  }

  static func unreachable(_ site: String, _ fault: UserError) -> String {
    "### ❌ The site could not be read\n\n"
      + Markdown.table(["", ""], [["site", site], ["why", fault.message]]) + "\n"
  }
}
