/// The app's closed enumerations, and the case for each word of the database. docs/FORMATS.md has the same
/// tables.
enum OpenEFBWords {
  /// A word of the database that has a case in the app: the same or the nearest one.
  struct Book: Sendable, ExpressibleByDictionaryLiteral {
    /// Each word with its case.
    let pairs: [String: String]

    init(dictionaryLiteral pairs: (String, String)...) {
      self.pairs = Dictionary(uniqueKeysWithValues: pairs)
    }

    /// The cases that the app knows and that rows can have.
    var words: Set<String> { Set(pairs.values) }

    subscript(word: String) -> String? { pairs[word] }
  }

  static let airportTypes: Book = [
    "airport": "airport", "heliport": "heliport", "seaplane": "seaplane", "ultralight": "ultralight",
    "gliderport": "airport", "vertiport": "heliport",
  ]

  static let ownerships: Book = ["public": "public", "private": "private", "military": "military"]

  static let lightings: Book = ["none": "none", "partTime": "partTime", "fullTime": "fullTime"]

  static let frequencyTypes: Book = [
    "ctaf": "ctaf", "tower": "tower", "ground": "ground", "clearance": "clearance", "approach": "approach",
    "departure": "departure", "atis": "atis", "awos": "awos", "unicom": "unicom", "multicom": "multicom",
  ]

  static let navaidTypes: Book = [
    "vor": "vor", "vortac": "vortac", "vorDme": "vorDme", "ndb": "ndb", "ndbDme": "ndbDme",
    "marineNdb": "ndb", "marineNdbDme": "ndbDme",
  ]

  static let classifications: Book = [
    "bravo": "bravo", "charlie": "charlie", "delta": "delta", "echo": "echo", "prohibited": "prohibited",
    "restricted": "restricted", "moa": "moa", "alert": "alert", "warning": "warning",
  ]

  /// What a controller or a recording calls itself after the name of the place.
  static let callWords: Book = [
    "ctaf": "CTAF", "tower": "Tower", "ground": "Ground", "clearance": "Clearance", "approach": "Approach",
    "departure": "Departure", "atis": "ATIS", "awos": "AWOS", "unicom": "UNICOM", "multicom": "MULTICOM",
  ]

  /// The kinds of Jet A, which the app looks for as `JetA`. Other fuels have the same words here as in the database.
  static let jetA: Book = [
    "JetA": "JetA", "JetA+": "JetA", "JetA++": "JetA", "JetA++10": "JetA", "JetA1": "JetA", "JetA1+": "JetA",
  ]

  /// The app's fuels: before the first kind of Jet A, `JetA` itself.
  static func fuels(_ words: [String]) -> [String] {
    words.reduce(into: []) { fuels, word in
      for fuel in [jetA[word], word].compactMap(\.self) where !fuels.contains(fuel) { fuels.append(fuel) }
    }
  }

  static let surfaces: Book = [
    "asphalt": "asphalt", "porous asphalt": "asphalt", "macadam": "asphalt", "concrete": "concrete",
    "turf": "turf", "gravel": "gravel", "dirt": "gravel", "graded earth": "gravel", "caliche": "gravel",
    "coral": "gravel", "sand": "gravel", "treated": "gravel", "water": "water",
  ]

  private static let paved: Set<String> = ["asphalt", "concrete"]

  /// The app's surface for the database's words; nil where one of them has none.
  ///
  /// Of two surfaces the unpaved one counts, since a pilot who expects the paved one is worse off; of two alike the first.
  static func surface(_ words: String) -> String? {
    if let one = surfaces[words] { return one }
    let parts = words.split(separator: "-").map { surfaces[String($0)] }
    let known = parts.compactMap(\.self)
    guard !known.isEmpty, known.count == parts.count else { return nil }
    return known.first { !paved.contains($0) } ?? known[0]
  }
}
