internal import Core
internal import Pipeline

/// A rectangle that is surely or perhaps an inset.
struct JudgedInset {
  let inset: FoundInset
  let evidence: Product.Cut.Inset.Evidence
  /// The evidence suffices even for an inset that the definition does not list.
  let isClear: Bool
  /// It suffices for one that is listed.
  let isLikely: Bool
  /// A person should look at it even when it is not listed.
  let isNotable: Bool
}

/// Distinguishes insets from outlines of other charts, notes and tables.
struct InsetJudge {
  let image: SheetImage
  let projection: SheetProjection
  let kinds: [PrintKind]
  let lights: [Int]
  let shades: [Int]
  let graticule: HostGraticule
  let sights: InsetSights
  let map: MapSpans

  /// Shares in hundredths.
  private enum Least {
    static let tint = 50
    static let doubtfulTint = 30
    static let variety = 3
    /// A count.
    static let colors = 5
  }
  /// So many places on meridians need no parallels beside them.
  private static let enoughPlaces = 6
  private static let bandHeight = 32

  /// Nil for what is surely no inset.
  func judge(_ inset: FoundInset) throws -> JudgedInset? {
    var count = sights.graticule(rows: inset.rows) { inset.candidate.columns(atRow: $0, map) }
    if count.inside < InsetJudge.enoughPlaces || !count.isAbsent { try addParallels(to: &count, inset) }
    guard !count.continues else { return nil }
    let interior = try interior(inset)
    guard interior.tint >= Least.doubtfulTint else { return nil }
    let isVaried = interior.variety >= Least.variety || interior.colors >= Least.colors
    let evidence = Product.Cut.Inset.Evidence(
      sides: inset.sides, paper: share(min(inset.upper.paper, inset.lower.paper)),
      tint: share(interior.tint), variety: share(interior.variety), graticule: count.record)
    return JudgedInset(
      inset: inset, evidence: evidence,
      isClear: count.isAbsent && isVaried && interior.tint >= Least.tint,
      isLikely: count.isLikelyAbsent || !count.isKnown, isNotable: count.isLikelyAbsent || isVaried)
  }

  private func share(_ hundredths: Int) -> Double { Double(hundredths) / 100 }

  private func interior(_ inset: FoundInset) throws -> InsetInterior {
    let rows = inset.rows
    let bands = try [1, 2, 3].map { part in
      let start = rows.lowerBound + (rows.count - InsetJudge.bandHeight) * part / 4
      return try image.rows((start..<start + InsetJudge.bandHeight).clamped(to: 0..<image.height))
    }
    let rim = 48
    return InsetInterior(
      bands, columns: inset.columns.lowerBound + rim..<inset.columns.upperBound - rim, kinds: kinds,
      shades: shades)
  }

  // MARK: Parallels

  private static let length = 40
  private static let placesInside = 16
  private static let placesBeside = 6

  private func addParallels(to count: inout GraticuleCount, _ inset: FoundInset) throws {
    let columns = inset.columns
    let margin = InsetSights.margin(ofSide: columns.count)
    let level = InsetSights.margin(ofSide: inset.rows.count)
    let inside = starts(
      from: columns.lowerBound + margin, to: columns.upperBound - margin, InsetJudge.placesInside)
    let span = map.span(
      atRow: (inset.rows.lowerBound + inset.rows.upperBound) / 2,
      around: columns.lowerBound + columns.count / 2)
    let reach = 1000
    let beside =
      starts(
        from: max(span?.lowerBound ?? 0, columns.lowerBound - reach), to: columns.lowerBound - 20,
        InsetJudge.placesBeside)
      + starts(
        from: columns.upperBound + 20, to: min(span?.upperBound ?? 0, columns.upperBound + reach),
        InsetJudge.placesBeside)
    let inner = inset.rows.lowerBound + level..<inset.rows.upperBound - level
    for parallel in graticule.parallels {
      let within = inside.filter { parallel.row(atColumn: $0).map(inner.contains) ?? false }
      guard !within.isEmpty else { continue }
      let seen = try sights(of: parallel, at: within + beside)
      count.add(
        inside: within.compactMap { seen[$0] }, beside: beside.compactMap { seen[$0] })
    }
  }

  /// First columns of places that share a stretch out.
  private func starts(from low: Int, to high: Int, _ limit: Int) -> [Int] {
    let room = high - low - InsetJudge.length
    guard room >= 0 else { return [] }
    let count = min(limit, room / (2 * InsetJudge.length) + 1)
    return (0..<count).map { low + room * (2 * $0 + 1) / (2 * count) }
  }

  /// Whether the parallel is printed at places, each given by its first column.
  private func sights(of parallel: HostGraticule.Parallel, at starts: [Int]) throws -> [Int: Bool] {
    let margin = PrintedLine.reach + PrintedLine.gap + 1
    let courses = starts.compactMap { start -> (start: Int, rows: [Int])? in
      let rows = (start..<start + InsetJudge.length).compactMap { parallel.row(atColumn: $0) }
      guard start >= 0, start + InsetJudge.length <= image.width, rows.count == InsetJudge.length,
        let top = rows.min(), let bottom = rows.max(), top - margin >= map.rows.lowerBound,
        bottom + margin < map.rows.upperBound
      else { return nil }
      return (start, rows)
    }
    guard let top = courses.flatMap(\.rows).min(), let bottom = courses.flatMap(\.rows).max() else {
      return [:]
    }
    let rows = try image.rows(top - margin..<bottom + margin + 1)
    var seen: [Int: Bool] = [:]
    for course in courses {
      seen[course.start] = PrintedLine.isSeen(InsetJudge.length) { place, offset in
        let line = course.rows[place] + offset - rows.range.lowerBound
        return lights[Int(rows.indexes[line * rows.width + course.start + place])]
      }
    }
    return seen
  }
}
