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
  var temperature: Double? { element.number(["temp_c"], -90...65) ?? text?.temperature.map(Double.init) }
  var dewpoint: Double? { element.number(["dewpoint_c"], -100...50) ?? text?.dewpoint.map(Double.init) }
  /// Inches of mercury.
  var altimeter: Double? { element.number(["altim_in_hg"], 20...35, unknown: "0.00") }
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
      time("observed", ["observation_time"], "When it was observed."),
      text("type", ["metar_type"], "METAR or SPECI."), raw, category,
    ] + wind + [
      Field("windFrom", "INTEGER", "True degrees: it varies clockwise to windTo.") {
        $0.text?.windRange?.from
      },
      Field("windTo", "INTEGER", "True degrees.") { $0.text?.windRange?.to },
    ] + sky + [
      Field("temperature", "REAL", "Degrees Celsius.") { $0.temperature },
      Field("dewpoint", "REAL", "Degrees Celsius.") { $0.dewpoint },
      Field("altimeter", "REAL", "Altimeter setting in inches of mercury.") { $0.altimeter },
      Field("pressure", "REAL", "Altimeter setting in hectopascals.") { $0.pressure },
      real("seaLevelPressure", "sea_level_pressure_mb", 850...1100, "Hectopascals."),
      real("precipitation", "precip_in", 0...100, "Inches since the last regular report."),
      flag("isAutomatic", "auto", "Whether no person checked it."),
      flag("isCorrected", "corrected", "Whether it corrects another report."),
      flag("needsMaintenance", "maintenance_indicator_on", "Whether the station needs maintenance."),
      flag("expectsNoChange", "no_signal", "Whether its trend is NOSIG, no significant change."),
    ], indexes: [["airport"]], extent: .point)

  static let tafs = RecordTable<WeatherRow>(
    "tafs", "The newest terminal aerodrome forecast (TAF) of each station.",
    station + position + [
      time("issued", ["issue_time"]), time("validFrom", ["valid_time_from"]),
      time("validTo", ["valid_time_to"]),
      raw, text("remarks", ["remarks"]),
    ], indexes: [["airport"]], extent: .point)

  static let groups = RecordTable<WeatherRow>(
    "taf_groups", "The parts of a TAF in the order of their times.",
    [
      Field("taf", "INTEGER NOT NULL REFERENCES tafs(id)") { $0.taf },
      Field("number", "INTEGER NOT NULL", "From 1 in each TAF.") { $0.number },
      text("change", ["change_indicator"], "FM, BECMG, TEMPO or PROB; NULL for the part that they change."),
      time("validFrom", ["fcst_time_from"]), time("validTo", ["fcst_time_to"]),
      time("becomesBy", ["time_becoming"], "When a change of BECMG is complete."),
      whole("probability", ["probability"], 0...100, "Percent."), category,
    ] + wind + sky + lists, constraints: ["PRIMARY KEY (taf, number)"], isKeyed: true)

  static let reports = RecordTable<WeatherRow>(
    "aircraft_reports", "Reports of pilots (PIREP) and of aircraft (AIREP), the newest first.",
    [id, text("type", ["report_type"], "PIREP, Urgent PIREP or AIREP."), raw] + position + [
      time("observed", ["observation_time"], "When it was observed."),
      text("aircraft", ["aircraft_ref"], "Its type or callsign."),
      whole("altitude", ["altitude_ft_msl"], -1000...100_000, "Feet above mean sea level."),
      Field("temperature", "REAL", "Degrees Celsius.") { $0.temperature },
    ] + wind + [
      text("visibility", ["visibility_statute_mi"], "Statute miles."), weather,
      Field("sky", "TEXT", "A JSON array of layers, in feet above mean sea level.") {
        list($0, "sky_condition")
      },
    ] + lists + [flag("hasBadLocation", "bad_location", "Whether the position is doubtful.")], extent: .point)

  static let sigmets = RecordTable<WeatherRow>(
    "sigmets", "Warnings of significant weather (SIGMET), one row for each area.",
    [
      id, text("type", ["airsigmet_type", "airSigmetType"], "SIGMET or AIRMET; NULL for other countries."),
      text("series", ["seriesId"], "Its number."), text("issuer", ["icaoId"], "The office."),
      text("region", ["firId"], "The flight information region."), text("regionName", ["firName"]),
      text("hazard", ["hazard@type", "hazard"], "CONVECTIVE, TURB, ICE, TS, VA and others."),
      text("severity", ["hazard@severity", "severity", "qualifier"], "The publisher's number or word."),
    ] + validity + [
      whole(
        "low", ["altitude@min_ft_msl", "min_ft_msl", "altitudeLow1", "base"], heights,
        "Feet above mean sea level."),
      whole(
        "high", ["altitude@max_ft_msl", "max_ft_msl", "altitudeHi2", "altitudeHi1", "top"], heights, "As low."
      ),
      text("direction", ["movement_dir_degrees", "movementDir", "dir"], "Of its movement: degrees, or NW."),
      text("speed", ["movement_speed_kt", "movementSpd", "spd"], "Of its movement, in knots."),
      text("change", ["chng"], "INTSF, WKN or NC."), raw,
    ] + area, extent: .box)

  static let gairmets = RecordTable<WeatherRow>(
    "gairmets", "Graphical AIRMETs, one row for each area or line and time.",
    [
      id, text("product", ["product"], "SIERRA, TANGO or ZULU."), text("tag", ["tag"]),
      text("hazard", ["hazard@type", "hazard"], "IFR, MT_OBSC, TURB-LO, ICE, FZLVL and others."),
      text("severity", ["hazard@severity"]), text("cause", ["due_to"], "Such as CIG BLW 010."),
      time("validAt", ["valid_time"], "The time of the area."), time("issued", ["issue_time"]),
      time("expires", ["expire_time"]),
      text("low", ["altitude@min_ft_msl"], "Feet above mean sea level, SFC or FZL."),
      text("high", ["altitude@max_ft_msl"], "As low."),
      text("level", ["altitude@level_ft_msl"], "Of a line: as low."),
    ] + area, extent: .box)

  static let stations = RecordTable<WeatherRow>(
    "stations", "The stations of the publisher.",
    station + position + [
      text("icao", ["icao_id"], "ICAO code."), text("faaID", ["faa_id"], "FAA location identifier."),
      text("name", ["site"]), text("state", ["state"]), text("country", ["country"], "Two letters."),
    ], indexes: [["airport"]], extent: .point)

  static let sources = TableSchema(
    "sources", "The files, with what became of their rows.",
    [
      .init("file", "TEXT PRIMARY KEY"), .init("newest", "TEXT", "The newest observation; NULL without any."),
      .init("rows", "INTEGER NOT NULL", "Rows in the tables."),
      .init("repeated", "INTEGER NOT NULL", "Older rows of the same station, which were left out."),
      .init("future", "INTEGER NOT NULL", "Rows later than the file itself, which were left out."),
      .init("unread", "INTEGER NOT NULL", "Rows that could not be read, which were left out."),
      .init("unreadValues", "INTEGER NOT NULL", "Values that are not possible, and are NULL."),
    ], isKeyed: true)

  static let unread = TableSchema(
    "unread", "The rows and values that could not be read.",
    [
      .init("file", "TEXT NOT NULL"), .init("reason", "TEXT NOT NULL"),
      .init("raw", "TEXT", "The row as published."),
    ])
}

/// The columns that several tables have.
extension WeatherSchema {
  private static let id = Field("id", "INTEGER PRIMARY KEY") { _ in SQLiteValue.null }
  private static let raw = text("raw", WeatherElement.raw, "As published.")
  private static let weather = text("weather", ["wx_string"], "Present or expected weather, such as -RA BR.")
  private static let heights = -1000...100_000

  private static let station = [
    id,
    Field("station", "TEXT NOT NULL UNIQUE", "ICAO code, or K and an FAA identifier: K42J.") { $0.station },
    Field("airport", "TEXT", "airports.icao in aviation.sqlite of the cycle; NULL without it.") {
      $0.airport
    },
  ]
  private static let position = [
    Field("latitude", "REAL", "Degrees, south negative; NULL if unknown.") { $0.element.position?.latitude },
    Field("longitude", "REAL", "Degrees, west negative; NULL if unknown.") { $0.element.position?.longitude },
    Field("elevation", "INTEGER", "Feet above mean sea level; NULL if unknown.") {
      $0.element.feet("elevation_m")
    },
  ]

  private static let category = Field(
    "flightCategory", "TEXT", "LIFR, IFR, MVFR or VFR; NULL if the visibility or the sky is not known."
  ) { $0.conditions?.category }
  private static let wind = [
    Field("windDirection", "INTEGER", "True degrees; NULL if variable. Calm is 0 at 0 knots.") {
      $0.conditions?.wind.direction
    },
    Field("isWindVariable", "INTEGER NOT NULL", "0 or 1.") { $0.conditions?.wind.isVariable ?? false },
    Field("windSpeed", "INTEGER", "Knots.") { $0.conditions?.wind.speed },
    Field("windGust", "INTEGER", "Knots.") { $0.conditions?.wind.gust },
  ]
  private static let sky = [
    Field("visibility", "REAL", "Statute miles; NULL if unknown.") { $0.conditions?.visibility?.miles },
    Field("visibilityBound", "TEXT", "less or more than visibility; NULL if it is that.") {
      $0.conditions?.visibility?.bound?.rawValue
    },
    weather,
    Field("sky", "TEXT", "A JSON array: cover, base (feet above ground), type (CB, TCU).") {
      $0.conditions?.sky
    },
    Field("ceiling", "INTEGER", "Feet above ground: the lowest BKN, OVC or OVX.") { $0.conditions?.ceiling },
    Field("verticalVisibility", "INTEGER", "Feet, of OVX.") { $0.conditions?.verticalVisibility },
  ]

  private static let lists = [
    Field("turbulence", "TEXT", "A JSON array of layers.") { list($0, "turbulence_condition") },
    Field("icing", "TEXT", "A JSON array of layers.") { list($0, "icing_condition") },
  ]
  private static func list(_ row: WeatherRow, _ name: String) -> String? { row.element.list(name) }

  private static let validity = [
    time("validFrom", ["valid_time_from", "validTimeFrom"]),
    time("validTo", ["valid_time_to", "validTimeTo"]),
  ]
  private static let area = [
    Field("geometry", "TEXT", "GeoJSON; NULL without points.") { $0.element.geometry },
    Field("south", "REAL") { $0.element.box?.south }, Field("west", "REAL") { $0.element.box?.west },
    Field("north", "REAL") { $0.element.box?.north },
    Field("east", "REAL", "west and east are -180 and 180 across 180 degrees.") { $0.element.box?.east },
  ]

  private static func text(_ name: String, _ keys: [String], _ comment: String? = nil) -> Field {
    Field(name, "TEXT", comment) { $0.element[keys] }
  }

  private static func time(_ name: String, _ keys: [String], _ comment: String? = nil) -> Field {
    Field(name, "TEXT", comment) { $0.element.time(keys)?.description }
  }

  private static func real(_ name: String, _ key: String, _ range: ClosedRange<Double>, _ comment: String)
    -> Field
  {
    Field(name, "REAL", comment) { $0.element.number([key], range) }
  }

  private static func whole(_ name: String, _ keys: [String], _ range: ClosedRange<Int>, _ comment: String)
    -> Field
  {
    Field(name, "INTEGER", comment) { $0.element.integer(keys, range) }
  }

  private static func flag(_ name: String, _ key: String, _ comment: String) -> Field {
    Field(name, "INTEGER NOT NULL", "0 or 1. " + comment) { $0.element.flag(key) }
  }
}
