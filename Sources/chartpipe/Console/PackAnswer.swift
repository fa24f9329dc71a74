import Core
import Foundation
import Packs
import Pipeline

/// The answer of `chartpipe pack --json`: what the pack holds, and where it is once it is written.
struct PackAnswer: Encodable {
  var plan: PackPlan
  /// Nil for a dry run, as are the others.
  var file: String?
  var fileBytes: Int?
  var distinctTiles: Int?
  var airportsFile: String?
  var airportsBytes: Int?

  init(_ plan: PackPlan) { self.plan = plan }

  init(_ plan: PackPlan, _ outcome: PackOutcome, _ out: URL, _ airports: URL?) {
    self.plan = plan
    file = out.relativePath
    fileBytes = out.fileSize
    distinctTiles = outcome.distinctTiles
    airportsFile = airports?.relativePath
    airportsBytes = airports?.fileSize
  }

  /// One line before the work begins.
  var forecast: String {
    let download = plan.downloadBytes > 0 ? ", after a download of \(Counts.bytes(plan.downloadBytes))" : ""
    return
      "\(plan.name): \(Counts.of(plan.tiles, "tile")) of zooms \(zoomText), about \(Counts.bytes(plan.bytes))\(download)"
  }

  private var zoomText: String { "\(plan.zooms.first?.zoom ?? 0)-\(plan.zooms.last?.zoom ?? 0)" }

  var text: String {
    var lines = [file == nil ? forecast + (plan.isEstimate ? " (estimated)" : "") : written]
    lines += plan.points.map { point in
      "  point     \(point.name): \(point.kind), \(degrees(point.latitude)), \(degrees(point.longitude))"
    }
    lines += plan.charts.map { chart in
      let until = chart.expires.map { ", until \($0)" } ?? ""
      return "  chart     \(chart.id)\(chart.edition.map { ", edition of \($0)" } ?? "")\(until)"
    }
    lines += plan.zooms.map { zoom in
      "  zoom \(zoom.zoom < 10 ? " " : "")\(zoom.zoom)   \(Counts.of(zoom.tiles, "tile"))\(zoom.bytes.map { ", \(Counts.bytes($0))" } ?? "")"
    }
    if let airports = plan.airports {
      let place = airportsFile.map { ": \($0), \(Counts.bytes(airportsBytes ?? 0))" } ?? ""
      lines.append("  airports  \(Counts.grouped(airports))\(place)")
    }
    lines += plan.gaps.map { "  gap       \($0)" }
    if file == nil { lines += plan.notes.map { "  note      \($0)" } }
    return lines.joined(separator: "\n") + "\n"
  }

  private var written: String {
    "\(file ?? ""): \(plan.name), \(Counts.of(plan.tiles, "tile")), \(Counts.bytes(fileBytes ?? 0))"
  }

  private func degrees(_ number: Double) -> String { String(format: "%.5f", number) }
}
