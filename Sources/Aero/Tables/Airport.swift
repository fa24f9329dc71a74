/// What the other tables need to know of a landing facility: a row of APT_BASE. The rest of the row is read when it is
/// written.
struct Airport: NASRRecord {
  // The FAA's own names.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  enum Column: Int, NASRColumn {
    case SITE_NO, SITE_TYPE_CODE, STATE_CODE, ARPT_ID, LAT_DECIMAL, LONG_DECIMAL, LGT_SKED, ICAO_ID,
      ARPT_STATUS,
      FACILITY_USE_CODE, TWR_TYPE_CODE
  }

  static let table = "APT_BASE"

  let place: RowPlace
  let key: SiteKey
  let faaID: String
  let icaoID: String?
  let state: String?
  let latitude: Double
  let longitude: Double
  /// Whether its lights burn from sunset to sunrise without anybody's asking.
  let isLightedAllNight: Bool
  let isOpen: Bool
  let isPublic: Bool
  let isTowered: Bool

  init?(_ row: NASRRow<Column>) throws(UnusableRow) {
    place = row.place
    key = SiteKey(number: try row.required(.SITE_NO), type: try row.required(.SITE_TYPE_CODE))
    faaID = try row.required(.ARPT_ID)
    icaoID = row.text(.ICAO_ID)
    state = row.text(.STATE_CODE)
    latitude = try row.latitude(.LAT_DECIMAL)
    longitude = try row.longitude(.LONG_DECIMAL)
    isLightedAllNight = row.value(.LGT_SKED).equals("SS-SR")
    isOpen = row.value(.ARPT_STATUS).isEmpty || row.value(.ARPT_STATUS).equals("O")
    isPublic = row.value(.FACILITY_USE_CODE).equals("PU")
    isTowered = AirportCodes.isTowered(row.value(.TWR_TYPE_CODE))
  }
}
