internal import Core
internal import Foundation

/// All TFRs that any of the sources names.
struct TFRDirectory {
  private(set) var notices: [TFRNotice] = []
  private(set) var counts: [String: Int] = [:]
  /// The newest change of the list.
  let newest: Instant
  private let terrain: Terrain?

  /// - Parameter details: the bytes of the files about single TFRs, by their names.
  init(
    list: TFRList, noShapes: TFRList? = nil, features: TFRFeatures? = nil, details: [String: Data],
    terrain: Terrain? = nil
  ) throws {
    (newest, self.terrain) = (list.newest ?? Instant(secondsSince1970: 0), terrain)
    counts["badEntries"] = list.bad + (noShapes?.bad ?? 0)
    let drawn = Dictionary(grouping: features?.notices ?? []) { $0.entry.number }
    let listed = Dictionary((list.entries + (noShapes?.entries ?? [])).map { ($0.number, $0) }) { first, _ in
      first
    }
    let entries = drawn.compactMapValues { $0.first?.entry }.merging(listed) { $1 }
    let withoutShape = Set(noShapes?.entries.map(\.number) ?? [])
    for (number, entry) in entries.sorted(by: { $0.key < $1.key }) {
      try CancellationToken.current.check()
      var notice = TFRNotice(
        entry: entry, detail: details[number.detailName].flatMap { try? TFRDetail($0, of: number) })
      notice.areas = try areas(of: notice, drawn[number]?.flatMap(\.polygons) ?? [])
      let shapes = notice.areas.map(\.shape)
      let doubts: [(TFRNotice.Doubt, Bool)] = [
        (.notListed, listed[number] == nil),
        (.noDetail, notice.detail == nil && !withoutShape.contains(number)),
        (.olderDetail, notice.detail?.isOlder(than: entry) ?? false),
        (.shapeFromMap, shapes.contains { $0?.isFromMap ?? false }),
        (.shapesDiffer, shapes.contains { $0?.differs ?? false }), (.noShape, shapes.contains { $0 == nil }),
      ]
      notice.doubts = doubts.filter(\.1).map(\.0)
      notices.append(notice)
    }
    count()
  }

  /// The areas, with those of the map server if some cannot be drawn.
  private func areas(of notice: TFRNotice, _ polygons: [[[[Double]]]]) throws -> [TFRArea] {
    let whole = TFRPeriod(from: notice.detail?.from, until: notice.detail?.until)
    var drawn = (notice.detail?.areas ?? []).map { about in
      let own = about.recipe.flatMap { try? TFRShape($0, merged: about.merged) }
      return (about: about, shape: own ?? about.merged.flatMap { try? TFRShape(merged: [$0]) })
    }
    if drawn.isEmpty || drawn.contains(where: { $0.shape == nil }) {
      drawn += polygons.compactMap { polygon in
        let rings = polygon.compactMap { ring in
          ring.compactMap { ShapePoint(longitude: $0[0], latitude: $0[1]) }.unwound
        }
        guard rings.count == polygon.count, let shape = try? TFRShape(merged: rings, isFromMap: true) else {
          return nil
        }
        return (TFRDetail.Area(periods: [whole]), shape)
      }
    }
    return try drawn.enumerated().map { index, area in
      let isAboveGround = [area.about.floor, area.about.ceiling].contains { $0?.datum == .agl }
      let ground = try isAboveGround ? area.shape.flatMap { try terrain?.range(of: $0.map) } : nil
      return TFRArea(about: area.about, number: index + 1, shape: area.shape, ground: ground)
    }
  }

  private mutating func count() {
    let areas = notices.flatMap(\.areas)
    let shapes = areas.compactMap(\.shape)
    let found = [
      "notams": notices.count, "areas": areas.count, "circles": shapes.count { $0.circle != nil },
      "textOnly": notices.count { $0.areas.allSatisfy { $0.shape == nil } },
      "unconfirmed": notices.count { !$0.doubts.isEmpty },
      "forDronesOnly": notices.count(where: \.isForDronesOnly), "tests": notices.count(where: \.isTest),
      "shapesOfTheFAA": shapes.count { !$0.isRecipe }, "shapesRepaired": shapes.count(where: \.wasRepaired),
      "limitsUnknown": areas.count(where: \.hasUnknownLimit),
      "limitsFromTerrain": areas.count { $0.ground != nil },
      "daysUnknown": areas.count(where: \.about.hasUnknownDays),
      "datesDiffer": notices.count { $0.detail?.datesDiffer ?? false },
    ]
    counts.merge(found) { $1 }
    for doubt in TFRNotice.Doubt.allCases {
      counts[doubt.rawValue] = notices.count { $0.doubts.contains(doubt) }
    }
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
    let ranges = try shape.polygons.map { polygon in
      try range(of: polygon[0].map { PlanePoint(x: ShapePoint.degrees($0.x), y: ShapePoint.degrees($0.y)) })
    }
    let known = ranges.compactMap(\.self)
    guard let low = known.map(\.lowerBound).min(), let high = known.map(\.upperBound).max(),
      known.count == ranges.count
    else { return nil }
    return low...high
  }
}
