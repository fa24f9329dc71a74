internal import Core
internal import Foundation
internal import Pipeline
internal import Validation

/// What a maintainer reads before a cycle goes out: one page, without scripts, that opens from disk.
struct ReportPage {
  private let content: ReportContent

  init(_ content: ReportContent) {
    self.content = content
  }

  /// The pictures are drawn as the page is written, one chart at a time.
  func data(progress: any ProgressReporter) throws -> Data {
    let verdict = ReportVerdict(content)
    let sections = try self.sections(progress)
    let title = "\(content.cycle.isEmpty ? "Validation" : "Cycle \(content.cycle)"): \(verdict.headline)"
    let page = HTMLPage.of(
      title: escaped(title), style: PageStyle.sheet + "\n" + ReportStyle.sheet,
      body: """
        <header>
        <h1>\(content.cycle.isEmpty ? "Validation" : "Cycle \(escaped(content.cycle))")</h1>
        \(term)
        \(verdict.html)
        \(ReportFigures(content).html)
        \(contents(sections))
        </header>
        <main>
        \(sections.map(\.html).joined(separator: "\n"))
        </main>
        \(footer)
        """)
    return Data(page.utf8)
  }

  private var term: String {
    guard let term = content.term else { return "" }
    return "<p>In force from \(day(term.effective)) to \(day(term.expires)), both at 09:01 UTC.</p>"
  }

  private func sections(_ progress: any ProgressReporter) throws -> [ReportSection] {
    let findings = FindingSections(content)
    return [
      HeldSection(content).section, findings.missing, findings.errors, findings.warnings, findings.notes,
      findings.accepted,
      ProductIndex(content).section, try ChartSection(content).section(progress),
      DatabaseSection(content).section, ExportSection(content).section, SourceSection(content).section,
    ].compactMap(\.self)
  }

  private func contents(_ sections: [ReportSection]) -> String {
    guard sections.count > 1 else { return "" }
    let links = sections.map { "<li><a href=\"#\($0.anchor)\">\($0.title)</a></li>" }
    return "<nav aria-label=\"Sections\"><ul>\(links.joined())</ul></nav>"
  }

  private var footer: String {
    let manifest =
      content.isStaged ? "\nThe same facts for machines: <a href=\"manifest.json\">manifest.json</a>." : ""
    return """
      <footer>
      <p>Validated\(content.isStaged ? " and staged" : "") by \(escaped(content.tool)) \(escaped(content.version)).\(manifest)
      Not for navigation: check against current official sources.</p>
      </footer>
      """
  }
}

/// A part of the report that the head of the page leads to.
struct ReportSection {
  let title: String
  let anchor: String
  let html: String

  /// - Parameter body: HTML already.
  init(_ title: String, anchor: String, count: Int? = nil, _ body: String) {
    (self.title, self.anchor) = (title, anchor)
    let number = count.map { " <small>\(Counts.grouped($0))</small>" } ?? ""
    html = """
      <section id="\(anchor)">
      <h2>\(title)\(number)</h2>
      \(body)
      </section>
      """
  }
}

/// The day of a time of day that is always the same; any other text as it is.
func day(_ text: String) -> String {
  escaped(text.hasSuffix("T09:01:00Z") ? String(text.dropLast("T09:01:00Z".count)) : text)
}
