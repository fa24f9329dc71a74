internal import Core
internal import SQLiteIO

extension Boundary {
  /// Fills the table from the points of ARB_SEG. Returns how many rows there are.
  static func load(_ loader: TableLoader) throws -> Int {
    let problems = loader.reader.problems
    guard loader.reader.archive.has(BoundaryPoint.table) else {
      problems.miss(BoundaryPoint.file)
      return 0
    }
    let points: [BoundaryPoint] = try loader.reader.records()
    let centers = loader.rows.ids(of: .center)
    let strata = Dictionary(grouping: points) { point in
      Stratum(center: centers[point.center + "\u{0}"] ?? 0, name: point.stratum, type: point.type)
    }
    let sorted = strata.sorted {
      ($0.key.center, $0.key.name, $0.key.type) < ($1.key.center, $1.key.name, $1.key.type)
    }
    var boundaries: [Boundary] = []
    for (stratum, points) in sorted {
      guard stratum.center > 0 else {
        for point in points { drop(point, "there is no such row in centers", problems) }
        continue
      }
      for (part, shape) in try shapes(points, problems).enumerated() {
        boundaries.append(
          Boundary(id: boundaries.count + 1, stratum: stratum, part: part + 1, shape: shape))
      }
    }
    try loader.writer.fill(table, boundaries)
    return boundaries.count
  }

  /// The rings. Each ends at the point from which it returns to its first point.
  private static func shapes(_ points: [BoundaryPoint], _ problems: ProblemLog) throws -> [MapShape] {
    let maker = ShapeBuilder(toleranceInMetres: 0)
    return try inOrder(points).split(after: \.isLast).compactMap { ring in
      do {
        let made = try maker.shape(within: ring.map(\.place))
        if made.wasRepaired { report(.shapeMended, ring[0], "its ring crossed or touched itself", problems) }
        return made.shape
      } catch let flaw as ShapeError {
        for point in ring { drop(point, "of its ring: \(flaw.rawValue)", problems) }
        return nil
      }
    }
  }

  /// By their numbers; in the file's order if numbers repeat, since each ring then has its own.
  private static func inOrder(_ points: [BoundaryPoint]) -> [BoundaryPoint] {
    let isNumbered = Set(points.map(\.sequence)).count == points.count
    return isNumbered ? points.sorted { $0.sequence < $1.sequence } : points
  }

  private static func drop(_ point: BoundaryPoint, _ reason: String, _ problems: ProblemLog) {
    report(.rowDropped, point, reason, problems)
  }

  private static func report(
    _ kind: RecordProblem.Kind, _ point: BoundaryPoint, _ reason: String, _ problems: ProblemLog
  ) {
    problems.record(
      kind, file: BoundaryPoint.file, line: point.line, column: "LOCATION_ID", value: point.center,
      reason: reason)
  }
}

extension Array {
  fileprivate func split(after isLast: (Element) -> Bool) -> [[Element]] {
    var parts: [[Element]] = []
    var isOpen = false
    for element in self {
      if isOpen { parts[parts.count - 1].append(element) } else { parts.append([element]) }
      isOpen = !isLast(element)
    }
    return parts
  }
}
