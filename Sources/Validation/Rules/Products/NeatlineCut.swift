internal import Pipeline

/// What the build measured where it cut the chart out of its sheet. Nearly all of it a person has to look at; an edge that
/// lies in blank paper is surely none of a map.
struct NeatlineCut: ProductRule {
  let name = "neatline-cut"
  let protects =
    "No legend hides a neighbouring chart, and no strip of the map with an airport in it is missing."

  func check(_ subject: ProductUnderTest) -> [Finding] {
    guard let cut = subject.product.cut else { return [] }
    let blank = cut.edges.filter(\.liesInPaper).map {
      error(
        subject.place,
        "its \($0.name) lies in blank paper: nothing is printed on either side; move it inward in `neatline`")
    }
    return blank + cut.doubts.map { warning(subject.place, $0) }
  }
}

extension Product.Cut.Edge {
  /// Of the strips within and beyond it, no more than a few hundredths are printed, and nothing there looks like the end of a
  /// map. A map has tints, names and the graticule's ticks; even the whitest, a flyway chart, has a frame at its edge.
  fileprivate var liesInPaper: Bool {
    evidence == .unclear && inside.paper >= 0.97 && (outside?.paper ?? 1) >= 0.97
  }
}
