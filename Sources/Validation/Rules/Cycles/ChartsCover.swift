internal import Core
internal import Pipeline

/// The charts of a family together, against the ground that its definition says they cover.
struct ChartsCover: CycleRule {
  let name = "charts-cover"
  let protects = "No strip of land is on none of the charts, where two of them were thought to meet."

  /// Degrees from one place that is looked at to the next.
  private static let step = 0.1
  private static let shown = 3
  /// A definition that is nonsense could ask for millions.
  private static let limit = 500_000

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    cycle.families.compactMap { family -> Finding? in
      // What is still missing is told otherwise, and explains any hole.
      guard family.isComplete, let covers = family.covers,
        family.charts.contains(where: { chart in cycle.products.contains { $0 === chart } })
      else { return nil }
      let neatlines = family.charts.compactMap(\.ownWords.neatline)
      // A file that cannot be read is another rule's finding.
      guard neatlines.count == family.charts.count else { return nil }
      let insets = family.charts.flatMap { $0.product.cut?.insets ?? [] }
        .filter { $0.verdict == .masked }
      let holes = covers.flatMap { ChartsCover.places($0) }.filter { place in
        let (x, y) = WebMercator.project(place)
        // The paper chart shows another place's map there.
        return !insets.contains { $0.box.contains(place) }
          && !neatlines.contains { $0.contains(PlanePoint(x: x, y: y)) }
      }
      guard !holes.isEmpty else { return nil }
      let examples = holes.prefix(ChartsCover.shown).map { "\($0.longitude),\($0.latitude)" }
      // The fault of no single chart, so it names no product.
      return error(
        "\(family.pipeline) of cycle \(family.charts[0].product.cycle)",
        "the charts of \(family.pipeline) leave \(Counts.of(holes.count, "place")) uncovered of those a tenth of a degree "
          + "apart that `covers` promises, such as \(examples.joined(separator: " and ")); look at their neatlines there"
      )
    }
  }

  /// The middles of squares that share the box out.
  private static func places(_ box: [Double]) -> [GeoPoint] {
    guard box.count == 4, case let (width, height) = (box[2] - box[0], box[3] - box[1]), width > 0,
      height > 0,
      width <= 360, height <= 180, width * height / (step * step) < Double(limit)
    else { return [] }
    let (columns, rows) = (max(1, Int((width / step).rounded())), max(1, Int((height / step).rounded())))
    return (0..<rows * columns).map { number in
      let (row, column) = number.quotientAndRemainder(dividingBy: columns)
      let longitude = box[0] + (Double(column) + 0.5) * width / Double(columns)
      let latitude = box[1] + (Double(row) + 0.5) * height / Double(rows)
      return GeoPoint(
        longitude: (longitude * 1000).rounded() / 1000, latitude: (latitude * 1000).rounded() / 1000)
    }
  }
}
