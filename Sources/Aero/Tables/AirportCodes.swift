/// The codes of APT_BASE.
enum AirportCodes {
  static let none: StaticString = "none"

  static let types: CodeBook = [
    "A": "airport", "B": "balloonport", "C": "seaplane", "G": "gliderport", "H": "heliport",
    "U": "ultralight",
    "V": "vertiport",
  ]
  /// MA is the Air Force, MN the Navy, MR the Army, CG the Coast Guard.
  static let owners: CodeBook = [
    "PU": "public", "PR": "private", "MA": "military", "MN": "military", "MR": "military", "CG": "military",
  ]
  static let uses: CodeBook = ["PU": "public", "PR": "private"]
  static let statuses: CodeBook = ["O": "operational", "CI": "closedIndefinitely", "CP": "closedPermanently"]

  /// Whether there is a control tower, with or without an approach control.
  static let towers: CodeBook = [
    "NON-ATCT": none, "ATCT": "tower", "ATCT-A/C": "tower", "ATCT-RAPCON": "tower", "ATCT-RATCF": "tower",
    "ATCT-TRACON": "tower", "TRACON": "tower", "ATCT-TRACAB": "tower", "ATCT-CERAP": "tower",
  ]
  static func isTowered(_ code: CSVValue) -> Bool { towers[code]?.description == "tower" }

  /// The colours of a rotating beacon, split into W, Y, G and S for a split beam.
  static let beacons: CodeBook = [
    "WG": "land", "SWG": "military", "WY": "water", "WGY": "heliport", "W": "unlightedLand",
    "Y": "unlightedWater",
    "G": "land", "N": none, "NONE": none,
  ]

  /// The FAA names jet fuel by its grade alone, which nobody else does.
  private static let jetGrades: Set<String> = ["A", "A+", "A++", "A++10", "A1", "A1+", "B", "B+"]
  private static let otherFuels: Set<String> = [
    "80", "100", "100LL", "115", "100R", "G100", "UL91", "UL94", "UL100", "MOGAS", "J", "J4", "J5", "J8",
    "J8+10",
    "H",
  ]

  /// `JetA` for the grade A; any other fuel under the FAA's name.
  static func fuel(_ code: String) -> (name: String, isKnown: Bool) {
    jetGrades.contains(code) ? ("Jet" + code, true) : (code, otherFuels.contains(code))
  }
}
