internal import Core
internal import Foundation

/// An area of a TFR with its place.
struct TFRArea {
  var about: TFRDetail.Area
  /// From 1, in the order of the FAA's file.
  let number: Int
  var shape: TFRShape?
  /// Feet above the sea: the lowest and the highest ground; nil if it is not known, or no limit is above it.
  var ground: ClosedRange<Int>?

  /// OpenEFB's value for unlimited.
  static let unlimited = 99_999

  /// The limits in feet above the sea. What is not known is taken as from the surface to unlimited.
  var feet: (floor: Int, ceiling: Int) {
    let floor = about.floor.flatMap { $0.feet(above: ground?.lowerBound) } ?? 0
    let ceiling = about.ceiling.flatMap { $0.feet(above: ground?.upperBound) } ?? TFRArea.unlimited
    return ceiling > floor ? (floor, ceiling) : (0, TFRArea.unlimited)
  }

  var isAboveGround: Bool { [about.floor, about.ceiling].contains { $0?.datum == .agl } }

  /// Whether a limit is only assumed.
  var hasUnknownLimit: Bool {
    let isCeilingKnown = about.ceiling.map {
      $0.datum == .unlimited || $0.feet(above: ground?.upperBound) != nil
    }
    return about.floor?.feet(above: ground?.lowerBound) == nil || isCeilingKnown != true
      || about.ceiling?.datum == .surface
  }
}

extension AltitudeLimit {
  /// Feet above the sea, 0 for the surface; nil if that is not known.
  fileprivate func feet(above ground: Int?) -> Int? {
    datum == .agl ? feet.flatMap { height in ground.map { $0 + height } } : comparableFeet
  }
}

/// A TFR as the sources together describe it.
struct TFRNotice {
  /// Why it may differ from what is in force.
  enum Doubt: String, CaseIterable, Encodable {
    /// Only the map server names it.
    case notListed
    /// There is no usable file about it: the limits and times are not known.
    case noDetail
    /// The list has a later change than the file about it.
    case olderDetail
    /// An area is the polygon of the map server.
    case shapeFromMap
    /// The FAA's polygon and the recipe of an area differ; both are shown.
    case shapesDiffer
    /// It has an area whose place is not known.
    case noShape
  }

  /// In OpenEFB's words.
  enum Kind: String, Encodable {
    case security, vip, hazard, airshow, stadium, other
  }

  let entry: TFREntry
  let detail: TFRDetail?
  let kind: Kind
  /// Whether it forbids the flight of drones only.
  let isForDronesOnly: Bool
  var areas: [TFRArea] = []
  var doubts: [Doubt] = []

  init(entry: TFREntry, detail: TFRDetail?) {
    (self.entry, self.detail) = (entry, detail)
    let words = (detail?.text ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ").uppercased()
    kind = TFRNotice.kind(entry, detail, words)
    isForDronesOnly = TFRNotice.isForDronesOnly(entry, detail, words)
  }

  /// `FDC 6/6654`
  var name: String { "FDC \(entry.number.text)" }
  /// The start of a period without one.
  var immediately: Instant { detail?.issued ?? entry.modified ?? Instant(secondsSince1970: 978_307_200) }
  var place: String? {
    detail.flatMap { $0.places.isEmpty ? nil : $0.places.joined(separator: "; ") } ?? entry.title
  }

  private static let kinds: [String: Kind] = [
    "SECURITY": .security, "VIP": .vip, "HAZARDS": .hazard, "SPACE OPERATIONS": .hazard,
    "AIR SHOWS/SPORTS": .airshow,
  ]
  /// By the section of 14 CFR.
  private static let rules: [(section: String, kind: Kind)] = [
    ("91.137", .hazard), ("91.138", .hazard), ("91.141", .vip), ("91.143", .hazard), ("91.145", .airshow),
    ("99.7", .security),
  ]

  private static func kind(_ entry: TFREntry, _ detail: TFRDetail?, _ words: String) -> Kind {
    let rule = rules.first { detail?.rule?.hasPrefix($0.section) ?? false }?.kind
    let kind = entry.type.flatMap { kinds[$0.uppercased()] } ?? rule ?? .other
    return [.security, .airshow].contains(kind) && words.contains(/STADIUM|SPORTING EVENT/) ? .stadium : kind
  }

  /// In doubt it is for all: a rule for others, or a text that forbids other flights.
  private static func isForDronesOnly(_ entry: TFREntry, _ detail: TFRDetail?, _ words: String) -> Bool {
    if let rule = detail?.rule, !rule.hasPrefix("99.7"), !rule.hasPrefix("44812") { return false }
    let words = words.replacing(/UNMANNED (?:ACFT|AIRCRAFT)/, with: "DRONE")
    let forOthers =
      /\bALL (?:ACFT|AIRCRAFT|PILOTS?)\b.{0,120}?(?:PROHIBIT|NOT AUTH)|NO PILOTS? MAY|[A-Z] (?:ACFT|AIRCRAFT) (?:FLT |FLIGHT )?OPS ARE PROHIBITED/
    if words.contains(forOthers) { return false }
    return words.contains(/(?:ALL|NO) DRONE SYSTEMS?\b.{0,12}\b(?:FLT |FLIGHT )?OP/)
      || detail?.rule?.hasPrefix("44812") ?? false || entry.type?.uppercased() == "UAS PUBLIC GATHERING"
      || detail?.template == "LittleThreatLanguage" && words.contains("DRONE")
  }

  var isTest: Bool {
    ([detail?.localName, entry.title] + (detail?.places ?? [])).contains {
      $0?.contains("TEST TEST TEST") ?? false
    }
  }
}

/// All TFRs that any of the sources names.
struct TFRDirectory {
  private(set) var notices: [TFRNotice] = []
  private(set) var counts: [String: Int] = [:]
  /// The newest change of the list.
  let newest: Instant

  /// - Parameter details: the bytes of the files about single TFRs.
  init(
    list: TFRList, noShapes: TFRList?, features: TFRFeatures?, details: [TFRNumber: Data], terrain: Terrain?
  ) throws {
    newest = list.newest ?? Instant(secondsSince1970: 0)
    counts["badEntries"] = list.bad + (noShapes?.bad ?? 0)
    let drawn = Dictionary(grouping: features?.notices ?? []) { $0.entry.number }
    var entries = drawn.compactMapValues { $0.first?.entry }
    let listed = Dictionary((list.entries + (noShapes?.entries ?? [])).map { ($0.number, $0) }) { first, _ in
      first
    }
    entries.merge(listed) { $1 }
    let expected = Set(list.entries.map(\.number))
    for (number, entry) in entries.sorted(by: { $0.key < $1.key }) {
      try CancellationToken.current.check()
      let detail = details[number].flatMap { try? TFRDetail($0, of: number) }
      var notice = TFRNotice(entry: entry, detail: detail)
      if listed[number] == nil { notice.doubts.append(.notListed) }
      if detail == nil, expected.contains(number) || listed[number] == nil { notice.doubts.append(.noDetail) }
      if let detail, detail.isOlder(than: entry) { notice.doubts.append(.olderDetail) }
      try draw(&notice, drawn[number]?.flatMap(\.polygons) ?? [], terrain)
      count(notice)
      notices.append(notice)
    }
  }

  /// Draws the areas, those of the map server in place of what cannot be drawn.
  private mutating func draw(_ notice: inout TFRNotice, _ polygons: [[[[Double]]]], _ terrain: Terrain?)
    throws
  {
    let abouts = notice.detail?.areas ?? []
    notice.areas = abouts.enumerated().map { TFRArea(about: $1, number: $0 + 1, shape: shape(of: $1)) }
    if abouts.isEmpty || notice.areas.contains(where: { $0.shape == nil }) {
      let whole = TFRPeriod(from: notice.detail?.from, until: notice.detail?.until)
      for polygon in polygons {
        let rings = polygon.compactMap { ring in
          ring.compactMap { ShapePoint(longitude: $0[0], latitude: $0[1]) }.unwound
        }
        guard rings.count == polygon.count, let shape = try? TFRShape(merged: [rings]) else { continue }
        let about = TFRDetail.Area(periods: [whole])
        notice.areas.append(TFRArea(about: about, number: notice.areas.count + 1, shape: shape))
        if !notice.doubts.contains(.shapeFromMap) { notice.doubts.append(.shapeFromMap) }
      }
    }
    for index in notice.areas.indices where notice.areas[index].isAboveGround {
      notice.areas[index].ground = try notice.areas[index].shape.flatMap { try terrain?.range(of: $0.map) }
    }
    if notice.areas.contains(where: { $0.shape?.differs ?? false }) { notice.doubts.append(.shapesDiffer) }
    if notice.areas.contains(where: { $0.shape == nil }) { notice.doubts.append(.noShape) }
  }

  private func shape(of area: TFRDetail.Area) -> TFRShape? {
    area.recipe.flatMap { try? TFRShape($0, merged: area.merged) }
      ?? area.merged.flatMap { try? TFRShape(merged: [[$0]]) }
  }

  private mutating func count(_ notice: TFRNotice) {
    let shapes = notice.areas.compactMap(\.shape)
    let found = [
      "notams": 1, "areas": notice.areas.count, "circles": shapes.count { $0.circle != nil },
      "textOnly": shapes.isEmpty ? 1 : 0, "unconfirmed": notice.doubts.isEmpty ? 0 : 1,
      "forDronesOnly": notice.isForDronesOnly ? 1 : 0, "tests": notice.isTest ? 1 : 0,
      "shapesOfTheFAA": shapes.count { !$0.isRecipe }, "shapesRepaired": shapes.count { $0.wasRepaired },
      "limitsUnknown": notice.areas.count(where: \.hasUnknownLimit),
      "daysUnknown": notice.areas.count { $0.about.hasUnknownDays },
      "limitsFromTerrain": notice.areas.count { $0.ground != nil },
      "datesDiffer": notice.detail?.datesDiffer == true ? 1 : 0,
    ]
    counts.merge(found, uniquingKeysWith: +)
    for doubt in TFRNotice.Doubt.allCases {
      counts[doubt.rawValue, default: 0] += notice.doubts.contains(doubt) ? 1 : 0
    }
  }
}

extension TFRDetail {
  /// Whether it is surely from before the last change in the list. The zone of its own time of creation is not stated: one of the
  /// continental United States.
  fileprivate func isOlder(than entry: TFREntry) -> Bool {
    guard let modified = entry.modified,
      let time = [issued, created?.adding(8 * 3600)].compactMap(\.self).max()
    else { return false }
    return time.adding(60) < modified
  }
}

extension Terrain {
  /// The lowest and the highest ground in a shape; nil where it is not all known.
  fileprivate func range(of shape: MapShape) throws -> ClosedRange<Int>? {
    var whole: ClosedRange<Int>?
    for polygon in shape.polygons {
      let ring = polygon[0].map { PlanePoint(x: ShapePoint.degrees($0.x), y: ShapePoint.degrees($0.y)) }
      guard let range = try range(of: ring) else { return nil }
      whole =
        min(
          range.lowerBound, whole?.lowerBound ?? range.lowerBound)...max(
          range.upperBound, whole?.upperBound ?? range.upperBound)
    }
    return whole
  }
}
