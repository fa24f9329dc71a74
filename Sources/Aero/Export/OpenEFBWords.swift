internal import SQLiteIO

/// The values of the app's closed enumerations for the values of the database. docs/formats/openefb.md has the same tables.
enum OpenEFBWords {
  /// The same or the nearest value of the app by the value of the database.
  typealias Mapping = [String: String]

  private static func same(_ words: String, and others: Mapping = [:]) -> Mapping {
    let words = words.split(separator: " ").map(String.init)
    return Dictionary(uniqueKeysWithValues: zip(words, words)).merging(others) { $1 }
  }

  static let airportTypes = same(
    "airport heliport seaplane ultralight", and: ["gliderport": "airport", "vertiport": "heliport"])
  static let ownerships = same("public private military")
  static let lightings = same("none partTime fullTime")

  static let frequencyTypes = same(
    "ctaf tower ground clearance approach departure atis awos unicom multicom")
  static let navaidTypes = same(
    "vor vortac vorDme ndb ndbDme", and: ["marineNdb": "ndb", "marineNdbDme": "ndbDme"])
  static let classifications = same(
    "bravo charlie delta echo prohibited restricted moa alert warning")

  /// The suffix of a frequency's call after the name of the airport.
  static let callWords: Mapping = [
    "ctaf": "CTAF", "tower": "Tower", "ground": "Ground", "clearance": "Clearance", "approach": "Approach",
    "departure": "Departure", "atis": "ATIS", "awos": "AWOS", "unicom": "UNICOM", "multicom": "MULTICOM",
  ]

  /// The kinds of Jet A, which the app searches as `JetA`. Other fuels have the values of the database.
  static let jetA: Mapping = [
    "JetA": "JetA", "JetA+": "JetA", "JetA++": "JetA", "JetA++10": "JetA", "JetA1": "JetA", "JetA1+": "JetA",
  ]

  /// The app's fuels, with `JetA` before the first kind of Jet A.
  static func fuels(_ words: [String]) -> [String] {
    words.reduce(into: []) { fuels, word in
      for fuel in [jetA[word], word].compactMap(\.self) where !fuels.contains(fuel) { fuels.append(fuel) }
    }
  }

  static let surfaces = same(
    "asphalt concrete turf gravel dirt water other",
    and: [
      "porous asphalt": "asphalt", "macadam": "asphalt", "graded earth": "dirt", "caliche": "gravel",
      "coral": "gravel", "sand": "gravel", "treated": "gravel",
    ])

  private static let paved: Set<String> = ["asphalt", "concrete"]

  /// The app's surface; `other` where the app has none.
  ///
  /// Of two surfaces the unpaved one counts, which is the safer assumption for a pilot, else the first.
  static func surface(_ words: String) -> String {
    if let one = surfaces[words] { return one }
    let parts = words.split(separator: "-").map { surfaces[String($0)] ?? "other" }
    return parts.contains("other") ? "other" : parts.first { !paved.contains($0) } ?? parts.first ?? "other"
  }
}

extension NamedRow {
  /// Replaces the database's word with the app's. Throws the reason if the app has none.
  mutating func map(_ column: String, _ words: OpenEFBWords.Mapping, orOmit reason: String) throws {
    let own = text(column) ?? ""
    guard let word = words[own] else { throw UnusableRow(column: column, value: own, reason: reason) }
    self[column] = .text(word)
  }
}
