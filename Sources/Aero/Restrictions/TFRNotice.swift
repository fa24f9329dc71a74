internal import Core

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
    let words = [detail?.text, detail?["txtDescrTraditional"]].compactMap { $0?.prefix(50_000) }
      .joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ").uppercased()
    let rule = TFRNotice.rules.first { detail?.rule?.hasPrefix($0.section) ?? false }?.kind
    let kind = TFRNotice.kinds[entry.type ?? ""] ?? rule ?? "other"
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

  /// Drones and what is said of their flights.
  private static var drones: Regex<Substring> {
    /(?:UNMANNED (?:ACFT|AIRCRAFT)(?: SYSTEMS?)?(?: ?\(S?UAS\))?|\bS?UAS\b|\bDRONES?\b)(?: (?:FLT|FLIGHT))?(?: (?:OPS|OPERATIONS?|OPR|OPERATORS?))?/
  }
  /// Phrases of such a NOTAM that do not say whose flights are forbidden.
  private static var phrases: Regex<Substring> {
    /TEMPORARY FLIGHT RESTRICTIONS?|PILOTS? WHO DO(?:ES)? NOT (?:ADHERE|COMPLY)|THE (?:AIRBORNE )?(?:ACFT|AIRCRAFT),? (?:IF|POSES)|ALL (?:ACFT|AIRCRAFT) (?:OPR|OPERATORS) (?:CK|CHECK) NOTAMS/
  }
  private static var others: Regex<Substring> {
    /\b(?:ACFT|AIRCRAFT|PILOTS?|PERSONS?|MANNED|VFR|IFR|FLTS?|FLIGHTS?|FLY\w*|GLIDERS?|HEL\w*|BALLOONS?|PARACHUT\w*|ULTRALIGHTS?|AIRPLANES?|OVERFLIGHTS?)\b/
  }

  /// In doubt it is for all: by a rule for others, or a text that speaks of any other flight.
  private static func isForDronesOnly(_ entry: TFREntry, _ detail: TFRDetail?, _ words: String) -> Bool {
    let rule = detail?.rule ?? "99.7"
    let words = words.replacing(drones, with: "@").replacing(phrases, with: "")
    guard rule.hasPrefix("99.7") || rule.hasPrefix("44812"), !words.contains(others) else { return false }
    return rule.hasPrefix("44812") || entry.type == "UAS PUBLIC GATHERING"
      || words.contains(/\b(?:ALL|NO) @|@ (?:ARE|IS) (?:PROHIBITED|NOT AUTH)/)
  }

  /// `FDC 6/6654`
  var name: String { "FDC \(entry.number.text)" }
  var place: String? {
    detail.flatMap { $0.places.isEmpty ? nil : $0.places.joined(separator: "; ") } ?? entry.title
  }
  var facility: String? { detail?["codeFacility"] ?? entry.facility }
  /// The start of a period without one: a day before it was issued, since the zone of that time is not certain.
  var immediately: Instant {
    ([detail?.issued, entry.modified].compactMap(\.self).min() ?? Instant(secondsSince1970: 978_393_600))
      .adding(
        -86_400)
  }
  var isTest: Bool {
    ([detail?["NotUid", "txtLocalName"], entry.title] + (detail?.places ?? []))
      .contains { $0?.contains("TEST TEST TEST") ?? false }
  }
}
