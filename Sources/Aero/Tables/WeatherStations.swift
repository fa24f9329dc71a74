internal import Core

/// Weather stations, and the frequencies of all stations that are no airports.
enum StationSchema {
  static let weatherStations = TableSchema(
    "weatherStations",
    "Automatic weather stations: what they say is heard on their frequency, or by telephone.",
    [
      .init("id", "INTEGER PRIMARY KEY", "The rowid, as in weatherStations_rtree."),
      .init(
        "identifier", "TEXT NOT NULL", "Often that of the airport; not always unique.", from: "ASOS_AWOS_ID"),
      .init("type", "TEXT NOT NULL", "ASOS, AWOS-3PT ..., in the FAA's words.", from: "ASOS_AWOS_TYPE"),
      .init(
        "airport", "TEXT REFERENCES airports(icao)",
        "That of its site number, else the one of its identifier within 5 nautical miles; NULL where it stands alone.",
        from: "SITE_NO, SITE_TYPE_CODE, ASOS_AWOS_ID"),
      .init("city", "TEXT", from: "CITY"),
      .init("state", "TEXT", from: "STATE_CODE"),
      .init("country", "TEXT", from: "COUNTRY_CODE"),
      .init(
        "latitude", "REAL", "Degrees, NAD83, south negative; NULL where the FAA has none.",
        from: "LAT_DECIMAL"),
      .init("longitude", "REAL", "Degrees, NAD83, west negative.", from: "LONG_DECIMAL"),
      .init("elevation", "REAL", "Feet above mean sea level.", from: "ELEV"),
      .init("phone", "TEXT", from: "PHONE_NO"),
      .init("secondPhone", "TEXT", from: "SECOND_PHONE_NO"),
      .init("isAtNavaid", "INTEGER", "0 or 1.", from: "NAVAID_FLAG"),
      .init("commissioned", "TEXT", "The day.", from: "COMMISSIONED_DATE"),
      .init("remark", "TEXT", from: "REMARK"),
    ],
    source: WeatherStation.table, indexes: [["identifier"], ["airport"]], extent: .point)

  static let weatherFrequencies = frequencies(
    "weatherStationFrequencies",
    "Frequencies of weather stations; those at airports are among the airports' too.",
    of: "station", in: "weatherStations")
  static let outletFrequencies = frequencies(
    "outletFrequencies", "Frequencies of communication outlets.", of: "outlet", in: "communicationOutlets")
  static let controlFrequencies = frequencies(
    "controlFrequencies", "Frequencies of approach controls and centers that are not an airport's own.",
    of: "facility", in: "controlFacilities")
  static let flightServiceFrequencies = frequencies(
    "flightServiceFrequencies", "Frequencies of flight service stations themselves, oceanic HF too.",
    of: "station", in: "flightServiceStations")

  private static func frequencies(
    _ name: String, _ comment: String, of owner: String, in table: String
  ) -> TableSchema {
    TableSchema(
      name, comment,
      [
        .init(
          owner, "INTEGER NOT NULL REFERENCES \(table)(id)", from: "SERVICED_FACILITY, SERVICED_SITE_TYPE"),
        .init(
          "number", "INTEGER NOT NULL", "Counts from 1 within what the row belongs to; civil ones first."),
        .init("frequency", "REAL NOT NULL", "MHz.", from: "FREQ"),
        .init(
          "vhf", "INTEGER NOT NULL", "1 within 118 to 137 MHz, which civil radios receive.", from: "FREQ"),
        .init("receiveOnly", "INTEGER NOT NULL", "1 where the station only listens on it.", from: "FREQ"),
        .init("use", "TEXT", "The FAA's own words.", from: "FREQ_USE"),
        .init(
          "sector", "TEXT", "LOW, HIGH, directions, or the network of an HF frequency.", from: "SECTORIZATION"
        ),
        .init("remark", "TEXT", from: "REMARK"),
      ],
      source: Frequency.table, constraints: ["PRIMARY KEY (\(owner), number)"], isKeyed: true)
  }
}

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

/// Where weather is reported from, and what is known there.
extension SourceTable {
  static let weatherLocations = SourceTable(
    "weatherLocations", from: "WXL_BASE", "Places for which weather is reported or forecast.",
    [
      .id,
      Field("identifier", .text("WEA_ID"), isRequired: true),
      Field("city", .text("CITY")),
      Field("state", .text("STATE_CODE")),
      Field("country", .text("COUNTRY_CODE")),
      Field("latitude", .real("LAT_DECIMAL", -90...90), isRequired: true),
      Field("longitude", .real("LONG_DECIMAL", -180...180), isRequired: true),
      Field("elevation", .whole("ELEV", -1500...30_000), "Feet above mean sea level."),
    ],
    keys: [.weatherLocation], indexes: [["identifier"]], extent: .point)

  static let weatherServices = SourceTable(
    "weatherServices", from: "WXL_SVC", "What is reported or forecast there.",
    [
      .id,
      Field("location", .row(.weatherLocation, by: ["WEA_ID"]), "NULL where the FAA does not place it."),
      Field("identifier", .text("WEA_ID"), isRequired: true),
      Field(
        "service", .text("WEA_SVC_TYPE_CODE"), "METAR, SPECI, TAF, FD, UA, NOTAM, SA, FT ...",
        isRequired: true),
      Field("area", .text("WEA_AFFECT_AREA"), "The states that it is for."),
    ],
    indexes: [["location"]])
}
