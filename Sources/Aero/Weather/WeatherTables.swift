internal import Core
internal import Foundation
internal import SQLiteIO

/// A row of a table.
struct WeatherRow {
  let element: WeatherElement
  /// From 1, in the file, or in the forecast of a group.
  let number: Int
  /// The airport of the station in `aviation.sqlite`.
  var airport: String?
  /// Of a METAR.
  var text: METARText?
  /// Of METARs, groups of TAFs, and aircraft reports.
  var conditions: Conditions?
  /// The forecast of a group.
  var taf: Int?

  var station: String? { element["station_id"] }
  /// Degrees Celsius. The columns have tenths.
  var temperature: Double? { element.number(["temp_c"], -100...65) ?? text?.temperature.map(Double.init) }
  var dewpoint: Double? { element.number(["dewpoint_c"], -100...65) ?? text?.dewpoint.map(Double.init) }
  /// Inches of mercury.
  var altimeter: Double? { element.number(["altim_in_hg"], 20...35, unknown: 0) }
  /// Hectopascals, as reported or to a tenth.
  var pressure: Double? {
    guard let inches = altimeter else { return nil }
    let pressure = (inches * 338.63886666667).rounded() / 10
    return text?.pressure.flatMap { abs(Double($0) - pressure) < 1 ? Double($0) : nil } ?? pressure
  }
}

/// The tables of `weather.sqlite`.
enum WeatherSchema {
  /// "WXS1"
  static let applicationID = 0x5758_5331
  static let version = 1

  typealias Field = RecordTable<WeatherRow>.Field

  static let tables = [metars, tafs, groups, reports, sigmets, gairmets, stations]

  /// With the tables of the files that are there.
  static func form(_ tables: [TableSchema]) -> DatabaseForm {
    DatabaseForm(
      applicationID: applicationID, version: version,
      tables: tables + [OpenEFBSchema.weatherCache.schema, sources, unread, DatabaseSchema.metadata],
      finishing: [DatabaseSchema.analysis])
  }

  static let metars = RecordTable<WeatherRow>(
    "metars", "The newest METAR of each station.",
    station + position + [
      time("observed", "observation_time"), text("type", "metar_type", "METAR or SPECI."), raw, category,
    ] + wind + [
      Field("windFrom", "INTEGER", "Degrees: it varies clockwise to windTo.") { $0.text?.windRange?.from },
      Field("windTo", "INTEGER", "True degrees.") { $0.text?.windRange?.to },
    ] + sky + [
      temperature, Field("dewpoint", "REAL", "Degrees Celsius.") { $0.dewpoint },
      Field("altimeter", "REAL", "Altimeter setting in inches of mercury.") { $0.altimeter },
      Field("pressure", "REAL", "Altimeter setting in hectopascals.") { $0.pressure },
      flag("isAutomatic", "auto"), flag("isCorrected", "corrected", "It corrects another report."),
      flag("needsMaintenance", "maintenance_indicator_on", "The station does."),
      flag("expectsNoChange", "no_signal", "Its trend is NOSIG, no significant change."),
    ], indexes: [["airport"]], extent: .point)

  static let tafs = RecordTable<WeatherRow>(
    "tafs", "The newest terminal aerodrome forecast (TAF) of each station.",
    station + position + [time("issued", "issue_time")] + validity + [raw, text("remarks", "remarks")],
    indexes: [["airport"]], extent: .point)

  static let groups = RecordTable<WeatherRow>(
    "taf_groups", "The parts of a TAF in the order of their times.",
    [
      Field("taf", "INTEGER NOT NULL REFERENCES tafs(id)") { $0.taf },
      Field("number", "INTEGER NOT NULL", "From 1 in each TAF.") { $0.number },
      text("change", "change_indicator", "FM, BECMG, TEMPO or PROB; NULL for the part that they change."),
      time("validFrom", "fcst_time_from"), time("validTo", "fcst_time_to"),
      time("becomesBy", "time_becoming", "UTC: when a change of BECMG is complete."),
      whole("probability", "probability", "Percent."), category,
    ] + wind + sky + lists, constraints: ["PRIMARY KEY (taf, number)"], isKeyed: true)

  static let reports = RecordTable<WeatherRow>(
    "aircraft_reports", "Reports of pilots (PIREP) and of aircraft (AIREP), the newest first.",
    [id, text("type", "report_type", "PIREP, Urgent PIREP or AIREP."), raw] + position.prefix(2) + [
      time("observed", "observation_time"), text("aircraft", "aircraft_ref", "Its type or callsign."),
      whole("altitude", "altitude_ft_msl", feet), temperature, weather,
      flag("hasBadLocation", "bad_location", "The position is doubtful."),
      Field("sky", "TEXT", "A JSON array, in feet above the sea.") { $0.element.list("sky_condition") },
    ] + wind + lists, extent: .point)

  static let sigmets = RecordTable<WeatherRow>(
    "sigmets", "Warnings of significant weather (SIGMET), one row for each area.",
    [
      id, text("type", "airsigmet_type|airSigmetType", "SIGMET or AIRMET; NULL for other countries."),
      text("series", "seriesId", "Its number."), text("issuer", "icaoId", "The office."),
      text("region", "firId", "The flight information region."), text("regionName", "firName"),
      text("hazard", "hazard@type|hazard", "CONVECTIVE, TURB, ICE, TS, VA and others."),
      text("severity", "hazard@severity|severity|qualifier", "The publisher's number or word."),
      whole("low", "altitude@min_ft_msl|min_ft_msl|altitudeLow1|base", feet),
      whole("high", "altitude@max_ft_msl|max_ft_msl|altitudeHi2|altitudeHi1|top", feet),
      text("direction", "movement_dir_degrees|movementDir|dir", "Of its movement: degrees, or NW."),
      text("speed", "movement_speed_kt|movementSpd|spd", "Of its movement, in knots."),
      text("change", "chng", "INTSF, WKN or NC."), raw,
    ] + validity + area, extent: .box)

  static let gairmets = RecordTable<WeatherRow>(
    "gairmets", "Graphical AIRMETs, one row for each area or line and time.",
    [
      id, text("product", "product", "SIERRA, TANGO or ZULU."), text("tag", "tag"),
      text("hazard", "hazard@type|hazard", "IFR, MT_OBSC, TURB-LO, ICE, FZLVL and others."),
      text("severity", "hazard@severity"), text("cause", "due_to", "Such as CIG BLW 010."),
      time("validAt", "valid_time"), time("issued", "issue_time"), time("expires", "expire_time"),
      text("low", "altitude@min_ft_msl", feet + " SFC and FZL are the surface and the freezing level."),
      text("high", "altitude@max_ft_msl", feet), text("level", "altitude@level_ft_msl", feet),
    ] + area, extent: .box)

  static let stations = RecordTable<WeatherRow>(
    "stations", "The stations of the publisher.",
    station + position + [
      text("icao", "icao_id", "ICAO code."), text("faaID", "faa_id", "FAA location identifier."),
      text("name", "site"), text("state", "state"), text("country", "country", "Two letters."),
    ], indexes: [["airport"]], extent: .point)

  static let sources = TableSchema(
    "sources", "The files, with what became of their rows.",
    [
      .init("file", "TEXT PRIMARY KEY"), .init("newest", "TEXT", "The newest observation; NULL without any."),
      .init("rows", "INTEGER NOT NULL", "Rows in the tables."),
      .init("repeated", "INTEGER NOT NULL", "Older rows of the same station, which were left out."),
      .init(
        "future", "INTEGER NOT NULL",
        "Rows more than 15 minutes later than the newest of several rows, which were left out."),
      .init("unread", "INTEGER NOT NULL", "Rows that could not be read, which were left out."),
      .init("unreadValues", "INTEGER NOT NULL", "Values that are not possible, and are NULL."),
    ], isKeyed: true)

  static let unread = TableSchema(
    "unread", "The rows and values that could not be read.",
    ["file", "reason", "raw"].map { TableSchema.Column($0, "TEXT NOT NULL") })
}

/// The columns that several tables have.
extension WeatherSchema {
  private static let id = Field("id", "INTEGER PRIMARY KEY") { _ in SQLiteValue.null }
  private static let raw = text("raw", WeatherElement.raw.joined(separator: "|"), "As published.")
  private static let weather = text("weather", "wx_string", "Present or expected, such as -RA BR.")
  private static let temperature = Field("temperature", "REAL", "Degrees Celsius.") { $0.temperature }
  private static let feet = "Feet above mean sea level."

  private static let station = [
    id, Field("station", "TEXT NOT NULL UNIQUE", "ICAO code, or K and an FAA identifier.") { $0.station },
    Field("airport", "TEXT", "airports.icao in aviation.sqlite; NULL if unknown.") { $0.airport },
  ]
  private static let position = [
    Field("latitude", "REAL", "Degrees; NULL if unknown.") { $0.element.position?.latitude },
    Field("longitude", "REAL", "Degrees; NULL if unknown.") { $0.element.position?.longitude },
    Field("elevation", "INTEGER", feet) { $0.element.feet("elevation_m") },
  ]
  private static let validity = [
    time("validFrom", "valid_time_from|validTimeFrom"), time("validTo", "valid_time_to|validTimeTo"),
  ]

  private static let category = Field(
    "flightCategory", "TEXT", "LIFR, IFR, MVFR or VFR; NULL if the visibility or the sky is not known."
  ) { $0.conditions?.category }
  private static let wind = [
    Field("windDirection", "INTEGER", "True degrees; NULL if variable.") { $0.conditions?.wind.direction },
    Field("isWindVariable", "INTEGER NOT NULL", "0 or 1.") { $0.conditions?.wind.isVariable ?? false },
    Field("windSpeed", "INTEGER", "Knots.") { $0.conditions?.wind.speed },
    Field("windGust", "INTEGER", "Knots.") { $0.conditions?.wind.gust },
  ]
  private static let sky = [
    Field("visibility", "REAL", "Statute miles; NULL if unknown.") { $0.conditions?.visibility?.miles },
    Field("visibilityBound", "TEXT", "less or more.") { $0.conditions?.visibility?.bound?.rawValue },
    weather, Field("sky", "TEXT", "A JSON array, in feet above ground.") { $0.conditions?.sky },
    Field("ceiling", "INTEGER", "Feet above ground: the lowest BKN, OVC or OVX.") { $0.conditions?.ceiling },
    Field("verticalVisibility", "INTEGER", "Feet, of OVX.") { $0.conditions?.verticalVisibility },
  ]
  private static let lists = [
    Field("turbulence", "TEXT", "A JSON array.") { $0.element.list("turbulence_condition") },
    Field("icing", "TEXT", "A JSON array.") { $0.element.list("icing_condition") },
  ]
  private static let area = [
    Field("geometry", "TEXT", "GeoJSON; NULL without points.") { $0.element.geometry },
    Field("south", "REAL") { $0.element.box?.south }, Field("west", "REAL") { $0.element.box?.west },
    Field("north", "REAL") { $0.element.box?.north },
    Field("east", "REAL", "west and east are -180 and 180 across 180 degrees.") { $0.element.box?.east },
  ]

  /// - Parameter keys: the names of the value in the forms of the file.
  private static func text(_ name: String, _ keys: String, _ comment: String? = nil) -> Field {
    let keys = keys.split(separator: "|").map(String.init)
    return Field(name, "TEXT", comment) { $0.element[keys] }
  }

  private static func time(_ name: String, _ keys: String, _ comment: String = "UTC.") -> Field {
    let keys = keys.split(separator: "|").map(String.init)
    return Field(name, "TEXT", comment) { $0.element.time(keys)?.description }
  }

  private static func whole(_ name: String, _ keys: String, _ comment: String) -> Field {
    let keys = keys.split(separator: "|").map(String.init)
    return Field(name, "INTEGER", comment) { $0.element.integer(keys, -1000...100_000) }
  }

  private static func flag(_ name: String, _ key: String, _ comment: String = "") -> Field {
    Field(name, "INTEGER NOT NULL", (comment + " 0 or 1.").trimmingCharacters(in: .whitespaces)) {
      $0.element.flag(key)
    }
  }
}
