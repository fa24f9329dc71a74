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
    return blank + displaced(cut).map { error(subject.place, $0) }
      + cut.doubts.map { warning(subject.place, $0) }
  }

  /// Pixels. A smaller displacement shows in the printed graticule.
  private static let displacement = 40.0

  /// Two opposite edges that are both printed as far to one side of where they must be: then the whole sheet is, whatever the
  /// FAA's files say.
  private func displaced(_ cut: Product.Cut) -> [String] {
    guard cut.source == .given else { return [] }
    return [
      ("western edge", "eastern edge", "east", "west"), ("northern edge", "southern edge", "south", "north"),
    ]
    .compactMap { first, second, ahead, behind in
      guard let one = cut.printedOffset(first), let other = cut.printedOffset(second) else { return nil }
      let (way, back) = (-one, other)
      guard min(abs(way), abs(back)) > NeatlineCut.displacement, way.sign == back.sign,
        abs(way - back) <= max(5, 0.15 * abs(way))
      else { return nil }
      return
        "its \(first) and its \(second) are printed \(abs(way)) and \(abs(back)) pixels \(way < 0 ? behind : ahead) of "
        + "where `neatline` has them, so the sheet is misplaced as a whole; compare it with another map, and correct "
        + "`neatline` only if the sheet is right"
    }
  }
}

extension Product.Cut.Edge {
  /// Of the strips within and beyond it, no more than a few hundredths are printed, and nothing there looks like the end of a
  /// map. A map has tints, names and the graticule's ticks; even the whitest, a flyway chart, has a frame at its edge.
  fileprivate var liesInPaper: Bool {
    evidence == .unclear && inside.paper >= 0.97 && (outside?.paper ?? 1) >= 0.97
  }
}

extension Product.Cut {
  /// Where the printed map ends at the only edge of that name, in pixels outward; nil where that is unclear.
  fileprivate func printedOffset(_ name: String) -> Double? {
    let own = edges.filter { $0.name == name }
    guard own.count == 1, [.frame, .step].contains(own[0].evidence) else { return nil }
    return own[0].offset
  }
}
