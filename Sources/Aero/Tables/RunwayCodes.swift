/// The codes of APT_RWY and APT_RWY_END.
enum RunwayCodes {
  static let none: StaticString = "none"

  /// Single surfaces; two at once are joined by a dash or a slash.
  private static let surfaces: CodeBook = [
    "ALUM": "aluminum", "ALUMINUM": "aluminum", "ASPH": "asphalt", "BRICK": "brick", "CALICHE": "caliche",
    "CONC": "concrete", "CORAL": "coral", "DECK": "deck", "DIRT": "dirt", "GRASS": "turf", "GRAVEL": "gravel",
    "GRE": "graded earth", "GRVL": "gravel", "ICE": "ice", "MATS": "mats", "METAL": "metal",
    "NSTD": "nonstandard",
    "PEM": "macadam", "PFC": "porous asphalt", "PSP": "steel planking", "ROOF": "rooftop",
    "ROOF-TOP": "rooftop",
    "ROOFTOP": "rooftop", "SAND": "sand", "SNOW": "snow", "SOD": "turf", "STEEL": "steel",
    "TREATED": "treated",
    "TRTD": "treated", "TURF": "turf", "WATER": "water", "WOOD": "wood",
  ]
  static let conditions: CodeBook = [
    "EXCELLENT": "excellent", "GOOD": "good", "FAIR": "fair", "POOR": "poor", "FAILED": "failed",
  ]
  static let edgeLights: CodeBook = [
    "HIGH": "high", "MED": "medium", "LOW": "low", "NSTD": "nonstandard", "PERI": "perimeter", "FLD": "flood",
    "FLOOD": "flood", "STRB": "strobe", "STROBE": "strobe", "NONE": none,
  ]
  static let markings: CodeBook = [
    "PIR": "precision", "NPI": "nonprecision", "BSC": "basic", "NRS": "numbersOnly", "NSTD": "nonstandard",
    "BUOY": "buoys", "STOL": "stol", "NONE": none,
  ]
  /// Codes that say that there is no indicator.
  static let noIndicator: Set<String> = ["N", "NONE"]

  /// `asphalt-concrete` for `ASPH-CONC`; whether every part of the code is known.
  static func surface(_ code: String) -> (words: String, isKnown: Bool) {
    if let word = surfaces[code] { return (word, true) }
    let words = code.split { $0 == "-" || $0 == "/" }.map { surfaces[$0] }
    let known = words.compactMap { $0 }
    guard !known.isEmpty, known.count == words.count else { return (code.lowercased(), false) }
    return (known.joined(separator: "-"), true)
  }
}
