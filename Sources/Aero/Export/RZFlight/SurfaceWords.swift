/// A runway's surface in words. The library takes a surface for hard when it finds `asphalt`, `concrete`, `paved` or `hard` in
/// its text, so a code would make it soft, and `unpaved` would make it hard.
enum SurfaceWords {
  /// The database's own words; macadam is sealed.
  static func sealed(_ words: String) -> String { words.replacing("macadam", with: "paved macadam") }

  /// OurAirports' text, which anybody may write: codes of many countries, with and without the surface's condition.
  static func plain(_ text: String) -> String {
    let tokens = text.uppercased().split { !$0.isLetter }.map(String.init)
    var words: [String] = []
    for word in tokens.compactMap({ book[$0] }) where !words.contains(word) { words.append(word) }
    if !words.isEmpty { return words.joined(separator: "-") }
    if tokens.contains("HARD") { return "hard" }
    let lower = text.lowercased()
    return hardMarks.contains(where: lower.contains) ? "" : lower
  }

  private static let hardMarks = ["asphalt", "concrete", "paved", "hard"]

  private static let book: CodeBook = [
    "ASP": "asphalt", "ASPH": "asphalt", "ASPHALT": "asphalt", "ASFALT": "asphalt", "BIT": "asphalt",
    "BITUMEN": "asphalt", "BITUMINOUS": "asphalt", "TARMAC": "asphalt", "CON": "concrete", "CONC": "concrete",
    "CONCRETE": "concrete", "MAC": "paved macadam", "PEM": "paved macadam", "PAVED": "paved",
    "UNPAVED": "unsealed", "UNSEALED": "unsealed", "TURF": "turf", "GRASS": "turf", "GRASSED": "turf",
    "GRS": "turf", "SOD": "turf", "GRAVEL": "gravel", "GRVL": "gravel", "GVL": "gravel", "GRV": "gravel",
    "DIRT": "dirt", "EARTH": "dirt", "GROUND": "dirt", "LOAM": "loam", "MUD": "mud", "CLAY": "clay",
    "CLA": "clay", "SAND": "sand", "SAN": "sand", "GRE": "graded earth", "WATER": "water", "WAT": "water",
    "ICE": "ice", "SNOW": "snow", "CORAL": "coral", "COR": "coral", "LATERITE": "laterite",
    "LAT": "laterite", "HARDCORE": "rubble", "MATS": "mats", "WOOD": "wood", "METAL": "metal", "MET": "metal",
    "ROOFTOP": "rooftop", "ROOF": "rooftop", "TREATED": "treated", "TRTD": "treated",
  ]
}
