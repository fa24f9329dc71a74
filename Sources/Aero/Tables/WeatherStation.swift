/// An automatic weather station, which can be heard on the radio and called: a row of AWOS.
struct WeatherStation: NASRRecord {
  // The FAA's own names.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  enum Column: Int, NASRColumn {
    case ASOS_AWOS_ID, ASOS_AWOS_TYPE, STATE_CODE, CITY, COUNTRY_CODE, COMMISSIONED_DATE, NAVAID_FLAG,
      LAT_DECIMAL,
      LONG_DECIMAL, ELEV, PHONE_NO, SECOND_PHONE_NO, SITE_NO, SITE_TYPE_CODE, REMARK

    static let optional = Set(allCases).subtracting([.ASOS_AWOS_ID, .ASOS_AWOS_TYPE])
  }

  static let table = "AWOS"

  let line: Int
  let identifier: String
  let type: String
  let state: String?
  let city: String?
  let country: String?
  let commissioned: String?
  let isAtNavaid: Bool?
  let latitude: Double?
  let longitude: Double?
  let elevation: Double?
  let phone: String?
  let secondPhone: String?
  /// The airport to which the FAA counts it; nil for a station that stands alone.
  let site: SiteKey?
  let remark: String?

  init?(_ row: NASRRow<Column>) throws(UnusableRow) {
    line = row.line
    identifier = try row.required(.ASOS_AWOS_ID)
    type = try row.required(.ASOS_AWOS_TYPE)
    state = row.text(.STATE_CODE)
    city = row.text(.CITY)
    country = row.text(.COUNTRY_CODE)
    commissioned = row.row.date(Column.COMMISSIONED_DATE.rawValue)
    isAtNavaid = row.flag(.NAVAID_FLAG)
    latitude = row.number(.LAT_DECIMAL, in: -90...90)
    longitude = row.number(.LONG_DECIMAL, in: -180...180)
    elevation = row.number(.ELEV, in: -1500...30_000)
    phone = row.text(.PHONE_NO)
    secondPhone = row.text(.SECOND_PHONE_NO)
    site = row.text(.SITE_NO).map { SiteKey(number: $0, type: row.text(.SITE_TYPE_CODE) ?? "A") }
    remark = row.text(.REMARK)
  }
}
