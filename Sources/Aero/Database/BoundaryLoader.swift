extension Boundary {
  /// Fills the table from the points of ARB_SEG. Returns how many rows there are.
  static func load(_ loader: TableLoader) throws -> Int {
    let problems = loader.reader.problems
    guard loader.reader.archive.has(BoundaryPoint.table) else {
      problems.miss(BoundaryPoint.file)
      return 0
    }
    let points: [BoundaryPoint] = try loader.reader.records()
    let strata = Dictionary(grouping: points) { point in
      Stratum(
        center: loader.rows.id(of: .center, point.center + "\u{0}") ?? 0, name: point.stratum,
        type: point.type)
    }
    let sorted = strata.sorted {
      ($0.key.center, $0.key.name, $0.key.type) < ($1.key.center, $1.key.name, $1.key.type)
    }
    var boundaries: [Boundary] = []
    for (stratum, points) in sorted {
      guard stratum.center > 0 else {
        for point in points { report(.rowDropped, point, "there is no such row in centers", problems) }
        continue
      }
      for (part, shape) in try shapes(points, problems).enumerated() {
        boundaries.append(Boundary(id: boundaries.count + 1, stratum: stratum, part: part + 1, shape: shape))
      }
    }
    try loader.writer.fill(table, boundaries)
    return boundaries.count
  }

  /// The rings. Each ends at the point from which it returns to its first point.
  private static func shapes(_ points: [BoundaryPoint], _ problems: ProblemLog) throws -> [MapShape] {
    let maker = ShapeBuilder(toleranceInMetres: 0)
    return try rings(of: points).compactMap { ring in
      do {
        let made = try maker.shape(within: ring.map(\.place))
        if made.wasRepaired { report(.shapeMended, ring[0], "its ring crossed or touched itself", problems) }
        return made.shape
      } catch let flaw as ShapeError {
        for point in ring { report(.rowDropped, point, "of its ring: \(flaw.rawValue)", problems) }
        return nil
      }
    }
  }

  /// By their numbers; in the file's order if numbers repeat, since each ring then has its own.
  private static func rings(of points: [BoundaryPoint]) -> [[BoundaryPoint]] {
    let isNumbered = Set(points.map(\.sequence)).count == points.count
    let points = isNumbered ? points.sorted { $0.sequence < $1.sequence } : points
    return points.reduce(into: []) { rings, point in
      if rings.last?.last?.isLast ?? true { rings.append([]) }
      rings[rings.count - 1].append(point)
    }
  }

  private static func report(
    _ kind: RecordProblem.Kind, _ point: BoundaryPoint, _ reason: String, _ problems: ProblemLog
  ) {
    problems.record(
      kind, file: BoundaryPoint.file, line: point.line, column: "LOCATION_ID", value: point.center,
      reason: reason)
  }
}
