public import Core
public import Foundation

/// A file of aviationweather.gov, and the tables that it fills.
public struct WeatherFile: Sendable {
  /// Its names: the present form, then older ones. The first that is there is read.
  public let names: [String]
  /// For how many minutes its last download is new enough.
  public var minutes = 0
  /// For how many minutes a file may be older than that of METARs. A SIGMET that is over is no weather.
  public var longest = 75
  /// The name of a row.
  let element: String
  /// The values that every row has, by their names in the forms of the file. Those whose name contains `time` or `Time` are times.
  let required: [[String]]
  /// The time by which a file is newer than another one; nil for a file without observations.
  var time: String?
  /// Whether a station has one row, the newest.
  var isByStation = false
  let tables: [RecordTable<WeatherRow>]
  /// Whether there are always rows. Warnings can be none.
  public var isNeverEmpty: Bool { isByStation || time != nil }

  public static let all: [WeatherFile] = [metars, tafs, reports, stations, sigmets, foreignSigmets, gairmets]

  public static let metars = WeatherFile(
    names: ["metars.cache.xml.gz", "metars.cache.csv.gz"], element: "METAR",
    required: [["raw_text"], ["station_id"], ["observation_time"]], time: "observation_time",
    isByStation: true, tables: [WeatherSchema.metars])
  public static let tafs = WeatherFile(
    names: ["tafs.cache.xml.gz"], longest: 360, element: "TAF",
    required: [["raw_text"], ["station_id"], ["issue_time"], ["valid_time_from"], ["valid_time_to"]],
    time: "issue_time", isByStation: true, tables: [WeatherSchema.tafs, WeatherSchema.groups])
  static let reports = WeatherFile(
    names: ["aircraftreports.cache.xml.gz", "aircraftreports.cache.csv.gz"], element: "AircraftReport",
    required: [["raw_text"], ["observation_time"]], time: "observation_time", tables: [WeatherSchema.reports])
  static let stations = WeatherFile(
    names: ["stations.cache.xml.gz"], minutes: 60, longest: 14 * 1440, element: "Station",
    required: [["station_id"]],
    isByStation: true, tables: [WeatherSchema.stations])
  static let sigmets = WeatherFile(
    names: ["airsigmets.cache.xml.gz", "airsigmets.cache.csv.gz", "sigmet_domestic.json"],
    element: "AIRSIGMET",
    required: [WeatherElement.raw, ["valid_time_from", "validTimeFrom"], ["valid_time_to", "validTimeTo"]],
    tables: [WeatherSchema.sigmets])
  static let foreignSigmets = WeatherFile(
    names: ["sigmet_intl.json"], element: "AIRSIGMET", required: sigmets.required, tables: sigmets.tables)
  static let gairmets = WeatherFile(
    names: ["gairmets.cache.xml.gz"], element: "GAIRMET", required: [["product"], ["valid_time"]],
    tables: [WeatherSchema.gairmets])

  /// How far a station's clock may be ahead, in seconds.
  static let tolerance = 15 * 60
  /// The name of a row that cannot be split into its columns.
  static let broken = "broken"
  /// A column of positions, `lon:lat;lon:lat`.
  static let pairs = "lon:lat points"

  /// Why a row cannot be used; nil if it can.
  func flaw(of row: WeatherElement) -> String? {
    if row.name == WeatherFile.broken { return "it has not the columns of the header" }
    if isByStation, let station = row["station_id"], !WeatherFile.isPlain(station) {
      return "its station_id is no identifier"
    }
    return required.first { names in
      row[names].map { names[0].contains("time") && Instant($0) == nil } ?? true
    }.map { "it has no \($0[0])" }
  }

  private static func isPlain(_ station: String) -> Bool {
    station.utf8.count <= 10 && station.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
  }

  /// The newest time of several rows: a station with a wrong clock makes no file newer. Nil for a file without observations.
  func newest(of rows: [WeatherElement]) -> Instant? {
    let times = time.map { time in rows.compactMap { $0.time([time]) }.sorted(by: >) } ?? []
    return times.isEmpty ? nil : times[min(4, times.count / 10)]
  }

  /// Checks a file before it replaces the last one. Returns its newest observation; nil for a file without observations.
  public func check(_ data: Data, _ name: String, at now: Instant) throws -> Instant? {
    let all = try WeatherReader.read(data, name, as: self)
    let rows = all.filter { flaw(of: $0) == nil }
    guard rows.count * 2 >= max(all.count, isNeverEmpty ? 1 : 0) else {
      throw WeatherDefect(description: "of its \(Counts.of(all.count, "row")), \(rows.count) can be read")
    }
    let newest = newest(of: rows)
    if let newest, newest > now.adding(WeatherFile.tolerance) {
      throw WeatherDefect(description: "its newest observation is of \(newest), which is in the future")
    }
    return newest
  }
}
