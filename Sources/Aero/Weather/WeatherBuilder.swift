public import Core
public import Foundation
internal import SQLiteIO

/// The inputs of a weather database.
public struct WeatherRequest: Sendable {
  public var product: String
  public var title: String
  public var definitionSha256: SHA256Hex
  /// For how many minutes METARs may be used.
  public var minutes: Int
  public var cycle: AiracCycle
  /// The files that are there; the first one has the METARs.
  public var files: [(file: WeatherFile, source: SourceFile)]
  /// `aviation.sqlite` of the cycle.
  public var airports: SourceFile?

  public var sources: [SourceFile] { files.map(\.source) + [airports].compactMap(\.self) }
}

/// Builds `weather.sqlite` from files of aviationweather.gov.
public enum WeatherBuilder {
  /// The versions that can change a byte of the files.
  public static var libraries: [String: String] {
    SystemLibraries.versions.merging(["sqlite": SQLiteConnection.libraryVersion]) { own, _ in own }
  }

  /// Writes the database to `scratch`; the caller moves the file to its place.
  public static func build(_ request: WeatherRequest, to scratch: URL) throws -> Product {
    try UserError.wrapping(
      "making", request.product, kind: .badInput, suggestion: "Fetch the files of weather again."
    ) {
      try DatabaseBuilder.writing(to: scratch) { try write(request, to: scratch) }
    }
  }

  private static func write(_ request: WeatherRequest, to scratch: URL) throws -> Product {
    let airports = try request.airports.map { file in
      let connection = try SQLiteConnection(file.url.path, mode: .readOnly)
      return Set(try connection.prepare("SELECT icao FROM airports").map { $0.text(0) ?? "" })
    }
    var rows: [String: [WeatherRow]] = [:]
    var sources: [WeatherSource] = []
    for (file, source) in request.files {
      let read = try WeatherSource(file, source)
      rows.merge(read.rows(airports ?? [])) { $0 + $1 }
      sources.append(read)
      try CancellationToken.current.check()
    }
    guard let newest = sources.first?.newest else { throw WeatherDefect(description: "there is no METAR") }
    let tables = WeatherSchema.tables.filter { rows[$0.schema.name] != nil }
    var writer = try DatabaseWriter(scratch, as: WeatherSchema.form(tables.map(\.schema)))
    for table in tables { try writer.fill(table, rows[table.schema.name] ?? []) }
    let unread = sources.flatMap(\.unread)
    let cached = try cached(writer, newest, rows["tafs"] != nil)
    try writer.fill(OpenEFBSchema.weatherCache.schema, cached) { $0 }
    try writer.fill(WeatherSchema.sources, sources) { $0.values }
    try writer.fill(WeatherSchema.unread, unread) { $0 }
    let expires = newest.adding(request.minutes * 60)
    try writer.write(metadata: [
      "effective": newest.description, "expires": expires.description, "tool": ToolVersion.tool,
      "version": ToolVersion.version, "schema_version": "\(WeatherSchema.version)",
      "disclaimer": "Made from public data of the Aviation Weather Center. \(Metadata.warning)",
    ])
    try writer.finish()
    var counts = rows.mapValues(\.count)
    (counts["weatherCache"], counts["unread"]) = (cached.count, unread.count)
    return Product(
      id: request.product, kind: Product.Kind(rawValue: "weather"), name: request.title, cycle: request.cycle,
      edition: .time(newest), effectiveDate: newest, expirationDate: expires, format: "sqlite",
      files: [try Product.File("weather.sqlite", "application/vnd.sqlite3", .database, at: scratch)],
      sources: request.sources.map(\.record),
      build: Product.Build(
        tool: ToolVersion.tool, version: ToolVersion.version, libraries: libraries,
        definitionSha256: request.definitionSha256, counts: counts))
  }

  /// The rows of OpenEFB's own store of weather. A METAR without a category is left out, since the app cannot express it.
  ///
  /// - Parameter newest: the time of the newest METAR in place of that of the download: the file depends on its sources alone.
  private static func cached(_ writer: DatabaseWriter, _ newest: Instant, _ hasTAFs: Bool) throws
    -> [[SQLiteValue]]
  {
    func date(_ time: String) -> String { "strftime('%Y-%m-%d %H:%M:%f', \(time))" }
    let query = """
      SELECT station, m.raw, \(hasTAFs ? "t.raw" : "NULL"), lower(flightCategory), temperature, dewpoint,
        iif(isWindVariable, 0, windDirection), windSpeed, windGust, isWindVariable, visibility, ceiling,
        \(date("'\(newest)'")), \(date("observed"))
      FROM metars m \(hasTAFs ? "LEFT JOIN tafs t USING (station)" : "") WHERE flightCategory IS NOT NULL AND \(WeatherJSON.recent("'\(newest)'")) ORDER BY 1
      """
    return try writer.rows(query) { row in
      [.text(try StableID.text(of: "weather|\(row.text(0) ?? "")"))] + (0..<row.columnCount).map(row.value)
    }
  }
}

/// A file and its rows in the order of the tables.
private struct WeatherSource {
  private let file: WeatherFile
  private let name: String
  private let elements: [WeatherElement]
  private let repeated, future: Int
  /// The rows that could not be read.
  private let lost: [[SQLiteValue]]
  let newest: Instant?

  init(_ file: WeatherFile, _ source: SourceFile) throws {
    (self.file, name) = (file, source.name)
    let rows = try WeatherReader.read(Data(contentsOf: source.url), source.name, as: file)
    lost = rows.compactMap { row in
      file.flaw(of: row).map { [.text(source.name), .text($0), .text(row.raw)] }
    }
    let whole = rows.filter { file.flaw(of: $0) == nil }
    let newest = file.newest(of: whole)
    let latest = newest.map { $0.adding(WeatherFile.tolerance).secondsSince1970 } ?? .max
    let good = whole.enumerated().map { index, row in
      let time = file.time.flatMap { row.time([$0]) }?.secondsSince1970 ?? 0
      guard file.isByStation else { return (key: ("", -time, index), element: row) }
      // Of the same time, a correction counts, and then the last row.
      let order = (row.flag("corrected") ? -rows.count : 0) - index
      return (key: (row["station_id"] ?? "", -time, order), element: row)
    }.filter { -$0.key.1 <= latest }.sorted { $0.key < $1.key }
    let kept = good.indices.filter { !file.isByStation || $0 == 0 || good[$0 - 1].key.0 != good[$0].key.0 }
    elements = kept.map { good[$0].element }
    (repeated, future, self.newest) = (good.count - kept.count, whole.count - good.count, newest)
  }

  /// The rows of each table.
  ///
  /// - Parameter airports: an airport without an ICAO code has its FAA identifier in place of one. Its station has a K before it.
  func rows(_ airports: Set<String>) -> [String: [WeatherRow]] {
    let rows = elements.enumerated().map { index, element in
      let station = element["station_id"] ?? ""
      let names = [station, station.hasPrefix("K") ? String(station.dropFirst()) : station]
      let text = file.element == "METAR" ? element["raw_text"].map(METARText.init) : nil
      return WeatherRow(
        element: element, number: index + 1, airport: names.first(where: airports.contains), text: text,
        conditions: file.time == nil ? nil : Conditions(element, text))
    }
    var tables = [file.tables[0].schema.name: rows]
    for table in file.tables.dropFirst() { tables[table.schema.name] = rows.flatMap(groups) }
    return tables
  }

  /// The groups of a TAF by their starts; of those of the same time first the one that the others change.
  private func groups(_ taf: WeatherRow) -> [WeatherRow] {
    let groups = taf.element.all("forecast").enumerated().map { index, group in
      let times = ["fcst_time_from", "fcst_time_to"].map { group.time([$0])?.secondsSince1970 ?? 0 }
      return (key: (times[0], group["change_indicator"] == nil ? 0 : 1, times[1], index), element: group)
    }.sorted { $0.key < $1.key }
    return groups.enumerated().map { index, group in
      WeatherRow(
        element: group.element, number: index + 1, conditions: Conditions(group.element), taf: taf.number)
    }
  }

  /// What could not be read, known after the tables are written.
  var unread: [[SQLiteValue]] {
    let values = elements.flatMap { row in row.allMisread.map { [name, $0, row.raw] } }
    return lost + values.map { $0.map(SQLiteValue.text) }
  }

  /// The row of the table of sources.
  var values: [SQLiteValue] {
    let numbers = [elements.count, repeated, future, lost.count, unread.count - lost.count]
    return [.text(name), SQLiteValue(newest?.description)] + numbers.map(SQLiteValue.integer)
  }
}
