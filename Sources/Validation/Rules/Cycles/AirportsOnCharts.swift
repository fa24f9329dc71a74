internal import Core
internal import Pipeline
internal import SQLiteIO

/// The airports of the cycle's database against the charts in whose boxes they lie.
struct AirportsOnCharts: CycleRule {
  let name = "airports-on-charts"
  let protects = "No airport is hidden behind a legend, or lost beyond an edge that was cut too far in."

  private static let shown = 8

  func check(_ cycle: CycleUnderTest) throws -> [Finding] {
    let complete = cycle.families.filter(\.isComplete)
    guard !complete.isEmpty else { return [] }
    let airports = try cycle.all.filter { $0.product.kind == .database }.flatMap(places)
    return complete.compactMap { family -> Finding? in
      let neatlines = family.charts.compactMap(\.ownWords.neatline)
      let boxes = family.charts.flatMap {
        $0.product.boundingBoxes ?? [$0.product.boundingBox].compactMap(\.self)
      }
      let lost = airports.filter { airport in
        let (x, y) = WebMercator.project(airport.place)
        return boxes.contains { $0.contains(airport.place) }
          && !neatlines.contains { $0.contains(PlanePoint(x: x, y: y)) }
      }
      guard !lost.isEmpty, neatlines.count == family.charts.count,
        let judged = family.charts.first(where: { chart in cycle.products.contains { $0 === chart } })
      else { return nil }
      let names = lost.prefix(AirportsOnCharts.shown).map(\.name).joined(separator: ", ")
      return finding(
        .warning, judged, "",
        "\(Counts.of(lost.count, "airport")) in the boxes of \(family.pipeline) \(lost.count == 1 ? "is" : "are") on none of "
          + "its charts: \(names)\(lost.count > AirportsOnCharts.shown ? ", ..." : "")")
    }
  }

  private func places(_ database: ProductUnderTest) throws -> [(name: String, place: GeoPoint)] {
    guard let file = database.file(role: "database"),
      // What is wrong with the file is told by the rules about it.
      let opened = try? DatabaseUnderTest(file, place: database.place), opened.missingTables.isEmpty,
      opened.isOfAirports
    else { return [] }
    return try opened.connection.prepare("SELECT icao, longitude, latitude FROM airports ORDER BY icao").map {
      ($0.text(0) ?? "", GeoPoint(longitude: $0.double(1), latitude: $0.double(2)))
    }
  }
}
