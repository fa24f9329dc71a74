/// A landing facility of any kind: a row of APT_BASE.
struct Airport: NASRRecord {
  // The FAA's own names.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  enum Column: Int, NASRColumn {
    case SITE_NO, SITE_TYPE_CODE, STATE_CODE, ARPT_ID, CITY, COUNTRY_CODE, ARPT_NAME, OWNERSHIP_TYPE_CODE,
      FACILITY_USE_CODE, LAT_DECIMAL, LONG_DECIMAL, ELEV, MAG_VARN, MAG_HEMIS, TPA, CHART_NAME, RESP_ARTCC_ID,
      FSS_ID, ARPT_STATUS, FUEL_TYPES, LGT_SKED, TWR_TYPE_CODE, BCN_LENS_COLOR, ICAO_ID,
      CUST_FLAG, LNDG_RIGHTS_FLAG
  }

  static let table = "APT_BASE"

  let line: Int
  let key: SiteKey
  let faaID: String
  let icaoID: String?
  let name: String
  let city: String?
  let state: String?
  let country: String?
  let latitude: Double
  let longitude: Double
  let elevation: Double?
  let type: String
  let ownership: String?
  let use: String?
  let status: String?
  let artccID: String?
  let fssID: String?
  let magneticVariation: Double?
  let patternAltitude: Double?
  let fuelTypes: [String]
  let hasBeaconLight: Bool
  let isTowered: Bool
  let chart: String?
  /// Nil where the FAA does not say.
  let hasCustoms: Bool?
  let hasLandingRights: Bool?
  /// Whether its lights burn from sunset to sunrise without anybody's asking.
  let isLightedAllNight: Bool

  init?(_ row: NASRRow<Column>) throws(UnusableRow) {
    line = row.line
    key = SiteKey(number: try row.required(.SITE_NO), type: try row.required(.SITE_TYPE_CODE))
    faaID = try row.required(.ARPT_ID)
    icaoID = row.text(.ICAO_ID)
    name = row.text(.ARPT_NAME) ?? faaID
    city = row.text(.CITY)
    state = row.text(.STATE_CODE)
    country = row.text(.COUNTRY_CODE)
    latitude = try row.latitude(.LAT_DECIMAL)
    longitude = try row.longitude(.LONG_DECIMAL)
    elevation = row.number(.ELEV, in: -1500...30_000)
    type = row.word(.SITE_TYPE_CODE, AirportCodes.types) ?? key.type
    ownership = row.word(.OWNERSHIP_TYPE_CODE, AirportCodes.owners)
    use = row.word(.FACILITY_USE_CODE, AirportCodes.uses)
    status = row.word(.ARPT_STATUS, AirportCodes.statuses)
    artccID = row.text(.RESP_ARTCC_ID)
    fssID = row.text(.FSS_ID)
    magneticVariation = row.variation(.MAG_VARN, .MAG_HEMIS)
    patternAltitude = row.number(.TPA, in: 0...20_000)
    fuelTypes = Airport.fuels(row)
    hasBeaconLight =
      row.word(.BCN_LENS_COLOR, AirportCodes.beacons).map { $0 != AirportCodes.noBeacon } ?? false
    isTowered = row.word(.TWR_TYPE_CODE, AirportCodes.towers).map { $0 != AirportCodes.noTower } ?? false
    chart = row.text(.CHART_NAME)
    hasCustoms = row.value(.CUST_FLAG).isEmpty ? nil : row.isYes(.CUST_FLAG)
    hasLandingRights = row.value(.LNDG_RIGHTS_FLAG).isEmpty ? nil : row.isYes(.LNDG_RIGHTS_FLAG)
    isLightedAllNight = row.value(.LGT_SKED).equals("SS-SR")
  }

  /// `["100LL", "JetA"]` for `100LL,A`.
  private static func fuels(_ row: NASRRow<Column>) -> [String] {
    guard let list = row.text(.FUEL_TYPES) else { return [] }
    let codes = list.split { $0 == "," || $0 == "/" || $0 == " " }
    return codes.map { code in
      let (name, isKnown) = AirportCodes.fuel(String(code))
      if !isKnown { row.report(.unknownCode, .FUEL_TYPES, "the code is not known") }
      return name
    }
  }
}
