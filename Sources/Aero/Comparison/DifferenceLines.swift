internal import Core
internal import Pipeline

/// A difference in sentences, of which the text and the page are both made.
extension DatabaseDifference {
  public struct AirportSection: Sendable {
    public let title: String
    public let airports: [AirportDifference]
  }

  /// What a pilot or a reviewer looks for, in that order; sections with nothing in them are left out.
  public var airportSections: [AirportSection] {
    let changed = airports.filter { $0.change == .changed }
    let parts: [(String, [AirportDifference])] = [
      ("Opened", airports.filter { $0.change == .added || $0.change == .reopened }),
      ("Closed", airports.filter { $0.change == .removed || $0.change == .closed }),
      ("Changed at airports with a tower", changed.filter { $0.rank == .towered }),
      ("Changed at other public airports", changed.filter { $0.rank == .public }),
      ("Changed at private airports", changed.filter { $0.rank == .private }),
    ]
    return parts.filter { !$0.1.isEmpty }.map { AirportSection(title: $0.0, airports: $0.1) }
  }

  /// `2304 (2023-04-20) -> 2305 (2023-05-18)`
  public var title: String { "\(old.title) -> \(new.title)" }

  /// Which files were compared, and whether somebody may have mixed them up.
  public var files: [String] {
    let isTurned = (old.effective ?? "") > (new.effective ?? "~")
    return ["old: \(old.line)", "new: \(new.line)"]
      + (isTurned ? ["Mind that the second file is of an earlier cycle than the first."] : [])
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
  /// `3 added, 14 changed: length 9, surface 7`, where a line does not break before a number; nil where nothing has changed.
  public var text: String? {
    let counts = Change.allCases.compactMap { change in
      changes[change].map { "\(Counts.grouped($0)) \(change.rawValue)" }
    }
    guard !counts.isEmpty else { return nil }
    let most = fields.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let words = most.map {
      "\(FieldWords(ends: ChangeTally.ends).name($0.key))\u{A0}\(Counts.grouped($0.value))"
    }
    return counts.joined(separator: ", ") + (words.isEmpty ? "" : ": " + words.joined(separator: ", "))
  }

  /// Here it is no one runway's end.
  private static let ends = ["baseEnd": "1", "reciprocalEnd": "2"]
}

extension AirportDifference {
  /// `PALO ALTO, PALO ALTO CA`, and what it is where it is no airport.
  public var heading: String {
    let place = [city == name ? nil : city, state ?? country].compactMap(\.self).joined(separator: " ")
    return ([name] + (place.isEmpty ? [] : [place])).joined(separator: ", ")
      + (type == "airport" ? "" : " (\(type))")
  }

  /// What is to be said of it: itself, each runway, each frequency.
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
  public var kind: String { [type.map(FieldWords.spaced), state].compactMap(\.self).joined(separator: ", ") }
}
