/// A runway's surface in words. The library takes a surface for hard when it finds `asphalt`, `concrete`, `paved` or `hard` in
/// its text, so a code would make it soft, and `unpaved` would make it hard.
enum SurfaceWords {
  /// The database's own words; macadam is sealed.
  static func sealed(_ words: String) -> String { words.replacing("macadam", with: "paved macadam") }

  /// OurAirports' text, which is free: codes of many countries, with and without the surface's condition. Nil when a word of
  /// it is not in the table, since `Demo'd asphalt` or `grass paved with a plastic grille` must not pass for a hard runway.
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

  /// What a text says of a surface that is named beside it.
  private static let qualities: Set<String> = [
    "BLACK", "BROWN", "COMPACTED", "CRUSHED", "FINE", "GRADED", "GREY", "HARD", "NATURAL", "RED",
    "REINFORCED", "RIVER",
    "ROLLED", "RUNWAY", "SURFACE", "WHITE", "YELLOW",
  ]
  /// Excellent, good, fair, poor, failed: `ASPH-G`.
  private static let conditions: Set<String> = ["E", "G", "F", "P", "L"]

  /// docs/FORMATS.md lists it.
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
    "CORAL": "coral", "COR": "coral",
    "LATERITE": "laterite", "LAT": "laterite", "HARDCORE": "rubble", "MATS": "mats", "WOOD": "wood",
    "METAL": "metal", "MET": "metal", "BRICK": "brick", "BRI": "brick", "ROOFTOP": "rooftop",
    "ROOF": "rooftop", "TREATED": "treated", "TRTD": "treated",
  ]
}
