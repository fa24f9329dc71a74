internal import Foundation
internal import Pipeline
internal import Validation

/// What a maintainer reads before a cycle goes out: one page, without scripts, that opens from disk.
struct ReportPage {
  let manifest: Manifest

  init(_ manifest: Manifest) {
    self.manifest = manifest
  }

  var data: Data { Data(html.utf8) }

  private var html: String {
    HTMLPage.of(
      title: "Cycle \(escaped(manifest.cycle)): \(verdict.text)", style: ReportStyle.sheet, body: body)
  }

  private var body: String {
    """
    <header>
    <h1>Cycle \(escaped(manifest.cycle))</h1>
    <p>In force from \(day(manifest.effective)) to \(day(manifest.expires)), both at 09:01 UTC.</p>
    <p class="verdict \(verdict.style)"><strong>\(verdict.text)</strong><br>\(summary)</p>
    </header>
    <main>
    \(sections.joined(separator: "\n"))
    </main>
    <footer>
    <p>Validated and staged by \(escaped(manifest.validation.tool)) \(escaped(manifest.validation.version)).
    The same facts for machines: <a href="manifest.json">manifest.json</a>.</p>
    </footer>
    """
  }

  private var sections: [String] {
    let tables = ReportTables(manifest)
    return [
      tables.missing, tables.notes, tables.findings, tables.products, CutTables(manifest).section,
      tables.sources,
    ].compactMap(\.self)
  }

  private var verdict: (text: String, style: String) {
    let warnings = manifest.validation.findings.count + (manifest.notes?.count ?? 0)
    if !manifest.missing.isEmpty {
      return ("Incomplete: \(Counts.of(manifest.missing.count, "product")) missing", "doubt")
    }
    return warnings == 0 ? ("Valid", "good") : ("Valid, with \(Counts.of(warnings, "warning"))", "doubt")
  }

  private var summary: String {
    let bytes = manifest.products.flatMap(\.files).map(\.bytes).reduce(0, +)
    let warnings = manifest.validation.findings.count
    let found =
      warnings == 0 ? "the rules found nothing wrong" : "\(Counts.of(warnings, "warning")) from the rules"
    return "\(Counts.of(manifest.products.count, "product")), \(Counts.bytes(bytes)); \(found)."
  }
}

/// The day of a time of day that is always the same; any other text as it is.
func day(_ text: String) -> String {
  escaped(text.hasSuffix("T09:01:00Z") ? String(text.dropLast("T09:01:00Z".count)) : text)
}
