internal import Core
internal import SQLiteIO

/// Formats the names of columns and their values for display.
struct FieldFormatter {
  enum Style {
    case plain, feet, frequency, degrees, variation, flag, list, quoted
  }

  private static let fields: [String: (name: String, style: Style)] = [
    "id": ("number", .plain), "icao": ("identifier", .plain), "faaID": ("FAA identifier", .plain),
    "use": ("use", .plain), "elevation": ("elevation", .feet), "magneticVariation": ("variation", .variation),
    "patternAltitude": ("pattern altitude", .feet), "fuelTypes": ("fuel", .list),
    "hasBeaconLight": ("beacon", .flag), "isTowered": ("tower", .flag), "isPublic": ("public", .flag),
    "length": ("length", .feet), "width": ("width", .feet), "Elevation": ("elevation", .feet),
    "TouchdownElevation": ("touchdown elevation", .feet), "TrueHeading": ("true heading", .degrees),
    "inboundCourse": ("inbound course", .degrees), "isRNAV": ("RNAV", .flag), "route": ("route", .quoted),
    "DisplacedThreshold": ("displaced threshold", .feet), "Traffic": ("traffic", .plain),
    "VGSI": ("glide slope lights", .plain), "Marking": ("marking", .plain),
    "edgeLights": ("edge lights", .plain), "frequency": ("frequency", .frequency),
    "receiveOnly": ("receive only", .flag), "remark": ("remark", .quoted), "hours": ("hours", .quoted),
    "sector": ("sector", .quoted), "activity": ("activity", .quoted), "artccID": ("center", .plain),
    "fssID": ("flight service", .plain), "geometry": ("boundary", .plain), "floorText": ("floor", .plain),
    "ceilingText": ("ceiling", .plain),
  ]

  /// Suffixes for values without the name of their column.
  private static let suffixes = ["width": " wide", "edgeLights": " lights"]

  /// The names of the ends, by `baseEnd` and `reciprocalEnd`.
  var ends: [String: String] = [:]
  /// Whether frequencies are in kHz, as for an NDB.
  var isLowFrequency = false

  /// `elevation 6.8 -> 7 ft`
  func text(_ column: String, _ old: SQLiteValue, _ new: SQLiteValue) -> String {
    let (name, style) = look(column)
    if style == .list { return "\(name) " + FieldFormatter.listChanges(old, new) }
    if case .text(let old) = old, case .text(let new) = new, style == .quoted {
      return "\(name) " + FieldFormatter.excerpts(old, new)
    }
    let before = FieldFormatter.words(old, style) + (new == .null ? unit(style) : "")
    return "\(name) \(before) -> \(FieldFormatter.words(new, style))" + (new == .null ? "" : unit(style))
  }

  /// A value with its unit: `2,443 ft`; nil for NULL.
  func value(_ column: String, _ value: SQLiteValue) -> String? {
    guard value != .null else { return nil }
    let style = look(column).style
    if style == .list {
      let items = FieldFormatter.list(value)
      return items.isEmpty ? nil : items.joined(separator: " ")
    }
    return FieldFormatter.words(value, style) + unit(style) + (FieldFormatter.suffixes[column] ?? "")
  }

  /// The name of a column: `end 13 displaced threshold`.
  func name(_ column: String) -> String { look(column).name }

  private func look(_ column: String) -> (name: String, style: Style) {
    for (prefix, end) in ends where column.hasPrefix(prefix) {
      let rest = String(column.dropFirst(prefix.count))
      let (name, style) = FieldFormatter.fields[rest] ?? (FieldFormatter.spaced(rest), .plain)
      return ("end \(end) \(name)", style)
    }
    return FieldFormatter.fields[column] ?? (FieldFormatter.spaced(column), .plain)
  }

  private func unit(_ style: Style) -> String {
    switch style {
    case .feet: " ft"
    case .frequency: isLowFrequency ? " kHz" : " MHz"
    case .degrees: " degrees"
    default: ""
    }
  }

  private static func words(_ value: SQLiteValue, _ style: Style) -> String {
    switch value {
    case .null: "none"
    case .blob(let bytes): Counts.bytes(bytes.count)
    case .text(let text): style == .quoted ? "\"\(text)\"" : spaced(text)
    case .integer(let value):
      style == .flag ? (value == 0 ? "no" : "yes") : style == .feet ? Counts.grouped(value) : String(value)
    case .real(let value): number(value, style)
    }
  }

  private static func number(_ value: Double, _ style: Style) -> String {
    if style == .variation { return plain(abs(value)) + (value < 0 ? "W" : value > 0 ? "E" : "") }
    return style == .frequency ? "\(value)" : plain(value)
  }

  /// Without the `.0` of a whole number.
  private static func plain(_ value: Double) -> String {
    let text = "\(value)"
    let parts = text.split(separator: ".")
    guard parts.count == 2, let whole = Int(parts[0]) else { return text }
    if parts[1] == "0" { return Counts.grouped(whole) }
    return abs(whole) < 1000 ? text : Counts.grouped(whole) + "." + parts[1]
  }

  /// `closed indefinitely` for `closedIndefinitely`. Other texts do not change.
  static func spaced(_ text: String) -> String {
    guard text.first?.isLowercase == true, text.allSatisfy({ $0.isLetter || $0 == "-" }) else { return text }
    return text.map { $0.isUppercase ? " " + $0.lowercased() : String($0) }.joined()
  }

  /// Excerpts of long texts, from shortly before the first difference.
  private static func excerpts(_ old: String, _ new: String) -> String {
    let start = max(0, zip(old, new).prefix { $0 == $1 }.count - 16)
    let parts = [old, new].map { text in
      let rest = text.dropFirst(start > 16 ? start : 0)
      let end = rest.count > longestQuote ? rest.prefix(longestQuote - 3) + "..." : rest
      return "\"" + (start > 16 ? "..." : "") + end + "\""
    }
    return parts.joined(separator: " -> ")
  }

  private static let longestQuote = 80

  /// `+JetA -80` for two JSON arrays of texts.
  private static func listChanges(_ old: SQLiteValue, _ new: SQLiteValue) -> String {
    let (before, after) = (list(old), list(new))
    let words =
      after.filter { !before.contains($0) }.map { "+" + $0 }
      + before.filter { !after.contains($0) }.map { "-" + $0 }
    return words.isEmpty ? "in another order" : words.joined(separator: " ")
  }

  private static func list(_ value: SQLiteValue) -> [String] {
    guard case .text(let text) = value else { return [] }
    return text.split { "[],\"".contains($0) }.map(String.init)
  }
}
