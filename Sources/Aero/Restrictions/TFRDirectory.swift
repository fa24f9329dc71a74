internal import Core
internal import Foundation

/// All TFRs that any of the sources names.
struct TFRDirectory {
  let notices: [TFRNotice]
  /// The newest change of the list.
  let newest: Instant
  private let badEntries: Int

  /// - Parameter files: the sources by their names. Only the list is required.
  init(_ files: [String: Data], terrain: Terrain? = nil) throws {
    let list = try TFRList(files[TFRSource.list] ?? Data())
    let noShapes = try? files[TFRSource.noShapes].map { try TFRList($0) }
    let features = try? files[TFRSource.features].map { try TFRFeatures($0) }
    newest = list.newest ?? Instant(secondsSince1970: 0)
    badEntries = list.bad + (noShapes?.bad ?? 0)
    let drawn = Dictionary(grouping: features?.notices ?? []) { $0.entry.number }
    let all = list.entries + (noShapes?.entries ?? [])
    let listed = Dictionary(first: all.map { ($0.number, $0) })
    let withoutShape = Set((noShapes?.entries ?? []).map(\.number))
    let entries = drawn.compactMapValues { $0.first?.entry }.merging(listed) { $1 }
    notices = try entries.sorted { $0.key < $1.key }.map { number, entry in
      try CancellationToken.current.check()
      let detail = files[number.detailName].flatMap { try? TFRDetail($0, of: number) }
      var notice = TFRNotice(entry: entry, detail: detail)
      notice.areas = try TFRDirectory.areas(of: detail, drawn[number]?.flatMap(\.polygons) ?? [], terrain)
      if listed[number] == nil { notice.doubts.append(.notListed) }
      if detail == nil, !withoutShape.contains(number) { notice.doubts.append(.noDetail) }
      if detail?.isOlder(than: entry) ?? false { notice.doubts.append(.olderDetail) }
      let shapes = notice.areas.map(\.shape)
      if shapes.contains(where: { $0?.isFromMap ?? false }) { notice.doubts.append(.shapeFromMap) }
      if shapes.contains(where: { $0?.differs ?? false }) { notice.doubts.append(.shapesDiffer) }
      if shapes.contains(where: { $0 == nil }) { notice.doubts.append(.noShape) }
      return notice
    }
  }

  /// The areas, with those of the map server if some cannot be drawn.
  private static func areas(
    of detail: TFRDetail?, _ polygons: [[[[Double]]]], _ terrain: Terrain?
  ) throws -> [TFRArea] {
    var areas = detail?.areas ?? []
    if areas.isEmpty || areas.contains(where: { $0.shape == nil }) {
      let whole = TFRPeriod(from: detail?.from, until: detail?.until)
      for shape in polygons.compactMap({ TFRShape(ofMap: $0) }) {
        areas.append(TFRArea(about: nil, number: areas.count + 1, whole: whole, shape: shape))
      }
    }
    for (index, area) in areas.enumerated() {
      guard [area.floor, area.ceiling].contains(where: { $0?.datum == .agl }) else { continue }
      areas[index].ground = try area.shape.flatMap { try terrain?.range(of: $0.map) }
    }
    return areas
  }

  var counts: [String: Int] {
    let areas = notices.flatMap(\.areas)
    let shapes = areas.compactMap(\.shape)
    let counts = [
      "notams": notices.count, "areas": areas.count, "badEntries": badEntries,
      "textOnly": notices.count { $0.areas.allSatisfy { $0.shape == nil } },
      "unconfirmed": notices.count { !$0.doubts.isEmpty }, "tests": notices.count(where: \.isTest),
      "forDronesOnly": notices.count(where: \.isForDronesOnly),
      "daysUnknown": areas.count(where: \.hasUnknownDays),
      "limitsUnknown": areas.count { !$0.feet.areKnown },
      "limitsFromTerrain": areas.count { $0.ground != nil }, "circles": shapes.count { $0.circle != nil },
      "shapesOfTheFAA": shapes.count { !$0.isRecipe },
    ]
    return TFRNotice.Doubt.allCases.reduce(into: counts) { counts, doubt in
      counts[doubt.rawValue] = notices.count { $0.doubts.contains(doubt) }
    }
  }

  /// The box around all areas; nil without areas.
  var box: GeoBox? {
    notices.flatMap(\.areas).compactMap { $0.shape?.map.box }
      .map { GeoBox(west: $0.west, south: $0.south, east: $0.east, north: $0.north) }
      .reduce(nil) { box, next in box?.union(next) ?? next }
  }
}

extension TFRDetail {
  /// Whether it is surely from before the last change in the list. The zone of its own time of creation is not stated: one of the
  /// continental United States.
  fileprivate func isOlder(than entry: TFREntry) -> Bool {
    let times = [issued, created?.adding(8 * 3600)].compactMap(\.self)
    return times.max().map { $0.adding(60) < entry.modified ?? $0 } ?? false
  }
}

extension Terrain {
  /// The lowest and the highest ground in a shape; nil where it is not all known.
  fileprivate func range(of shape: MapShape) throws -> ClosedRange<Int>? {
    let ranges = try shape.polygons.compactMap { polygon in
      try range(of: polygon[0].map { PlanePoint(x: ShapePoint.degrees($0.x), y: ShapePoint.degrees($0.y)) })
    }
    guard let low = ranges.map(\.lowerBound).min(), let high = ranges.map(\.upperBound).max() else {
      return nil
    }
    return ranges.count == shape.polygons.count ? low...high : nil
  }
}
