internal import Core
internal import Pipeline
internal import SQLiteIO

/// What people call the columns, and how they write their values.
struct FieldWords {
  enum Style {
    case plain
    case feet
    case frequency
    case degrees
    case variation
    case flag
    case list
    case quoted
  }

  private static let known: [String: (name: String, style: Style)] = [
    "id": ("number", .plain), "icao": ("identifier", .plain), "faaID": ("FAA identifier", .plain),
    "use": ("use", .plain),
    "elevation": ("elevation", .feet), "magneticVariation": ("variation", .variation),
    "patternAltitude": ("pattern altitude", .feet), "fuelTypes": ("fuel", .list),
    "hasBeaconLight": ("beacon", .flag), "isTowered": ("tower", .flag), "isPublic": ("public", .flag),
    "length": ("length", .feet), "width": ("width", .feet), "Elevation": ("elevation", .feet),
    "TouchdownElevation": ("touchdown elevation", .feet), "TrueHeading": ("true heading", .degrees),
    "DisplacedThreshold": ("displaced threshold", .feet), "Traffic": ("traffic", .plain),
    "VGSI": ("glide slope lights", .plain), "Marking": ("marking", .plain),
    "edgeLights": ("edge lights", .plain), "frequency": ("frequency", .frequency),
    "receiveOnly": ("receive only", .flag), "remark": ("remark", .quoted), "hours": ("hours", .quoted),
    "sector": ("sector", .quoted), "activity": ("activity", .quoted), "artccID": ("center", .plain),
    "fssID": ("flight service", .plain),
    "geometry": ("boundary", .plain), "floorText": ("floor", .plain), "ceilingText": ("ceiling", .plain),
  ]

  /// What a value needs to be understood without its name.
  private static let suffixes = ["width": " wide", "edgeLights": " lights"]

  /// `baseEnd` and `reciprocalEnd`, with what the end is called.
  var ends: [String: String] = [:]
  /// Whether frequencies are in kHz, as those of an NDB.
  var isLowFrequency = false

  /// `elevation 6.8 -> 7 ft`
  func text(_ column: String, _ old: SQLiteValue, _ new: SQLiteValue) -> String {
    let (name, style) = look(column)
    if style == .list { return "\(name) " + FieldWords.listChanges(old, new) }
    if case .text(let old) = old, case .text(let new) = new, style == .quoted {
      return "\(name) " + FieldWords.excerpts(old, new)
    }
    let before = FieldWords.words(old, style) + (new == .null ? unit(style) : "")
    return "\(name) \(before) -> \(FieldWords.words(new, style))" + (new == .null ? "" : unit(style))
  }

  /// A value by itself, with its unit: `2,443 ft`; nil for NULL.
  func value(_ column: String, _ value: SQLiteValue) -> String? {
    guard value != .null else { return nil }
    let style = look(column).style
    if style == .list {
      let items = FieldWords.list(value)
      return items.isEmpty ? nil : items.joined(separator: " ")
    }
    return FieldWords.words(value, style) + unit(style) + (FieldWords.suffixes[column] ?? "")
  }

  /// What a column is called: `end 13 displaced threshold`.
  func name(_ column: String) -> String { look(column).name }

  private func look(_ column: String) -> (name: String, style: Style) {
    for (prefix, end) in ends where column.hasPrefix(prefix) {
      let rest = String(column.dropFirst(prefix.count))
      let (name, style) = FieldWords.known[rest] ?? (FieldWords.spaced(rest), .plain)
      return ("end \(end) \(name)", style)
    }
    return FieldWords.known[column] ?? (FieldWords.spaced(column), .plain)
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

  /// `closed indefinitely` for `closedIndefinitely`; what is not one word of ours stays as it is.
  static func spaced(_ text: String) -> String {
    guard text.first?.isLowercase == true, text.allSatisfy({ $0.isLetter || $0 == "-" }) else { return text }
    return text.map { $0.isUppercase ? " " + $0.lowercased() : String($0) }.joined()
  }

  /// Of long texts, from a little before the place where they begin to differ.
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

  /// `+JetA -80`, of two JSON arrays of texts.
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
