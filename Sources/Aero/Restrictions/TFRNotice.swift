internal import Core
internal import Foundation

/// An area of a TFR with its place.
struct TFRArea {
  let about: TFRDetail.Area
  /// From 1, in the order of the FAA's file.
  let number: Int
  let shape: TFRShape?
  /// Feet above the sea: the lowest and the highest ground; nil if it is not known, or no limit is above it.
  var ground: ClosedRange<Int>?

  /// OpenEFB's value for unlimited.
  static let unlimited = 99_999

  private var floor: Int? { about.floor.flatMap { $0.feet(above: ground?.lowerBound) } }
  private var ceiling: Int? {
    about.ceiling.flatMap { $0 == .unlimited ? TFRArea.unlimited : $0.feet(above: ground?.upperBound) }
  }

  /// Whether a limit is only assumed.
  var hasUnknownLimit: Bool { floor == nil || ceiling.map { $0 <= floor ?? 0 } ?? true }

  /// The limits in feet above the sea. What is not known is taken as from the surface to unlimited.
  var feet: (floor: Int, ceiling: Int) {
    let (floor, ceiling) = (floor ?? 0, ceiling ?? TFRArea.unlimited)
    return ceiling > floor ? (floor, ceiling) : (0, TFRArea.unlimited)
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
  enum Doubt: String, CaseIterable {
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

  let entry: TFREntry
  let detail: TFRDetail?
  /// In OpenEFB's words: security, vip, hazard, airshow, stadium or other.
  let kind: String
  /// Whether it forbids the flight of drones only.
  let isForDronesOnly: Bool
  var areas: [TFRArea] = []
  var doubts: [Doubt] = []

  init(entry: TFREntry, detail: TFRDetail?) {
    (self.entry, self.detail) = (entry, detail)
    let words = (detail?.text ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ").uppercased()
    let rule = TFRNotice.rules.first { detail?.rule?.hasPrefix($0.section) ?? false }?.kind
    let kind = TFRNotice.kinds[entry.type?.uppercased() ?? ""] ?? rule ?? "other"
    let isOfSports = ["security", "airshow"].contains(kind) && words.contains(/STADIUM|SPORTING EVENT/)
    self.kind = isOfSports ? "stadium" : kind
    isForDronesOnly = TFRNotice.isForDronesOnly(entry, detail, words)
  }

  private static let kinds = [
    "SECURITY": "security", "VIP": "vip", "HAZARDS": "hazard", "SPACE OPERATIONS": "hazard",
    "AIR SHOWS/SPORTS": "airshow",
  ]
  /// By the section of 14 CFR.
  private static let rules: [(section: String, kind: String)] = [
    ("91.137", "hazard"), ("91.138", "hazard"), ("91.141", "vip"), ("91.143", "hazard"),
    ("91.145", "airshow"),
    ("99.7", "security"),
  ]

  /// In doubt it is for all: by a rule for others, or a text that forbids other flights.
  private static func isForDronesOnly(_ entry: TFREntry, _ detail: TFRDetail?, _ words: String) -> Bool {
    let (rule, isOfDrones) = (detail?.rule ?? "99.7", entry.type?.uppercased() == "UAS PUBLIC GATHERING")
    guard rule.hasPrefix("99.7") || rule.hasPrefix("44812") else { return false }
    let words = words.replacing(/UNMANNED (?:ACFT|AIRCRAFT)/, with: "DRONE")
    let forAll = /\bALL (?:ACFT|AIRCRAFT|PILOTS?)\b.{0,120}?(?:PROHIBIT|NOT AUTH)|NO PILOTS? MAY/
    if words.contains(forAll) { return false }
    return isOfDrones || rule.hasPrefix("44812")
      || words.contains(/(?:ALL|NO) DRONE SYSTEMS?\b.{0,12}\b(?:FLT |FLIGHT )?OP/)
      || detail?.template == "LittleThreatLanguage" && words.contains("DRONE")
  }

  /// `FDC 6/6654`
  var name: String { "FDC \(entry.number.text)" }
  var place: String? {
    detail.flatMap { $0.places.isEmpty ? nil : $0.places.joined(separator: "; ") } ?? entry.title
  }
  var facility: String? { detail?.facility ?? entry.facility }
  /// The start of a period without one.
  var immediately: Instant { detail?.issued ?? entry.modified ?? Instant(secondsSince1970: 978_307_200) }
  var isTest: Bool {
    ([detail?.localName, entry.title] + (detail?.places ?? [])).contains {
      $0?.contains("TEST TEST TEST") ?? false
    }
  }
}
