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
