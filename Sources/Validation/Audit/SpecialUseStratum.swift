internal import RasterIO

/// A part of an airspace with one floor and one ceiling: volumes with the same limits, less the cuts.
///
/// A cut that does not reach from floor to ceiling leaves the bands below and above it.
struct SpecialUseStratum {
  private var floor: AuditLimit?
  private var ceiling: AuditLimit?
  private var minimum: AuditLimit?
  private var maximum: AuditLimit?
  /// The bands of cuts that cannot be compared with its own without the height of the ground.
  private var excluded: [String] = []
  /// Its area; and, if it differs, the same with each arc of more than half a circle the other way around.
  private var areas: [PlaneArea]
  /// The rings of its volumes and cuts, for each area.
  private(set) var lines: [AuditShape]
  /// Whether a boundary crosses itself. Then the build may have dropped corners.
  private(set) var isRepaired: Bool
  /// How far the end of a line is from the arc that begins there, in metres.
  private(set) var misfit: Double

  /// Without parts and holes of less than some 100 by 100 metres, which the build leaves out.
  var shapes: [AuditShape] { areas.map { AuditShape($0, leastArea: 1_500_000) } }

  /// The values of the columns of `airspaces`.
  var values: [String: AuditValue] {
    var values: [String: AuditValue] = [
      "isComplete": .number(1), "floorMinimum": minimum?.value(.limitText) ?? .null,
      "ceilingMaximum": maximum?.value(.limitText) ?? .null,
      "excluded": AuditValue(excluded.isEmpty ? nil : excluded.joined(separator: "; ")),
    ]
    for (limit, column) in [(floor, "floor"), (ceiling, "ceiling")] {
      values[column] = limit?.value(.limit) ?? .null
      values[column + "Datum"] = limit?.value(.limitDatum) ?? .null
      values[column + "Text"] = limit?.value(.limitText) ?? .null
      values[column + "Feet"] = limit?.value(.limitAboveSea) ?? .null
    }
    return values
  }

  // MARK: - Composition

  private struct NotFound: Error {}
  private static let deepestReference = 3

  /// Throws for an airspace that needs the volumes of another file.
  static func all(
    of area: SpecialUseSource, among others: [String: SpecialUseSource], depth: Int = 0
  ) throws -> [Self] {
    guard depth < deepestReference else { throw NotFound() }
    let base = area.volumes.first(where: \.isBase)
    let origin = area.volumes.lazy.flatMap(\.polygons).joined().joined().first
    var strata: [Self] = []
    for volume in area.volumes.sorted(by: { $0.sequence < $1.sequence }) {
      for var part in try parts(of: volume, near: origin, among: others, depth) {
        part.floor = volume.floor ?? (volume.isCut ? part.floor : base?.floor)
        part.ceiling = volume.ceiling ?? (volume.isCut ? part.ceiling : base?.ceiling)
        if volume.isCut {
          strata = try strata.flatMap { try $0.less(part) }
        } else {
          (part.minimum, part.maximum, part.excluded) = (volume.minimum, volume.maximum, [])
          try part.join(&strata)
        }
      }
    }
    return strata
  }

  private static func parts(
    of volume: SpecialUseVolume, near origin: AuditPoint?, among others: [String: SpecialUseSource],
    _ depth: Int
  ) throws -> [Self] {
    if volume.polygons.isEmpty {
      guard let other = volume.reference.flatMap({ others[$0] }) else { throw NotFound() }
      return try all(of: other, among: others, depth: depth + 1)
    }
    let shapes = volume.turned == volume.polygons ? [volume.polygons] : [volume.polygons, volume.turned]
    let areas = try shapes.map { try area($0, near: origin) }
    return [
      Self(
        areas: areas.map(\.area), lines: shapes.map(AuditShape.init),
        isRepaired: areas.contains(where: \.isRepaired), misfit: volume.misfit)
    ]
  }

  /// The union of polygons, on the same side of 180 degrees as a point.
  private static func area(
    _ polygons: [[[AuditPoint]]], near origin: AuditPoint?
  ) throws -> (area: PlaneArea, isRepaired: Bool) {
    var isRepaired = false
    let areas = try polygons.map { rings in
      let area = try PlaneArea(
        polygons: [
          rings.map { ring in
            let turn = ((origin?.x ?? 0) - (ring.first?.x ?? 0) + 540_000_000) / 360_000_000 - 1
            return ring.map { (x: Double($0.x + turn * 360_000_000), y: Double($0.y)) }
          }
        ])
      if area.isValid { return area }
      isRepaired = true
      return try area.repaired()
    }
    return (try areas.dropFirst().reduce(areas[0]) { try $0.union($1) }, isRepaired)
  }

  private init(areas: [PlaneArea], lines: [AuditShape], isRepaired: Bool, misfit: Double) {
    (self.areas, self.lines, self.isRepaired, self.misfit) = (areas, lines, isRepaired, misfit)
  }

  /// Joins the stratum with the same limits, or becomes a new one.
  private func join(_ strata: inout [Self]) throws {
    let index = strata.firstIndex { other in
      other.excluded.isEmpty && other.minimum == minimum && other.maximum == maximum
        && other.band.low == band.low && other.band.high == band.high
    }
    guard let index else { return strata.append(self) }
    strata[index] = try strata[index].combined(with: self) { try $0.union($1) }
  }

  /// The same limits, with the areas that an operation makes of its own and those of another stratum.
  private func combined(
    with other: Self, _ operation: (PlaneArea, PlaneArea) throws -> PlaneArea
  ) rethrows -> Self {
    var result = self
    let pairs = (0..<max(areas.count, other.areas.count)).map { index in
      (min(index, areas.count - 1), min(index, other.areas.count - 1))
    }
    result.areas = try pairs.map { try operation(areas[$0], other.areas[$1]) }
    result.lines = pairs.map { AuditShape(lines[$0].polygons + other.lines[$1].polygons) }
    result.isRepaired = isRepaired || other.isRepaired
    result.misfit = max(misfit, other.misfit)
    return result
  }

  private func less(_ cut: Self) throws -> [Self] {
    let (own, other) = (band, cut.band)
    if other.high.isAtMost(own.low) == true || own.high.isAtMost(other.low) == true { return [self] }
    let rest = try combined(with: cut) { try $0.subtracting($1) }
    var inside = try combined(with: cut) { try $0.intersection($1) }
    guard !inside.isEmpty else { return [self] }
    let (hasBelow, hasAbove) = (other.low.isAtMost(own.low) != true, own.high.isAtMost(other.high) != true)
    var pieces: [Self] = []
    if hasBelow && other.low.isAtMost(own.high) == nil || hasAbove && own.low.isAtMost(other.high) == nil {
      inside.excluded.append("\(cut.floor?.text ?? "SFC") to \(cut.ceiling?.text ?? "UNL")")
      pieces = [inside]
    } else {
      if hasBelow {
        pieces.append(inside)
        pieces[0].ceiling = cut.floor
      }
      if hasAbove {
        pieces.append(inside)
        pieces[pieces.count - 1].floor = cut.ceiling
      }
    }
    return (rest.isEmpty ? [] : [rest]) + pieces
  }

  private var isEmpty: Bool { areas.allSatisfy(\.isEmpty) }

  /// Whether the database may lack it.
  var isSliver: Bool { shapes.contains(where: \.polygons.isEmpty) }

  private var band: (low: AuditHeight, high: AuditHeight) {
    (AuditHeight(floor, missing: -.infinity), AuditHeight(ceiling, missing: .infinity))
  }
}

/// A limit as a height that is comparable with others of its scale.
private struct AuditHeight: Equatable {
  /// Above the sea, or above the ground. The surface and unlimited are infinite.
  let scale: String
  let feet: Double

  init(_ limit: AuditLimit?, missing: Double) {
    switch limit?.datum {
    case nil: (scale, feet) = ("", missing)
    case "surface": (scale, feet) = ("", -.infinity)
    case "unlimited": (scale, feet) = ("", .infinity)
    case "msl", "standard": (scale, feet) = ("sea", Double(limit?.feet ?? 0))
    default: (scale, feet) = (limit?.datum ?? "", Double(limit?.feet ?? 0))
    }
  }

  /// Nil if that depends on the height of the ground.
  func isAtMost(_ other: AuditHeight) -> Bool? {
    if feet.isInfinite || other.feet.isInfinite { return feet <= other.feet }
    return scale == other.scale && scale != "other" ? feet <= other.feet : nil
  }
}

extension AuditShape {
  fileprivate init(_ area: PlaneArea, leastArea: Double) {
    let polygons = area.polygons.map { rings in
      rings.map { $0.map { AuditPoint(Int($0.x.rounded()), Int($0.y.rounded())) } }
    }
    self.init(
      polygons.filter { abs(Self.area($0[0])) >= leastArea }.map {
        $0.filter { abs(Self.area($0)) >= leastArea }
      })
  }
}
