/// The values of the app's closed enumerations for the values of the database. docs/FORMATS.md has the same tables.
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

  static let surfaces: Mapping = [
    "asphalt": "asphalt", "porous asphalt": "asphalt", "macadam": "asphalt", "concrete": "concrete",
    "turf": "turf", "gravel": "gravel", "dirt": "gravel", "graded earth": "gravel", "caliche": "gravel",
    "coral": "gravel", "sand": "gravel", "treated": "gravel", "water": "water",
  ]

  private static let paved: Set<String> = ["asphalt", "concrete"]

  /// The app's surface; nil where the app has none.
  ///
  /// Of two surfaces the unpaved one counts, which is the safer assumption for a pilot, else the first.
  static func surface(_ words: String) -> String? {
    if let one = surfaces[words] { return one }
    let parts = words.split(separator: "-").map { surfaces[String($0)] }
    let known = parts.compactMap(\.self)
    guard !known.isEmpty, known.count == parts.count else { return nil }
    return known.first { !paved.contains($0) } ?? known[0]
  }
}

extension NamedRow {
  /// The app's word for the database's. Throws the reason if the app has none.
  ///
  /// - Parameter property: The app's name of the column, if it is another one.
  func word(
    _ column: String, _ words: OpenEFBWords.Mapping, as property: String? = nil, orOmit reason: String
  ) throws -> String {
    let own = text(column) ?? ""
    guard let word = words[own] else {
      throw UnusableRow(column: property ?? column, value: own, reason: reason)
    }
    return word
  }
}
