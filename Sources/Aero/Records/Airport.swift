/// The part of an APT_BASE row that other tables need.
struct Airport: TableRecord {
  static let table = "APT_BASE"
  static let columns = [
    "SITE_NO", "SITE_TYPE_CODE", "STATE_CODE", "ARPT_ID", "LAT_DECIMAL", "LONG_DECIMAL", "LGT_SKED",
    "ICAO_ID", "ARPT_STATUS", "FACILITY_USE_CODE", "TWR_TYPE_CODE",
  ]

  let line: Int
  let key: SiteKey
  let faaID: String
  let icaoID: String?
  let state: String?
  let latitude: Double
  let longitude: Double
  /// Whether its lights burn from sunset to sunrise without a request.
  let isLightedAllNight: Bool
  /// Sorts airports: lower for those that are open, then for public ones, then for those with a tower.
  let rank: Int

  init(_ row: SourceRow) throws(UnusableRow) {
    line = row.line
    key = try SiteKey(row)
    faaID = try row.required("ARPT_ID")
    icaoID = row.text("ICAO_ID")
    state = row.text("STATE_CODE")
    latitude = try row.required("LAT_DECIMAL", in: -90...90)
    longitude = try row.required("LONG_DECIMAL", in: -180...180)
    isLightedAllNight = row.value("LGT_SKED").equals("SS-SR")
    rank = Airport.rank(row)
  }

  private static func rank(_ row: SourceRow) -> Int {
    let status = row.value("ARPT_STATUS")
    let tower = AirportCodes.towers[row.value("TWR_TYPE_CODE")]?.description
    return (status.isEmpty || status.equals("O") ? 0 : 4)
      + (row.value("FACILITY_USE_CODE").equals("PU") ? 0 : 2)
      + (tower == nil || tower == AirportCodes.none.description ? 1 : 0)
  }
}

/// The key by which the FAA's tables refer to a landing facility. The number alone is not unique: an airport and a heliport can
/// share one. The number is text, since `00103.` and `103` are different.
struct SiteKey: Hashable, Comparable {
  let number: String
  let type: String

  init(number: String, type: String) { (self.number, self.type) = (number, type) }

  init(_ row: SourceRow) throws(UnusableRow) {
    self.init(number: try row.required("SITE_NO"), type: try row.required("SITE_TYPE_CODE"))
  }

  static func < (left: SiteKey, right: SiteKey) -> Bool {
    (left.number, left.type) < (right.number, right.type)
  }
}

/// The codes of APT_BASE.
enum AirportCodes {
  static let none: StaticString = "none"

  static let types: CodeBook = [
    "A": "airport", "B": "balloonport", "C": "seaplane", "G": "gliderport", "H": "heliport",
    "U": "ultralight", "V": "vertiport",
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
    // The FAA's layout equates them with NON-ATCT and with all others.
    "N": none, "Y": "tower",
  ]

  /// The colours of a rotating beacon, split into W, Y, G and S for a split beam.
  static let beacons: CodeBook = [
    "WG": "land", "SWG": "military", "WY": "water", "WGY": "heliport", "W": "unlightedLand",
    "Y": "unlightedWater",
    "G": "land", "N": none, "NONE": none,
    // Before 2023 the white light was called clear.
    "CG": "land", "SCG": "military", "CY": "water", "CGY": "heliport", "C": "unlightedLand",
  ]

  /// The FAA names jet fuel by its grade alone.
  static let jetFuels: CodeBook = [
    "A": "JetA", "A+": "JetA+", "A++": "JetA++", "A++10": "JetA++10", "A1": "JetA1", "A1+": "JetA1+",
    "B": "JetB", "B+": "JetB+",
  ]
  private static let otherFuels: Set<String> = [
    "80", "100", "100LL", "115", "100R", "G100", "UL91", "UL94", "UL100", "MOGAS", "J", "J4", "J5", "J8",
    "J8+10", "H",
  ]

  /// `JetA` for the grade A; any other fuel under the FAA's name.
  static func fuel(_ code: String) -> (name: String, isKnown: Bool) {
    jetFuels[code].map { ($0, true) } ?? (code, otherFuels.contains(code))
  }
}
