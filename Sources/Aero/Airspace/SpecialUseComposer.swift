internal import RasterIO

/// Combines the volumes of an airspace into strata: areas with one floor and one ceiling.
///
/// An added volume joins the stratum with the same floor and ceiling, else it becomes a new stratum. A subtracted volume cuts a hole. Where it
/// does not extend from floor to ceiling, strata with the remaining bands below and above fill the hole.
struct SpecialUseComposer {
  struct Stratum {
    var band: AltitudeBand
    var area: PlaneArea
    var minimum: AltitudeLimit?
    var maximum: AltitudeLimit?
    var excluded: [String] = []
  }

  struct Composition {
    var strata: [Stratum] = []
    /// False when a volume or an airspace that it refers to is missing.
    var isComplete = true
    var wasRepaired = false
  }

  private static let mostParts = 100
  /// Airspaces refer to neighbours, which rarely refer to others.
  private static let deepestReference = 2

  let directory: SpecialUseDirectory
  let problems: ProblemLog

  func compose(
    _ area: SpecialUseFile.Area, of file: SpecialUseFile, depth: Int = 0
  ) throws -> Composition {
    guard area.components.count <= SpecialUseComposer.mostParts else { throw ShapeError.tooLarge }
    var composition = Composition(isComplete: area.flaws.isEmpty)
    let base = area.components.first { $0.operation == .base }?.band ?? AltitudeBand()
    let origin = area.components.lazy.compactMap { $0.firstPoint }.first
    for component in area.components.sorted(by: { $0.sequence < $1.sequence }) {
      for volume in try volumes(of: component, area, file, origin, depth, &composition) {
        let band = component.completed(by: component.operation == .subtraction ? volume.band : base)
        switch component.operation {
        case .base, .union: try composition.add(volume.area, band, component)
        case .subtraction: try composition.subtract(volume.area, band)
        }
      }
      guard composition.strata.count <= SpecialUseComposer.mostParts else { throw ShapeError.tooLarge }
    }
    return composition
  }

  /// The areas of a component, or of the airspace that it refers to.
  private func volumes(
    of component: SpecialUseFile.Component, _ area: SpecialUseFile.Area, _ file: SpecialUseFile,
    _ origin: ShapePoint?, _ depth: Int, _ composition: inout Composition
  ) throws -> [(area: PlaneArea, band: AltitudeBand)] {
    guard component.patches.isEmpty, let reference = component.reference else {
      let own = try SpecialUseComposer.area(of: component.patches, near: origin)
      composition.wasRepaired = composition.wasRepaired || own.wasRepaired
      return [(own.area, AltitudeBand())]
    }
    guard depth < SpecialUseComposer.deepestReference,
      let found = directory.find(reference, from: file),
      found.area.id != area.id || found.file.name != file.name
    else {
      composition.isComplete = false
      problems.record(
        .fieldDropped, file: SpecialUseDirectory.file, part: file.name, line: area.line,
        column: "theAirspace", value: reference, reason: "it refers to an airspace that is missing")
      return []
    }
    let other = try compose(found.area, of: found.file, depth: depth + 1)
    if !other.isComplete { composition.isComplete = false }
    return other.strata.map { ($0.area, $0.band) }
  }

  private static func ring(_ segments: [PathSegment]) throws -> ShapeRing? {
    let path = RingPath(segments)
    let ring = path.ring.unwound
    guard path.hasLongArcs, let ring, try !PlaneArea([[ring]]).isValid else { return ring }
    let turned = RingPath(segments, turningLongArcs: true).ring.unwound
    return try turned.flatMap { try PlaneArea([[$0]]).isValid ? $0 : nil } ?? ring
  }

  /// The union of the patches, on the same side of 180 degrees as a point.
  private static func area(of patches: [[[PathSegment]]], near origin: ShapePoint?) throws -> (
    area: PlaneArea, wasRepaired: Bool
  ) {
    var corners = 0
    let polygons = try patches.compactMap { patch -> [ShapeRing]? in
      let rings = try patch.enumerated().compactMap { index, segments -> ShapeRing? in
        guard let ring = try ring(segments) else {
          // Skip a hole without area.
          guard index == 0 else { return nil }
          throw ShapeError.noArea
        }
        corners += ring.count
        return origin.map { ring.moved(by: ring[0].near($0).x - ring[0].x) } ?? ring
      }
      guard corners <= ShapeBuilder.mostCorners else { throw ShapeError.tooLarge }
      return rings.isEmpty ? nil : rings
    }
    guard let first = polygons.first else { throw ShapeError.noArea }
    var wasRepaired = false
    func valid(_ rings: [ShapeRing]) throws -> PlaneArea {
      let area = try PlaneArea([rings])
      guard !area.isValid else { return area }
      guard CrossingCheck.isRepairable([rings]) else { throw ShapeError.irreparable }
      wasRepaired = true
      return try area.repaired()
    }
    var area = try valid(first)
    for rings in polygons.dropFirst() { area = try area.union(try valid(rings)) }
    return (area, wasRepaired)
  }
}

extension SpecialUseFile.Component {
  /// Its band, with missing limits from another band.
  fileprivate func completed(by other: AltitudeBand) -> AltitudeBand {
    AltitudeBand(lower: band.lower ?? other.lower, upper: band.upper ?? other.upper)
  }

  fileprivate var firstPoint: ShapePoint? {
    guard let segment = patches.first?.first?.first else { return nil }
    return switch segment {
    case .line(let points): points.first
    case .arc(let center, _, _, _), .circle(let center, _): center
    }
  }
}

extension SpecialUseComposer.Composition {
  fileprivate mutating func add(
    _ area: PlaneArea, _ band: AltitudeBand, _ component: SpecialUseFile.Component
  ) throws {
    let isSame = { (stratum: SpecialUseComposer.Stratum) in
      stratum.band.isSame(as: band) && stratum.minimum == component.minimum
        && stratum.maximum == component.maximum && stratum.excluded.isEmpty
    }
    if let index = strata.firstIndex(where: isSame) {
      strata[index].area = try strata[index].area.union(area)
    } else {
      strata.append(.init(band: band, area: area, minimum: component.minimum, maximum: component.maximum))
    }
  }

  fileprivate mutating func subtract(_ area: PlaneArea, _ cut: AltitudeBand) throws {
    strata = try strata.flatMap { stratum in
      let difference = stratum.band.subtracting(cut)
      guard difference != .disjoint else { return [stratum] }
      let common = try stratum.area.intersection(area)
      guard !common.isEmpty else { return [stratum] }
      var (rest, inside) = (stratum, stratum)
      rest.area = try stratum.area.subtracting(area)
      inside.area = common
      let pieces: [SpecialUseComposer.Stratum]
      switch difference {
      case .bands(let bands):
        pieces = bands.map { band in
          inside.band = band
          return inside
        }
      default:
        inside.excluded.append(cut.text)
        pieces = [inside]
      }
      return (rest.area.isEmpty ? [] : [rest]) + pieces
    }
  }
}
