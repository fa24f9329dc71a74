internal import Aero
internal import Core
internal import Pipeline

/// What a report shows of a difference between two databases: how much of what, and the most important of each.
struct ChangeDigest: Equatable {
  struct Group: Equatable {
    let title: String
    let count: Int
    /// HTML, the most important first.
    let lines: [String]
  }

  /// `2304 (2023-04-20) → 2305 (2023-05-18)`; empty where the comparison failed.
  let title: String
  let groups: [Group]
  /// Why there is none.
  let failure: String?
  /// Of the page with all of it, beside the report.
  var link: String?

  private static let shown = 12

  init(failure: String) {
    (title, groups, self.failure) = ("", [], failure)
  }

  init(_ difference: DatabaseDifference) {
    title = difference.title.replacing("->", with: "→")
    failure = nil
    groups = (ChangeDigest.airports(difference.airports) + ChangeDigest.items(difference)).filter {
      $0.count > 0
    }
  }

  /// They are ordered by who has to know of them first.
  private static func airports(_ airports: [AirportDifference]) -> [Group] {
    let group = { (title: String, lines: (AirportDifference) -> [String]?) in
      let told = airports.compactMap { airport in lines(airport).map { ChangeDigest.line(airport, $0) } }
      return Group(title: title, count: told.count, lines: Array(told.prefix(shown)))
    }
    let fields = { (airport: AirportDifference, names: [String]) -> [String]? in
      let texts = airport.fields.filter { names.contains($0.field) }.map(\.text)
      return texts.isEmpty ? nil : texts
    }
    return [
      group("Opened") {
        $0.change == .added || $0.change == .reopened ? $0.description.map { [$0] } ?? [] : nil
      },
      group("Closed") {
        $0.change == .removed || $0.change == .closed ? $0.description.map { [$0] } ?? [] : nil
      },
      group("Renamed") { fields($0, ["icao", "faaID", "name"]) },
      group("Moved") { fields($0, ["position"]) },
      group("Runways") { $0.runways.isEmpty ? nil : $0.runways.map(\.line) },
      group("Frequencies") { $0.frequencies.isEmpty ? nil : $0.frequencies.map(\.line) },
    ]
  }

  private static func line(_ airport: AirportDifference, _ lines: [String]) -> String {
    let words = lines.prefix(3).map(arrows) + (lines.count > 3 ? ["and \(lines.count - 3) more"] : [])
    return "<strong>\(escaped(airport.icao))</strong> \(escaped(airport.heading))"
      + (words.isEmpty ? "" : "<br>\(words.joined(separator: "; "))")
  }

  private static func items(_ difference: DatabaseDifference) -> [Group] {
    let kinds = [
      ("Airspace", difference.airspaces), ("Navaids", difference.navaids), ("Fixes", difference.fixes),
    ]
    let groups = kinds.map { title, items in
      Group(
        title: title, count: items.count,
        lines: items.prefix(shown).map { item in
          arrows(item.line) + (item.kind.isEmpty ? "" : " <small>\(escaped(item.kind))</small>")
        })
    }
    return groups + [obstacles(difference.obstacles)]
  }

  private static func obstacles(_ states: [ObstacleTally]) -> Group {
    let count = { (state: ObstacleTally) in state.added + state.removed + state.changed }
    let most = states.enumerated().sorted {
      (-count($0.element), $0.offset) < (-count($1.element), $1.offset)
    }
    let lines = most.prefix(shown).map { _, state in
      "<strong>\(escaped(state.state))</strong> \(Counts.grouped(state.added)) added, "
        + "\(Counts.grouped(state.removed)) removed, \(Counts.grouped(state.changed)) changed"
    }
    return Group(title: "Obstacles", count: states.map(count).reduce(0, +), lines: lines)
  }
}

/// A difference's text as HTML.
func arrows(_ text: String) -> String { escaped(text).replacing("-&gt;", with: "→") }
