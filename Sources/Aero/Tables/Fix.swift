/// A named point of the airspace: a row of FIX_BASE.
struct Fix: NASRRecord {
  // The FAA's own names.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  enum Column: Int, NASRColumn {
    case FIX_ID, ICAO_REGION_CODE, STATE_CODE, COUNTRY_CODE, LAT_DECIMAL, LONG_DECIMAL, FIX_USE_CODE,
      ARTCC_ID_HIGH,
      ARTCC_ID_LOW, CHARTS
    /// Tables before 2024 lack it.
    static let optional: Set<Column> = [.CHARTS]
  }

  static let table = "FIX_BASE"

  private static let types: CodeBook = [
    "WP": "waypoint", "RP": "reportingPoint", "VFR": "vfr", "CN": "computer", "MR": "militaryReporting",
    "MW": "militaryWaypoint", "NRS": "nrs", "RADAR": "radar",
  ]

  let line: Int
  let identifier: String
  let region: String
  let state: String?
  let country: String?
  let latitude: Double
  let longitude: Double
  let type: String
  let artccLow: String?
  let artccHigh: String?
  let charts: String?

  init?(_ row: NASRRow<Column>) throws(UnusableRow) {
    line = row.line
    identifier = try row.required(.FIX_ID)
    region = try row.required(.ICAO_REGION_CODE)
    state = row.text(.STATE_CODE)
    country = row.text(.COUNTRY_CODE)
    latitude = try row.latitude(.LAT_DECIMAL)
    longitude = try row.longitude(.LONG_DECIMAL)
    guard let type = row.word(.FIX_USE_CODE, Fix.types) else {
      throw row.unusable(.FIX_USE_CODE, "it is empty")
    }
    self.type = type
    artccLow = row.text(.ARTCC_ID_LOW)
    artccHigh = row.text(.ARTCC_ID_HIGH)
    charts = row.text(.CHARTS)
  }

  static func precedes(_ left: Fix, _ right: Fix) -> Bool {
    (left.identifier, left.region, left.state ?? "", left.latitude, left.longitude, left.line)
      < (right.identifier, right.region, right.state ?? "", right.latitude, right.longitude, right.line)
  }
}
