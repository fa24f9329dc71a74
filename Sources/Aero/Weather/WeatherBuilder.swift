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
    ) { try write(request, to: scratch) }
  }

  private static func write(_ request: WeatherRequest, to scratch: URL) throws -> Product {
    try DatabaseBuilder.writing(to: scratch) {
      let airports = try AirportIndex(request.airports)
      var rows: [String: [WeatherRow]] = [:]
      var sources: [WeatherSource] = []
      for (file, source) in request.files {
        let read = try WeatherSource(file, source)
        rows.merge(read.rows(airports)) { $0 + $1 }
        sources.append(read)
        try CancellationToken.current.check()
      }
      guard let newest = sources.first?.newest else { throw WeatherDefect("there is no METAR") }
      let tables = WeatherSchema.tables.filter { rows[$0.schema.name] != nil }
      var writer = try DatabaseWriter(scratch, as: WeatherSchema.form(tables.map(\.schema)))
      for table in tables { try writer.fill(table, rows[table.schema.name] ?? []) }
      let unread = sources.flatMap(\.unread)
      let cached = try WeatherSchema.cached(writer, fetched: newest, hasTAFs: rows["tafs"] != nil)
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
      let made = try SourceFolder.file(scratch)
      let counts = rows.mapValues(\.count).merging(["weatherCache": cached.count, "unread": unread.count]) {
        $1
      }
      return Product(
        id: request.product, kind: .weather, name: request.title, cycle: request.cycle,
        edition: .time(newest), effectiveDate: newest, expirationDate: expires, format: "sqlite",
        files: [
          Product.File(
            path: "weather.sqlite", sha256: made.sha256, bytes: made.bytes,
            mediaType: "application/vnd.sqlite3", role: .database)
        ],
        sources: request.sources.map(\.record),
        build: Product.Build(
          tool: ToolVersion.tool, version: ToolVersion.version, libraries: libraries,
          definitionSha256: request.definitionSha256, counts: counts))
    }
  }
}

extension WeatherSchema {
  /// The rows of OpenEFB's own store of weather. A METAR without a category is left out, since the app cannot express it.
  ///
  /// - Parameter newest: the time of the newest METAR in place of that of the download: the file depends on its sources alone.
  fileprivate static func cached(_ writer: DatabaseWriter, fetched newest: Instant, hasTAFs: Bool) throws
    -> [[SQLiteValue]]
  {
    func date(_ time: String) -> String { "strftime('%Y-%m-%d %H:%M:%f', \(time))" }
    let query = """
      SELECT station, m.raw, \(hasTAFs ? "t.raw" : "NULL"), lower(flightCategory), temperature, dewpoint,
        iif(isWindVariable, 0, windDirection), windSpeed, windGust, isWindVariable, visibility, ceiling,
        \(date("'\(newest)'")), \(date("observed"))
      FROM metars m \(hasTAFs ? "LEFT JOIN tafs t USING (station)" : "") WHERE flightCategory IS NOT NULL ORDER BY 1
      """
    return try writer.rows(query) { row in
      [.text(try StableID.text(of: "weather|\(row.text(0) ?? "")"))] + (0..<row.columnCount).map(row.value)
    }
  }
}

extension ProductKind {
  /// Weather of the last minutes.
  public static let weather = ProductKind(rawValue: "weather")
}

/// The airports of `aviation.sqlite` by the stations of weather reports.
private struct AirportIndex {
  private var known: Set<String> = []

  init(_ file: SourceFile?) throws {
    guard let file else { return }
    let connection = try SQLiteConnection(file.url.path, mode: .readOnly)
    known = Set(try connection.prepare("SELECT icao FROM airports").map { $0.text(0) ?? "" })
  }

  /// An airport without an ICAO code has its FAA identifier in place of one; its station has a K before it.
  subscript(station: String?) -> String? {
    guard let station else { return nil }
    return [station, station.hasPrefix("K") ? String(station.dropFirst()) : ""].first(where: known.contains)
  }
}

/// A file and its rows in the order of the tables.
private struct WeatherSource {
  private let file: WeatherFile
  private let name: String
  private let elements: [WeatherElement]
  private let counts: (repeated: Int, future: Int)
  /// The rows that could not be read.
  private let lost: [[SQLiteValue]]
  let newest: Instant?

  init(_ file: WeatherFile, _ source: SourceFile) throws {
    (self.file, name) = (file, source.name)
    let contents = try WeatherReader.read(Data(contentsOf: source.url), source.name, as: file)
    lost = contents.rows.compactMap { row in
      file.flaw(of: row).map { [.text(source.name), .text($0), SQLiteValue(row.raw)] }
    }
    let good = contents.rows.filter { file.flaw(of: $0) == nil }.enumerated().map { index, row in
      let time = file.time.flatMap { row.time([$0]) }?.secondsSince1970 ?? 0
      return (key: (file.isByStation ? row["station_id"] ?? "" : "", -time, index), element: row)
    }.sorted { $0.key < $1.key }
    let kept = good.indices.filter { !file.isByStation || $0 == 0 || good[$0 - 1].key.0 != good[$0].key.0 }
    elements = kept.map { good[$0].element }
    counts = (good.count - kept.count, contents.future)
    newest = file.time.flatMap { time in good.compactMap { $0.element.time([time]) }.max() }
  }

  /// The rows of each table.
  func rows(_ airports: AirportIndex) -> [String: [WeatherRow]] {
    let rows = elements.enumerated().map { index, element in
      let text = file.element == "METAR" ? element["raw_text"].map(METARText.init) : nil
      return WeatherRow(
        element: element, number: index + 1, airport: airports[element["station_id"]], text: text,
        conditions: file.time == nil ? nil : Conditions(element, text))
    }
    var tables = [file.tables[0].schema.name: rows]
    for table in file.tables.dropFirst() { tables[table.schema.name] = rows.flatMap(groups) }
    return tables
  }

  /// The groups of a TAF by their starts; of those of the same time first the one that the others change.
  private func groups(_ taf: WeatherRow) -> [WeatherRow] {
    let groups = taf.element.all("forecast").enumerated().map { index, group in
      let (from, to) = (group.time(["fcst_time_from"]), group.time(["fcst_time_to"]))
      let change = group["change_indicator"] == nil ? 0 : 1
      return (
        key: (from?.secondsSince1970 ?? 0, change, to?.secondsSince1970 ?? 0, index), element: group
      )
    }.sorted { $0.key < $1.key }
    return groups.enumerated().map { index, group in
      WeatherRow(
        element: group.element, number: index + 1, conditions: Conditions(group.element), taf: taf.number)
    }
  }

  /// What could not be read, known after the tables are written.
  var unread: [[SQLiteValue]] {
    lost
      + elements.flatMap { row in
        (row.misread.sorted() + row.all("forecast").flatMap { $0.misread.sorted() }).map {
          [.text(name), .text($0), SQLiteValue(row.raw)]
        }
      }
  }

  /// The row of the table of sources.
  var values: [SQLiteValue] {
    [
      .text(name), SQLiteValue(newest?.description), .integer(elements.count), .integer(counts.repeated),
      .integer(counts.future), .integer(lost.count), .integer(unread.count - lost.count),
    ]
  }
}
