internal import Core
internal import ImageIO

/// Distinguishes insets from outlines of other charts, notes and tables.
extension InsetSurvey {
  /// A rectangle that is certainly or possibly an inset: whether the evidence suffices for one that the definition does not list,
  /// for one that it lists, and for a person to check it.
  typealias ClassifiedInset = (
    inset: FoundInset, evidence: Product.Cut.Inset.Evidence, isClear: Bool, isLikely: Bool, isNotable: Bool
  )

  /// Shares in hundredths.
  private static let leastTint = 50
  private static let doubtfulTint = 30
  private static let leastVariety = 3
  /// A count.
  private static let fewestColors = 5
  /// With this many positions on meridians, no parallels are needed.
  private static let enoughPlaces = 6
  private static let bandHeight = 32

  /// Returns nil for a rectangle that is certainly not an inset.
  func classify(_ inset: FoundInset, _ sights: [InsetBand.Sight]) throws -> ClassifiedInset? {
    var count = sights.graticule(rows: inset.rows) { inset.candidate.columns(atRow: $0, map) }
    if count.inside < InsetSurvey.enoughPlaces || !count.isAbsent { try addParallels(to: &count, inset) }
    guard !count.continues else { return nil }
    let interior = try interior(inset)
    guard interior.tint >= InsetSurvey.doubtfulTint else { return nil }
    let isVaried =
      interior.variety >= InsetSurvey.leastVariety || interior.colors >= InsetSurvey.fewestColors
    let evidence = Product.Cut.Inset.Evidence(
      sides: inset.sides, paper: share(min(inset.upper.paper, inset.lower.paper)),
      tint: share(interior.tint), variety: share(interior.variety), graticule: count.record)
    return (
      inset, evidence, isClear: count.isAbsent && isVaried && interior.tint >= InsetSurvey.leastTint,
      isLikely: count.isLikelyAbsent || !count.isKnown, isNotable: count.isLikelyAbsent || isVaried
    )
  }

  private func share(_ hundredths: Int) -> Double { Double(hundredths) / 100 }

  private func interior(_ inset: FoundInset) throws -> (tint: Int, variety: Int, colors: Int) {
    let rows = inset.rows
    let bands = try [1, 2, 3].map { part in
      let start = rows.lowerBound + (rows.count - InsetSurvey.bandHeight) * part / 4
      return try image.rows((start..<start + InsetSurvey.bandHeight).clamped(to: 0..<image.height))
    }
    let rim = 48
    return interior(bands, columns: inset.columns.lowerBound + rim..<inset.columns.upperBound - rim)
  }

  // MARK: Parallels

  private static let length = 40
  private static let placesInside = 16
  private static let placesBeside = 6

  private func addParallels(to count: inout GraticuleCount, _ inset: FoundInset) throws {
    let columns = inset.columns
    let margin = HostGraticule.margin(ofSide: columns.count)
    let level = HostGraticule.margin(ofSide: inset.rows.count)
    let inside = starts(
      from: columns.lowerBound + margin, to: columns.upperBound - margin, InsetSurvey.placesInside)
    let span = map.span(
      atRow: (inset.rows.lowerBound + inset.rows.upperBound) / 2,
      around: columns.lowerBound + columns.count / 2)
    let reach = 1000
    let beside =
      starts(
        from: max(span?.lowerBound ?? 0, columns.lowerBound - reach), to: columns.lowerBound - 20,
        InsetSurvey.placesBeside)
      + starts(
        from: columns.upperBound + 20, to: min(span?.upperBound ?? 0, columns.upperBound + reach),
        InsetSurvey.placesBeside)
    let inner = inset.rows.lowerBound + level..<inset.rows.upperBound - level
    for parallel in graticule.levels {
      let within = inside.filter { parallel($0).map(inner.contains) ?? false }
      guard !within.isEmpty else { continue }
      let seen = try samples(of: parallel, at: within + beside)
      count.add(
        inside: within.compactMap { seen[$0] }, beside: beside.compactMap { seen[$0] })
    }
  }

  /// The first columns of evenly spread positions.
  private func starts(from low: Int, to high: Int, _ limit: Int) -> [Int] {
    let room = high - low - InsetSurvey.length
    guard room >= 0 else { return [] }
    let count = min(limit, room / (2 * InsetSurvey.length) + 1)
    return (0..<count).map { low + room * (2 * $0 + 1) / (2 * count) }
  }

  /// Whether the parallel is printed at positions, each given by its first column.
  private func samples(of parallel: (Int) -> Int?, at starts: [Int]) throws -> [Int: Bool] {
    let margin = HostGraticule.reach + HostGraticule.gap + 1
    let courses = starts.compactMap { start -> (start: Int, rows: [Int])? in
      let rows = (start..<start + InsetSurvey.length).compactMap { parallel($0) }
      guard start >= 0, start + InsetSurvey.length <= image.width, rows.count == InsetSurvey.length,
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
      seen[course.start] = HostGraticule.isPrinted(InsetSurvey.length) { place, offset in
        let line = course.rows[place] + offset - rows.range.lowerBound
        return lights[Int(rows.indexes[line * rows.width + course.start + place])]
      }
    }
    return seen
  }

  private static let cell = 32

  /// The print inside a rectangle, which shows whether it is a map or a table.
  ///
  /// - Returns: the share of tint in the area, and of parts whose commonest colour differs from the commonest colour of all, in
  ///   hundredths; and the number of coarsely different colours, of which a map has many.
  private func interior(
    _ bands: [SheetRows], columns: Range<Int>
  ) -> (tint: Int, variety: Int, colors: Int) {
    let cell = InsetSurvey.cell
    let present = Set(shades).sorted()
    var (tints, total, majorities) = (0, 0, [Int]())
    var all = [Int](repeating: 0, count: 4096)
    var counts = all
    for band in bands {
      for start in stride(from: columns.lowerBound, to: columns.upperBound - cell + 1, by: cell) {
        for shade in present { counts[shade] = 0 }
        var count = 0
        for line in stride(from: 0, to: band.range.count, by: 2) {
          for column in start..<start + cell {
            let index = Int(band.indexes[line * band.width + column])
            total += 1
            guard kinds[index] == .tint else { continue }
            counts[shades[index]] += 1
            count += 1
          }
        }
        tints += count
        for shade in present { all[shade] += counts[shade] }
        // A cell that is mostly paper or lettering has no ground colour.
        guard count * 2 >= cell * ((band.range.count + 1) / 2) else { continue }
        majorities.append(present.max { counts[$0] < counts[$1] } ?? 0)
      }
    }
    // A colour counts if it covers at least a five-hundredth of the area.
    let colors = all.count { $0 * 500 >= max(total, 1) }
    let commonest = Dictionary(grouping: majorities) { $0 }.values.map(\.count).max() ?? 0
    let variety = majorities.isEmpty ? 0 : (majorities.count - commonest) * 100 / majorities.count
    return (total == 0 ? 0 : tints * 100 / total, variety, colors)
  }
}

/// Compares the detected insets with those listed in the definition.
extension InsetSurvey {
  /// The results from north to south, without rectangles that consist of others or contain them.
  ///
  /// - Parameter expected: the listed insets. Those outside the neatline or in one of its masks are ignored.
  func results(
    _ classified: [ClassifiedInset], expecting expected: [InsetDefinition]
  ) -> (insets: [Product.Cut.Inset], masks: [[NeatlineDefinition.Edge]]) {
    var (insets, masks): ([Product.Cut.Inset], [[NeatlineDefinition.Edge]]) = ([], [])
    var missing = expected.filter { inset in
      guard let near = inset.near else { return true }
      let pixels = near.lattice.compactMap { projection.pixel(of: $0) }
      return pixels.count { neatline.contains($0) } * 4 > pixels.count
    }
    for one in single(classified) {
      guard let box = one.inset.box(on: projection), let mask = one.inset.mask(on: projection) else {
        continue
      }
      let names = missing.filter { $0.near?.covers(box) ?? false }
      missing.removeAll { names.contains($0) }
      guard one.isNotable || !names.isEmpty else { continue }
      let isMasked = one.isClear || (!names.isEmpty && one.isLikely)
      let (columns, rows) = (one.inset.columns, one.inset.rows)
      insets.append(
        Product.Cut.Inset(
          name: names.isEmpty ? nil : names.map(\.name).joined(separator: ", "),
          verdict: isMasked ? .masked : .unclear, columns: [columns.lowerBound, columns.upperBound],
          rows: [rows.lowerBound, rows.upperBound], box: box, evidence: one.evidence))
      if isMasked { masks.append(mask) }
    }
    // A listed inset without a position may be any of those detected.
    for index in insets.indices where insets[index].name == nil {
      guard let first = missing.firstIndex(where: { $0.near == nil }) else { break }
      insets[index].name = missing.remove(at: first).name
    }
    insets += missing.map {
      Product.Cut.Inset(
        name: $0.name, verdict: .missing, columns: nil, rows: nil, box: $0.near ?? neatline.bounds,
        evidence: nil)
    }
    return (insets, masks)
  }

  /// Removes duplicates. Insets that share a band form several rectangles: a rectangle that consists of smaller ones is
  /// removed, and so is one that lies in another.
  private func single(_ classified: [ClassifiedInset]) -> [ClassifiedInset] {
    var kept: [ClassifiedInset] = []
    for one in classified.sorted(by: {
      ($0.inset.area, $0.inset.rows.lowerBound) < ($1.inset.area, $1.inset.rows.lowerBound)
    }) {
      let inner = kept.filter { $0.inset.overlap(with: one.inset) * 10 >= $0.inset.area * 9 }
      let covered = inner.map(\.inset.area).reduce(0, +)
      if covered * 20 >= one.inset.area * 17 { continue }
      if !one.isClear, inner.contains(where: \.isClear) { continue }
      kept.removeAll { keeper in
        inner.contains { $0.inset.rows == keeper.inset.rows && $0.inset.columns == keeper.inset.columns }
      }
      kept.append(one)
    }
    return kept.sorted {
      ($0.inset.rows.lowerBound, $0.inset.columns.lowerBound) < (
        $1.inset.rows.lowerBound, $1.inset.columns.lowerBound
      )
    }
  }
}

extension GeoBox {
  /// Points spread over the box.
  var lattice: [GeoPoint] {
    (0..<25).map { number in
      let (across, down) = (Double(2 * (number % 5) + 1) / 10, Double(2 * (number / 5) + 1) / 10)
      return GeoPoint(longitude: west + (east - west) * across, latitude: south + (north - south) * down)
    }
  }

  /// Whether a good part of one of the two boxes lies in the other, at any turn of longitude.
  fileprivate func covers(_ other: GeoBox) -> Bool {
    let turn = ((west + east - other.west - other.east) / 720).rounded() * 360
    let width = min(east, other.east + turn) - max(west, other.west + turn)
    let height = min(north, other.north) - max(south, other.south)
    guard width > 0, height > 0 else { return false }
    let smaller = min(
      (east - west) * (north - south), (other.east - other.west) * (other.north - other.south))
    return width * height >= 0.3 * smaller
  }
}
