internal import Core
internal import Pipeline

/// A difference for people, in lines of a hundred columns at most.
public enum DifferenceText {
  static let width = 100

  /// All of it.
  public static func render(_ difference: DatabaseDifference) -> String {
    let airports = difference.airportSections.map { section in
      heading(section.title, section.airports.count) + section.airports.map(airport).joined()
    }
    return
      ([summary(difference)] + airports
      + [
        items("Navaids", difference.navaids), names("Fixes", difference.fixes),
        items("Airspaces", difference.airspaces), obstacles(difference.obstacles),
      ].filter { !$0.isEmpty }).joined(separator: "\n")
  }

  /// How much has changed of what, and what could not be compared.
  public static func summary(_ difference: DatabaseDifference) -> String {
    var text = "Aviation data \(difference.title)\n"
    for words in difference.files { text += line(words, hanging: 7) }
    text += "\n"
    let tallies = difference.summary.compactMap { tally in tally.text.map { (tally.table, $0) } }
    for (table, words) in tallies { text += line(padded(table, 13) + words, hanging: 15) }
    for table in difference.otherTables {
      text += line(
        padded(table.table, 13) + "\(Counts.grouped(table.old)) -> \(Counts.grouped(table.new)) rows",
        hanging: 15)
    }
    if tallies.isEmpty && difference.otherTables.isEmpty { text += "  Nothing differs.\n" }
    if !difference.notCompared.isEmpty { text += "\nNot compared\n" }
    for words in difference.notCompared { text += line(words, hanging: 4) }
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

  /// There are many, and of most there is little to say but the name.
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
