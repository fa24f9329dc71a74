/// A radio navigation aid: a row of NAV_BASE.
struct Navaid: NASRRecord {
  // The FAA's own names.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  enum Column: Int, NASRColumn {
    case NAV_ID, NAV_TYPE, STATE_CODE, CITY, COUNTRY_CODE, NAV_STATUS, NAME, PUBLIC_USE_FLAG, LAT_DECIMAL,
      LONG_DECIMAL, ELEV, MAG_VARN, MAG_VARN_HEMIS, CHAN, FREQ, ALT_CODE
  }

  static let table = "NAV_BASE"

  private static let types: CodeBook = [
    "VOR": "vor", "VOR/DME": "vorDme", "VORTAC": "vortac", "TACAN": "tacan", "DME": "dme", "NDB": "ndb",
    "NDB/DME": "ndbDme", "UHF/NDB": "uhfNdb", "MARINE NDB": "marineNdb", "MARINE NDB/DME": "marineNdbDme",
    "FAN MARKER": "fanMarker", "VOT": "vot", "CONSOLAN": "consolan",
  ]
  private static let statuses: CodeBook = [
    "OPERATIONAL IFR": "operational", "OPERATIONAL RESTRICTED": "restricted",
    "OPERATIONAL VFR ONLY": "vfrOnly",
    "SHUTDOWN": "shutdown", "DECOMMISSIONED": "decommissioned",
  ]
  private static let volumes: CodeBook = [
    "T": "terminal", "L": "low", "H": "high", "VL": "vorLow", "VH": "vorHigh",
  ]

  let line: Int
  let identifier: String
  let name: String
  let type: String
  let city: String?
  let state: String?
  let country: String?
  let latitude: Double
  let longitude: Double
  let elevation: Double?
  let frequency: Double?
  let channel: String?
  let magneticVariation: Double?
  let status: String?
  let serviceVolume: String?
  let isPublic: Bool

  init?(_ row: NASRRow<Column>) throws(UnusableRow) {
    line = row.line
    identifier = try row.required(.NAV_ID)
    name = row.text(.NAME) ?? identifier
    guard let type = row.word(.NAV_TYPE, Navaid.types) else { throw row.unusable(.NAV_TYPE, "it is empty") }
    self.type = type
    city = row.text(.CITY)
    state = row.text(.STATE_CODE)
    country = row.text(.COUNTRY_CODE)
    latitude = try row.latitude(.LAT_DECIMAL)
    longitude = try row.longitude(.LONG_DECIMAL)
    elevation = row.number(.ELEV, in: -1500...30_000)
    frequency = row.number(.FREQ, in: 50...2000)
    channel = row.text(.CHAN)
    magneticVariation = row.variation(.MAG_VARN, .MAG_VARN_HEMIS)
    status = row.word(.NAV_STATUS, Navaid.statuses)
    serviceVolume = row.word(.ALT_CODE, Navaid.volumes)
    isPublic = row.isYes(.PUBLIC_USE_FLAG)
  }

  /// The order in the database; the identifier alone is not unique, nor is the identifier with the type.
  static func precedes(_ left: Navaid, _ right: Navaid) -> Bool {
    let places = (left.city ?? "", right.city ?? "")
    return (left.identifier, left.type, places.0, left.latitude, left.longitude, left.line)
      < (right.identifier, right.type, places.1, right.latitude, right.longitude, right.line)
  }
}
