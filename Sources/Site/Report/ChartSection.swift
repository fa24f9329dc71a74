internal import Core
internal import Foundation
internal import Pipeline
internal import Validation

/// A card for each chart.
struct ChartSection {
  private static let step = "report"
  private let content: ReportContent

  init(_ content: ReportContent) { self.content = content }

  /// Nil when there is no chart.
  func section(_ progress: any ProgressReporter) throws -> ReportSection? {
    let charts = content.products(.chart)
    guard !charts.isEmpty else { return nil }
    progress.report(.started(step: ChartSection.step))
    let cards = try charts.enumerated().map { index, chart in
      try CancellationToken.current.check()
      let card = ChartCard(
        chart.product, facts: content.facts[chart.product.id], findings: content.findings(of: chart.product),
        pictures: pictures(of: chart), isStaged: content.isStaged)
      progress.report(
        .advanced(step: ChartSection.step, done: index + 1, total: charts.count, unit: "charts"))
      return card.html
    }
    progress.report(.finished(step: ChartSection.step, detail: Counts.of(charts.count, "chart") + " drawn"))
    return ReportSection(
      "Charts", anchor: "charts", count: cards.count,
      """
      <p class="soft">Pink ticks stand outside the neatline. At each edge the map should end there: no collar within, no map lost.</p>
      <div class="cards">
      \(cards.joined(separator: "\n"))
      </div>
      """)
  }

  /// What cannot be drawn stops nothing; the card says why.
  private func pictures(of chart: PlacedProduct) -> Result<ChartPictures, any Error> {
    Result {
      let files = chart.product.files
      let archive = files.first { $0.role == "tiles" } ?? files.first { $0.role == "pmtiles" }
      guard let archive else {
        throw UserError(.badInput, operation: "drawing", path: chart.product.id, reason: "it has no archive")
      }
      return try ChartPictures(
        of: chart.folder.appending(path: archive.path), insets: chart.product.cut?.insets ?? [])
    }
  }
}
