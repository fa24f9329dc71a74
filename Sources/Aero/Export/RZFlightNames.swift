/// The names of runway surfaces. The library treats a surface as hard if its text contains `asphalt`, `concrete`, `paved` or `hard`, so a code
/// would make it soft, and `unpaved` would make it hard.
enum SurfaceNames {
  /// The name for a surface of the database. Macadam is sealed.
  static func sealed(_ words: String) -> String { words.replacing("macadam", with: "paved macadam") }

  /// The name for OurAirports' free text: codes of many countries, with and without the condition of the surface. Nil if the table does not
  /// contain a word of the text, since `Demo'd asphalt` and `grass paved with a plastic grille` are not hard runways.
  static func plain(_ text: String) -> String? {
    let tokens = text.uppercased().split { !$0.isLetter }.map(String.init)
    var words: [String] = []
    for (place, token) in tokens.enumerated() {
      if let word = book[token] {
        if !words.contains(word) { words.append(word) }
      } else if !qualities.contains(token) && !(place > 0 && conditions.contains(token)) {
        return nil
      }
    }
    if words.isEmpty, tokens == ["HARD"] { return "hard" }
    return words.isEmpty ? nil : words.joined(separator: "-")
  }

  /// Adjectives that do not change the surface.
  private static let qualities: Set<String> = [
    "BLACK", "BROWN", "COMPACTED", "CRUSHED", "FINE", "GRADED", "GREY", "HARD", "NATURAL", "RED",
    "REINFORCED", "RIVER", "ROLLED", "RUNWAY", "SURFACE", "WHITE", "YELLOW",
  ]
  /// Excellent, good, fair, poor, failed: `ASPH-G`.
  private static let conditions: Set<String> = ["E", "G", "F", "P", "L"]

  /// docs/formats/airports-db.md lists it.
  static let book: CodeBook = [
    "ASP": "asphalt", "ASPH": "asphalt", "ASPHALT": "asphalt", "ASFALT": "asphalt", "ASFALTO": "asphalt",
    "BIT": "asphalt", "BITUMEN": "asphalt", "BITUMINOUS": "asphalt", "TARMAC": "asphalt", "CON": "concrete",
    "CONC": "concrete", "CONCRETE": "concrete", "MAC": "paved macadam", "MACADAM": "paved macadam",
    "PEM": "paved macadam", "PAVED": "paved", "PAVEMENT": "paved", "UNPAVED": "unsealed",
    "UNSEALED": "unsealed", "TURF": "turf", "GRASS": "turf", "GRASSED": "turf", "GRASSY": "turf",
    "GRAS": "turf", "GRS": "turf", "SOD": "turf", "ERBA": "turf", "HERBE": "turf", "GRAVEL": "gravel",
    "GRVL": "gravel", "GVL": "gravel", "GRV": "gravel", "GRAV": "gravel", "OILGRAVEL": "oiled gravel",
    "DIRT": "dirt", "EARTH": "dirt", "SOIL": "dirt", "GROUND": "dirt", "LOAM": "loam", "MUD": "mud",
    "CLAY": "clay", "CLA": "clay", "SAND": "sand", "SAN": "sand", "GRE": "graded earth", "WATER": "water",
    "WAT": "water", "SILT": "silt", "ROCK": "rock", "ICE": "ice", "SNOW": "snow", "SNO": "snow",
    "CORAL": "coral", "COR": "coral", "LATERITE": "laterite", "LAT": "laterite", "HARDCORE": "rubble",
    "MATS": "mats", "WOOD": "wood", "METAL": "metal", "MET": "metal", "BRICK": "brick", "BRI": "brick",
    "ROOFTOP": "rooftop", "ROOF": "rooftop", "TREATED": "treated", "TRTD": "treated",
  ]
}

/// The names for the frequencies of OurAirports, whose types are free text in many languages and spellings.
enum FrequencyNames {
  /// Nil for an unknown type.
  static func plain(_ type: String) -> String? { book[type.uppercased()] }

  /// The names are those of the FAA's frequencies for the same service. docs/formats/airports-db.md lists them.
  static let book: CodeBook = [
    "TWR": "TOWER", "TOWER": "TOWER", "TWR ALTN": "TOWER", "GND": "GROUND", "GROUND": "GROUND",
    "SMC": "GROUND", "APP": "APPROACH", "APPROACH": "APPROACH", "APP/RAD": "APPROACH", "RAD/APP": "APPROACH",
    "DEP": "DEPARTURE", "DEPARTURE": "DEPARTURE", "APP/DEP": "APPROACH/DEPARTURE",
    "A/D": "APPROACH/DEPARTURE", "ARR": "ARRIVAL", "ARRIVAL": "ARRIVAL", "DIR": "DIRECTOR",
    "DIRECTOR": "DIRECTOR", "RDR": "RADAR", "RADAR": "RADAR", "RAD": "RADAR", "GCA": "GCA",
    "TWR/APP/DEP": "TOWER/APPROACH/DEPARTURE", "APP/TWR": "TOWER/APPROACH", "ATIS": "ATIS", "AWOS": "AWOS",
    "AWIS": "AWOS", "AWIB": "AWOS", "VOLMET": "VOLMET", "AFIS": "AFIS", "TWR/AFIS": "TOWER/AFIS",
    "INFO": "INFORMATION", "INFORMATION": "INFORMATION", "INF": "INFORMATION", "FIS": "FIS", "FIC": "FIS",
    "A/G": "RADIO", "RADIO": "RADIO", "RDO": "RADIO", "A/A": "AIR TO AIR", "CTAF": "CTAF", "MF": "MF",
    "ATF": "ATF", "UNIC": "UNICOM", "UNICOM": "UNICOM", "UC": "UNICOM", "MULTICOM": "MULTICOM",
    "SAFETYCOM": "SAFETYCOM", "SAFETY COM": "SAFETYCOM", "SAFETY COMM": "SAFETYCOM", "TIBA": "TIBA",
    "CLD": "CLEARANCE", "DEL": "CLEARANCE", "DELIVERY": "CLEARANCE", "CLNC DEL": "CLEARANCE",
    "GCCD": "GROUND/CLEARANCE", "ACC": "CENTER", "CNTR": "CENTER", "CENTER": "CENTER", "CENTRE": "CENTER",
    "ARTC": "CENTER", "AREA CONTROL": "CENTER", "FSS": "FSS", "RCO": "FSS", "AAS": "ADVISORY", "LARS": "LARS",
    "OPS": "OPERATIONS", "PAL": "LIGHTS", "ARCAL": "LIGHTS", "VDF": "VDF", "PMSV": "METRO",
    "EMR": "EMERGENCY", "EMERG": "EMERGENCY", "FIRE": "FIRE",
  ]

  /// `TOWER Friedrichshafen Tower 120.075`, or only the frequency without a known type and description.
  ///
  /// The library searches all texts for fuel, so a description such as `Jet Centre` is left out.
  static func line(_ frequency: WorldFrequency) -> String {
    let word = plain(frequency.type)
    let words = frequency.description.split { $0 == ";" || $0.isWhitespace }.joined(separator: " ")
    let isNew =
      !words.isEmpty && words.uppercased() != word && words.uppercased() != frequency.type.uppercased()
    let description = isNew && !FuelNames.wouldImplyFuel(words, fuels: []) ? words : nil
    return [word, description, "\(frequency.megahertz)"].compactMap(\.self).joined(separator: " ")
  }
}

/// The names of fuels for the library, which searches all entries of an airport: `AVGAS` and `100LL` mean avgas, `JET` means jet fuel.
enum FuelNames {
  /// `JET A+` for `JetA+`, `AVGAS 100` for `100`. Others do not change.
  static func plain(_ name: String) -> String {
    if name.hasPrefix("Jet") { return "JET " + name.dropFirst(3) }
    if name == "J" { return "JET" }
    return ["80", "100", "100R", "115"].contains(name) ? "AVGAS " + name : name
  }

  /// Whether a text that contains a fuel or `JET` would make the library find a fuel that the airport does not sell.
  static func wouldImplyFuel(_ text: String, fuels: [String]) -> Bool {
    let text = text.uppercased()
    let marks = [["JET"], ["AVGAS", "100LL"]].filter { $0.contains(where: text.contains) }
    guard !marks.isEmpty else { return false }
    let sold = fuels.map(plain)
    return !marks.allSatisfy { marks in sold.contains { fuel in marks.contains(where: fuel.contains) } }
  }
}
