internal import Core

/// Formats a difference as text of at most a hundred columns.
public enum DifferenceText {
  static let width = 100

  /// The complete text.
  public static func render(_ difference: DatabaseDifference) -> String {
    let airports = difference.airportSections.map { section in
      heading(section.title, section.airports.count) + section.airports.map(airport).joined()
    }
    return
      ([summary(difference)] + airports
      + ([
        items("Navaids", difference.navaids), names("Fixes", difference.fixes),
        items("Airspaces", difference.airspaces), items("Procedures", difference.procedures),
        items("Holds", difference.holds), items("Routes", difference.routes), obstacles(difference.obstacles),
      ] + (difference.tables ?? []).map { items($0.table, $0.items) }).filter { !$0.isEmpty }).joined(
        separator: "\n")
  }

  /// The numbers of changes, and the tables that could not be compared.
  public static func summary(_ difference: DatabaseDifference) -> String {
    var text = "Changes \(difference.title)\n"
    for file in difference.files { text += line(file, hanging: 7) }
    text += "\n"
    let tallies = difference.summary.compactMap { tally in tally.text.map { (tally.table, $0) } }
    for (table, tally) in tallies { text += line(padded(table, 13) + tally, hanging: 15) }
    for table in difference.otherTables {
      text += line(
        padded(table.table, 13) + "\(Counts.grouped(table.old)) -> \(Counts.grouped(table.new)) rows",
        hanging: 15)
    }
    if tallies.isEmpty && difference.otherTables.isEmpty { text += "  Nothing differs.\n" }
    if !difference.notCompared.isEmpty { text += "\nNot compared\n" }
    for item in difference.notCompared { text += line(item, hanging: 4) }
    return text
  }

  private static func heading(_ title: String, _ count: Int) -> String {
    "\(title) (\(Counts.grouped(count)))\n"
  }

  private static func airport(_ airport: AirportDifference) -> String {
    line(padded(airport.icao, 6) + airport.heading, hanging: 10)
      + airport.lines.map { line($0, indent: 8, hanging: 10) }.joined()
  }

  private static func items(_ title: String, _ items: [ItemDifference]) -> String {
    guard !items.isEmpty else { return "" }
    let lines = items.map { item in
      line(item.line + (item.kind.isEmpty ? "" : " (\(item.kind))"), hanging: 6)
    }
    return heading(title, items.count) + lines.joined()
  }

  /// Lists items mainly by name, since there are many.
  private static func names(_ title: String, _ items: [ItemDifference]) -> String {
    guard !items.isEmpty else { return "" }
    let lists = Change.allCases.map { change in
      let own = items.filter { $0.change == change }
      guard !own.isEmpty else { return "" }
      let names = own.map { item in
        [item.name, item.state].compactMap(\.self).joined(separator: " ")
          + (item.fields.isEmpty ? "" : ": " + item.fields.map(\.text).joined(separator: ", "))
      }
      return line("\(change.rawValue): " + names.joined(separator: "; "), hanging: 4)
    }
    return heading(title, items.count) + lists.joined()
  }

  private static func obstacles(_ states: [ObstacleTally]) -> String {
    guard !states.isEmpty else { return "" }
    let rows = states.map { state in
      let counts = [state.added, state.removed, state.changed].map { right(Counts.grouped($0), 10) }
      return "  " + padded(state.state, 6) + counts.joined()
        + right(state.tallestAdded.map { Counts.grouped($0) + " ft" } ?? "", 16) + "\n"
    }
    return "Obstacles\n  state      added   removed   changed  tallest added\n" + rows.joined()
  }

  private static func line(_ text: String, indent: Int = 2, hanging: Int) -> String {
    wrapped(String(repeating: " ", count: indent) + text, to: width, hanging: hanging)
      .replacing("\u{A0}", with: " ") + "\n"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }
}

/// The sentences of a difference for the text and the HTML page.
extension DatabaseDifference {
  /// The nonempty sections in the order of their importance for pilots and reviewers.
  public var airportSections: [(title: String, airports: [AirportDifference])] {
    let changed = airports.filter { $0.change == .changed }
    let parts: [(title: String, airports: [AirportDifference])] = [
      ("Opened", airports.filter { $0.change == .added || $0.change == .reopened }),
      ("Closed", airports.filter { $0.change == .removed || $0.change == .closed }),
      ("Changed at airports with a tower", changed.filter { $0.rank == .towered }),
      ("Changed at other public airports", changed.filter { $0.rank == .public }),
      ("Changed at private airports", changed.filter { $0.rank == .private }),
    ]
    return parts.filter { !$0.airports.isEmpty }
  }

  /// `2304 (2023-04-20) -> 2305 (2023-05-18)`
  public var title: String { "\(old.title) -> \(new.title)" }

  /// The compared files, with a warning if they may be swapped.
  public var files: [String] {
    let isTurned = (old.effective ?? "") > (new.effective ?? "~")
    return ["old: \(old.line)", "new: \(new.line)"]
      + (isTurned ? ["Warning: the second file is of an earlier cycle than the first."] : [])
  }
}

extension ComparedEdition {
  /// `2304 (2023-04-20)`
  public var title: String {
    (cycle ?? file) + (effective.map { " (\(day($0)))" } ?? "")
  }

  /// `old.sqlite, expires 2023-05-18, made of 20_Apr_2023_CSV.zip, schema 2`
  var line: String {
    [
      file, expires.map { "expires \(day($0))" }, source.map { "made of \($0)" },
      schemaVersion.map { "schema \($0)" },
    ].compactMap(\.self).joined(separator: ", ")
  }

  private func day(_ time: String) -> Substring { time.prefix { $0 != "T" } }
}

extension ChangeTally {
  /// `3 added, 14 changed: length 9, surface 7`, without line breaks before the numbers of fields; nil without changes.
  public var text: String? {
    let counts = Change.allCases.compactMap { change in
      changes[change].map { "\(Counts.grouped($0)) \(change.rawValue)" }
    }
    guard !counts.isEmpty else { return nil }
    let most = fields.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let words = most.map {
      "\(FieldFormatter(ends: ChangeTally.ends).name($0.key))\u{A0}\(Counts.grouped($0.value))"
    }
    return counts.joined(separator: ", ") + (words.isEmpty ? "" : ": " + words.joined(separator: ", "))
  }

  /// The names of ends independent of a runway.
  private static let ends = ["baseEnd": "1", "reciprocalEnd": "2"]
}

extension AirportDifference {
  /// `PALO ALTO, PALO ALTO CA`, with the type unless it is an airport.
  public var heading: String {
    let place = [city == name ? nil : city, state ?? country].compactMap(\.self).joined(separator: " ")
    return ([name] + (place.isEmpty ? [] : [place])).joined(separator: ", ")
      + (type == "airport" ? "" : " (\(type))")
  }

  /// The lines about the airport, its runways and its frequencies.
  public var lines: [String] {
    let own = description.map { "\(change.rawValue): \($0)" }
    let fields = self.fields.isEmpty ? nil : self.fields.map(\.text).joined(separator: "; ")
    let runways = self.runways.map { ($0.name.hasPrefix("H") ? "helipad " : "runway ") + $0.line }
    return [own, fields].compactMap(\.self) + runways + frequencies.map(\.line)
  }
}

extension ItemDifference {
  /// `13/31: length 2,443 -> 2,500 ft` or `13/31 added: 2,443 ft, asphalt`
  public var line: String {
    if !fields.isEmpty { return "\(name): " + fields.map(\.text).joined(separator: "; ") }
    return "\(name) \(change.rawValue)" + (description.map { ": \($0)" } ?? "")
  }

  /// `vor dme, CA`
  public var kind: String {
    [type.map(FieldFormatter.spaced), state].compactMap(\.self).joined(separator: ", ")
  }
}
