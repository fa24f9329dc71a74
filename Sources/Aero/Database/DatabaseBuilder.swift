internal import ArchiveIO
public import Core
public import Foundation
internal import RasterIO
internal import SQLiteIO

/// Builds `aviation.sqlite` of one NASR cycle.
public enum DatabaseBuilder {
  /// Learns how much of a build is done.
  public typealias Advance = (_ done: Int) -> Void

  /// The versions that can change a byte of the database.
  public static var libraries: [String: String] {
    let own = [
      "sqlite": SQLiteConnection.libraryVersion, "libzip": ZipArchive.libraryVersion, "gdal": gdalVersion(),
      "geos": geosVersion(),
    ]
    return own.merging(SystemLibraries.versions) { own, _ in own }
  }

  /// Writes the database to `scratch`; the caller moves the file to its place.
  ///
  /// The problems of the outcome list everything in the source that could not be used. Too many problems fail the build.
  public static func build(
    _ request: NASRRequest, to scratch: URL, progress: any ProgressReporter, step: String
  ) throws -> DatabaseOutcome {
    try writing(to: scratch) {
      var build = try DatabaseBuild(request, scratch, progress, step)
      try build.preflight()
      let corrections = build.corrections
      try Corrections.checking(corrections) {
        // First, while nothing else is in memory: a coast may have more corners than there are airports.
        try build.airspace()
        FreedMemory.giveBack()
        try build.tables()
      }
      if request.definition.rawTables == true { try build.carryRawTables() }
      return try build.finish()
    }
  }

  /// Reads all tables with corrections and returns their outcomes. The database is discarded.
  static func correctionOutcomes(_ request: NASRRequest) throws -> [CorrectionOutcome] {
    var request = request
    // Named tables may be missing from the source, and no gate concerns a correction.
    request.definition.tables = DatabaseSchema.tables.map(\.name).filter {
      $0 != DatabaseSchema.metadata.name
    }
    request.definition.gates.droppedRowShare = 1
    request.definition.gates.minimumRows = [:]
    return try discarding { scratch in
      var build = try DatabaseBuild(request, scratch, SilentProgress(), "")
      let corrections = build.corrections
      return try Corrections.outcomes(corrections) {
        if Correction.airspaceTables.contains(where: { corrections?.concerns($0) == true }) {
          try build.airspace()
        }
        try build.tables()
      }
    }
  }

  /// Makes a database that is discarded.
  static func discarding<Value>(_ build: (_ scratch: URL) throws -> Value) throws -> Value {
    let scratch = FileManager.default.temporaryDirectory.appending(path: "chartpipe-\(UUID()).sqlite")
    defer { try? FileManager.default.removeItem(at: scratch) }
    return try writing(to: scratch) { try build(scratch) }
  }

  /// Runs a build that writes to `scratch`, and removes the unfinished file if it throws.
  static func writing<Value>(to scratch: URL, _ build: () throws -> Value) throws -> Value {
    do {
      return try build()
    } catch {
      try? FileManager.default.removeItem(at: scratch)
      throw userError(error, scratch)
    }
  }

  private static func userError(_ error: any Error, _ file: URL) -> any Error {
    guard let error = error as? SQLiteError else { return error }
    return UserError(
      .failed, operation: "writing the database", path: file.path,
      reason: error.isFull ? "the disk is full" : error.message,
      suggestion: error.isFull ? "Free some space, or give another folder with --work." : nil, causes: [error]
    )
  }
}

/// The state of one build.
private struct DatabaseBuild {
  private let request: NASRRequest
  private let scratch: URL
  private let reader: TableReader
  let corrections: Corrections?
  private let gates: Gates
  private let selection: TableSelection
  /// Tables with too few rows, which are reported together at the end.
  private var errors: [UserError] = []
  private var writer: DatabaseWriter
  private let problems: ProblemLog
  private let announce: (Int) -> Void
  private var counts: [String: Int] = [:]
  private var box: GeoBox?
  private var done = 0

  init(_ request: NASRRequest, _ scratch: URL, _ progress: any ProgressReporter, _ step: String) throws {
    self.request = request
    self.scratch = scratch
    var archive = try SubscriptionArchive(request.source, cycle: request.cycle)
    let corrections = try request.definition.corrections.map {
      try Corrections($0, for: request.cycle, of: &archive)
    }
    self.corrections = corrections
    problems = ProblemLog { corrections?.record($0) }
    reader = TableReader(archive: archive, cycle: request.cycle, problems: problems)
    gates = try Gates(request.definition.gates, archive.origin, of: DatabaseSchema.form, problems)
    selection = try TableSelection(request.definition.tables)
    writer = try DatabaseWriter(scratch)
    // The airspace, the airports, each of the other tables, what links them, and the indexes.
    let steps = DatabaseSchema.sourceTables.count + 4
    announce = { progress.report(.advanced(step: step, done: $0, total: steps, unit: "tables")) }
  }

  /// Throws one error that lists all problems of the sources that can be found without reading them.
  func preflight() throws {
    let airspace = try AirspaceLoader(request, reader.archive, writer, problems).missingFiles()
    let errors = SourcePreflight(reader, gates, selection).errors() + airspace
    if let error = UserError.joining(errors) { throw error }
  }

  /// Fills all tables but those of the airspace. What the loader holds in memory is freed at the end.
  mutating func tables() throws {
    let (loader, stationFrequencies) = try airports()
    FreedMemory.giveBack()
    for table in DatabaseSchema.sourceTables { try load(table, with: loader) }
    try link(stationFrequencies, with: loader)
  }

  /// Fills the airports and what belongs to them. Returns the loader of the other tables, and the frequencies of stations that are not
  /// airports.
  private mutating func airports() throws -> (TableLoader, [Frequency]) {
    let directory = try TableLoader.readAirports(reader, writer)
    corrections?.record(directory.entries.map(\.airport))
    try gates.checkDropped(Airport.file)
    try gates.checkAirports(directory.entries.count)
    try count("airports", directory.entries.count)
    let loader = TableLoader(reader: reader, writer: writer, directory: directory)
    try runways(loader)
    let frequencies: [Frequency] = wants("frequencies", from: Frequency.table) ? try reader.records() : []
    let stations = try weatherStations(loader)
    let airportFrequencies = try loader.stageFrequencies(
      frequencies,
      stations: stations == nil
        ? StationDirectory()
        : StationDirectory(
          writer, SourceTable.weatherStations.schema.stagingName, name: "NULL", airport: "airport"))
    try gates.checkDropped(Frequency.file)
    try count("frequencies", airportFrequencies)
    try count("weatherStations", stations ?? 0)
    try loader.finishAirports()
    try writer.copyStaged(LinkedFrequency.airports.schema)
    if stations != nil { try writer.finish(.weatherStations) }
    box = GeoBox(
      around: directory.entries.map {
        GeoPoint(longitude: $0.airport.longitude, latitude: $0.airport.latitude)
      })
    for table in DatabaseSchema.detailTables.map(\.schema.name) {
      counts[table] = try writer.rows("SELECT count(*) FROM \(table)") { $0.int(0) }.first
    }
    try advance()
    return (loader, frequencies.filter { $0.service != .airport })
  }

  private mutating func runways(_ loader: TableLoader) throws {
    guard wants("runways", from: SourceTable.runways.source) else {
      counts["runways"] = 0
      return
    }
    let rows = try loader.loadRunways(hasEnds: wants("runways", from: SourceTable.runwayEnds.source))
    for table in [SourceTable.runways, .runwayEnds] { try gates.checkDropped(table.file) }
    try count("runways", rows)
  }

  /// Reads the weather stations. Returns how many there are; nil if the database or the cycle is without them.
  private func weatherStations(_ loader: TableLoader) throws -> Int? {
    let table = SourceTable.weatherStations
    guard selection.includes(table.schema.name) else { return nil }
    guard reader.archive.has(table.source) else {
      problems.miss(table.file)
      return nil
    }
    return try loader.read(table)
  }

  /// Whether a table is filled. The whole database needs its source; in a partial database a table without a source stays empty.
  private func wants(_ table: String, from source: String) -> Bool {
    guard selection.includes(table) else { return false }
    if selection.isWhole || reader.archive.has(source) { return true }
    problems.miss(source + ".csv")
    return false
  }

  private mutating func load(_ table: SourceTable, with loader: TableLoader) throws {
    guard table.mayLack ? selection.includes(table.schema.name) : wants(table.schema.name, from: table.source)
    else {
      counts[table.schema.name] = 0
      return try advance()
    }
    let rows = try loader.load(table)
    for source in [table.source] + table.gatherings.map(\.source) {
      try gates.checkDropped(source + ".csv", sparing: table.mayLack ? Gates.spared : 0)
    }
    try count(table.schema.name, rows)
    try advance()
  }

  /// Fills the tables that are made of rows of several tables.
  private mutating func link(_ frequencies: [Frequency], with loader: TableLoader) throws {
    for stations in StationFrequencies.all {
      let table = stations.frequencies.schema.name
      guard selection.includes(stations.stations.name) else {
        counts[table] = 0
        continue
      }
      try count(table, try loader.load(stations, frequencies))
    }
    for links in DatabaseSchema.sourceTables.compactMap(\.links) { try writer.execute(links) }
    let boundaries = Boundary.table.schema.name
    if selection.includes(boundaries) {
      try count(boundaries, try Boundary.load(loader))
      try gates.checkDropped(BoundaryPoint.file, sparing: Gates.spared)
    } else {
      counts[boundaries] = 0
    }
    try advance()
  }

  func carryRawTables() throws { try RawTables(reader: reader, writer: writer).fill() }

  /// Fills the airspace by class and for special use.
  mutating func airspace() throws {
    let loader = try AirspaceLoader(request, reader.archive, writer, problems, corrections)
    for (table, rows) in try loader.load() { try count(table, rows) }
    for (file, source) in loader.files { try gates.checkDropped(file, of: source.origin) }
    try advance()
  }

  /// Indexes, closes and describes the database.
  mutating func finish() throws -> DatabaseOutcome {
    var warnings: [String] = []
    try errors.collect {
      warnings = try ColumnGate(gates: gates, total: reader.values(of:in:enough:)).check()
    }
    if let error = UserError.joining(errors) { throw error }
    warnings +=
      try request.definition.known?.content.differences(in: writer, of: request.cycle, problems) ?? []
    let corrections = self.corrections?.outcomes ?? []
    var report = problems.report
    report.corrections = corrections
    counts.merge(corrections.counts) { $1 }
    try writer.write(StoredQuery.all)
    try writer.write(
      metadata: Metadata.pairs(request, counts: counts, corrections: corrections, warnings: warnings))
    try writer.finish()
    counts.merge(report.totals) { $1 }
    var sources = request.sources.map(\.record)
    let dates = try reader.statedDates()
    if !dates.isEmpty { sources[0].dates = dates }
    let product = try Metadata.product(
      request.definition, of: request.cycle, box: box, file: scratch, sources: sources,
      request.definitionSha256, counts)
    try advance()
    return DatabaseOutcome(product: product, problems: report, warnings: warnings)
  }

  private mutating func count(_ table: String, _ rows: Int) throws {
    counts[table] = rows
    if isExpected(table) { try errors.collect { try gates.checkCount(rows, of: table) } }
  }

  /// Whether the gates apply to a table. In a partial database they skip tables that are left out or that the source lacks.
  private func isExpected(_ table: String) -> Bool {
    guard !selection.isWhole else { return true }
    let origin = DatabaseSchema.tables.first { $0.name == table }?.source
    return selection.includes(table) && (origin.map(reader.archive.has) ?? true)
  }

  private mutating func advance() throws {
    done += 1
    announce(done)
    try CancellationToken.current.check()
  }
}

/// The inputs of a database.
public struct NASRRequest: Sendable {
  public var definition: NASRDefinition
  public var definitionSha256: SHA256Hex
  /// The subscription zip, or the CSV zip inside it.
  public var source: SourceFile
  public var cycle: AiracCycle
  /// The shapefile of class airspace in a separate zip; nil if it is inside the subscription or not needed.
  public var classAirspace: SourceFile?
  /// The AIXM of special-use airspace in a separate zip; nil as above.
  public var specialUse: SourceFile?

  /// All source files.
  public var sources: [SourceFile] { [source] + [classAirspace, specialUse].compactMap(\.self) }
}

/// A built database and the problems of its source.
public struct DatabaseOutcome: Sendable {
  public var product: Product
  public var problems: ProblemReport
  /// Columns with too many unusable values, although the build did not fail.
  public var warnings: [String] = []
}
