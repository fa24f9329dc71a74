internal import ArchiveIO
internal import CMemory
public import Core
public import CryptoIO
public import Fetch
public import Foundation
public import Pipeline
internal import RasterIO
internal import SQLiteIO

/// Builds `aviation.sqlite` of one NASR cycle.
public enum DatabaseBuilder {
  /// The versions that can change a byte of the database.
  public static var libraries: [String: String] {
    let own = [
      "sqlite": SQLiteConnection.libraryVersion, "libzip": ZipArchive.libraryVersion, "gdal": gdalVersion(),
      "geos": geosVersion(),
    ]
    return own.merging(SystemLibraries.versions) { own, _ in own }
  }

  /// Writes the database to `scratch`, which the caller then puts in its place.
  ///
  /// Everything of the source that could not be used is in the outcome's problems; when it is too much, nothing is
  /// built.
  public static func build(
    _ request: NASRRequest, to scratch: URL, progress: any ProgressReporter, step: String
  ) throws -> DatabaseOutcome {
    try writing(to: scratch) {
      var build = try Build(request, scratch, progress, step)
      try build.preflight()
      // First, while nothing else is in memory: a coast may have more corners than there are airports.
      try build.airspace()
      FreedMemory.giveBack()
      try build.airports()
      FreedMemory.giveBack()
      for table in DatabaseSchema.sourceTables { try build.load(table) }
      try build.link()
      if request.definition.rawTables == true { try build.carryRawTables() }
      return try build.finish()
    }
  }

  /// Runs a build that writes to `scratch`, and removes the unfinished file when it throws.
  static func writing<Value>(to scratch: URL, _ build: () throws -> Value) throws -> Value {
    do {
      return try build()
    } catch {
      try? FileManager.default.removeItem(at: scratch)
      throw fault(error, scratch)
    }
  }

  private static func fault(_ error: any Error, _ file: URL) -> any Error {
    guard let error = error as? SQLiteError else { return error }
    return UserError(
      .failed, operation: "writing the database", path: file.path,
      reason: error.isFull ? "the disk is full" : error.message,
      suggestion: error.isFull ? "Free some space, or give another folder with --work." : nil, causes: [error]
    )
  }
}

/// One build under way.
private struct Build {
  private let request: NASRRequest
  private let scratch: URL
  private let reader: TableReader
  private let gates: Gates
  private let selection: TableSelection
  /// Tables that came out too short, which are reported together at the end.
  private var faults: [UserError] = []
  private var writer: DatabaseWriter
  private let problems = ProblemLog()
  private let announce: (Int) -> Void
  private var counts: [String: Int] = [:]
  private var box: GeoBox?
  private var loader: SourceTableLoader?
  /// Of stations that are no airports: until these are there.
  private var stationFrequencies: [Frequency] = []
  private var done = 0

  init(_ request: NASRRequest, _ scratch: URL, _ progress: any ProgressReporter, _ step: String) throws {
    self.request = request
    self.scratch = scratch
    let archive = try SubscriptionArchive(
      request.source, cycle: request.cycle, corrections: request.definition.corrections)
    reader = TableReader(archive: archive, cycle: request.cycle, problems: problems)
    gates = try Gates(request.definition.gates, archive, of: DatabaseSchema.form, problems)
    selection = try TableSelection(request.definition.tables)
    writer = try DatabaseWriter(scratch)
    // The airspace, the airports, each of the other tables, what links them, and the indexes.
    let steps = DatabaseSchema.sourceTables.count + 4
    announce = { progress.report(.advanced(step: step, done: $0, total: steps, unit: "tables")) }
  }

  /// Throws one fault that lists everything that is wrong with the sources and can be seen before they are read.
  func preflight() throws {
    let airspace = try AirspaceLoader(request, reader.archive, writer, problems).missingFiles()
    let faults = SourcePreflight(reader, gates, selection).faults() + airspace
    if let fault = UserError.joining(faults) { throw fault }
  }

  /// Airports, and what belongs to them.
  mutating func airports() throws {
    let airports = try reader.load(Airport.table)
    let directory = AirportDirectory(try airports.records(), problems: problems)
    try gates.checkDropped(Airport.file)
    try gates.checkAirports(directory.entries.count)
    try count("airports", directory.entries.count)
    let rows = AirportRows(directory: directory, writer: writer)
    let longest = try runways(rows)
    let radios: [Frequency] = wants("frequencies", from: Frequency.table) ? try reader.records() : []
    stationFrequencies = radios.filter { $0.service != .airport }
    let weather = WeatherLinks(try stations(), stationFrequencies, directory)
    let frequencies = FrequencyLinks.link(radios, of: weather, to: directory, problems: problems)
    try gates.checkDropped(Frequency.file)
    try count("frequencies", frequencies.count)
    try count("weatherStations", weather.stations.count)
    try rows.write(
      airports, longest: longest, ctaf: FrequencyLinks.common(.ctaf, in: frequencies),
      unicom: FrequencyLinks.common(.unicom, in: frequencies))
    try writer.write(frequencies, directory)
    try writer.write(weather, directory)
    box = GeoBox(
      around: directory.entries.map {
        GeoPoint(longitude: $0.airport.longitude, latitude: $0.airport.latitude)
      })
    for table in DatabaseSchema.detailTables.map(\.schema.name) {
      counts[table] = try writer.rows("SELECT count(*) FROM \(table)") { $0.int(0) }.first
    }
    loader = SourceTableLoader(reader: reader, writer: writer, directory: directory)
    try advance()
  }

  /// The runways, which are written before their airports so that their files can go from memory; the longest of each
  /// airport.
  private mutating func runways(_ rows: AirportRows) throws -> [Int: Int] {
    guard wants("runways", from: Runway.table) else {
      counts["runways"] = 0
      return [:]
    }
    let runways = try reader.load(Runway.table)
    let ends =
      wants("runways", from: RunwayEnd.table) ? try reader.load(RunwayEnd.table) : reader.noRunwayEnds
    let linked = RunwayLinks.link(
      try runways.records(), try ends.records(), to: rows.directory, problems: problems)
    for file in [Runway.file, RunwayEnd.file] { try gates.checkDropped(file) }
    try count("runways", linked.count)
    try rows.write(linked, runways, ends)
    return Dictionary(
      linked.compactMap { runway in runway.length.map { (runway.airport, $0) } }, uniquingKeysWith: max)
  }

  /// Whether a table is filled from one of the source. The whole database needs it; of a part, what the source lacks stays empty.
  private func wants(_ table: String, from source: String) -> Bool {
    guard selection.includes(table) else { return false }
    if selection.isWhole || reader.archive.has(source) { return true }
    problems.miss(source + ".csv")
    return false
  }

  private func stations() throws -> [WeatherStation] {
    guard selection.includes("weatherStations") else { return [] }
    if reader.archive.has(WeatherStation.table) { return try reader.records() }
    problems.miss(WeatherStation.file)
    return []
  }

  /// A table that is read row by row.
  mutating func load(_ table: SourceTable) throws {
    guard let loader else { return }
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

  /// What is made of rows of several tables.
  mutating func link() throws {
    guard let loader else { return }
    for stations in StationFrequencies.all {
      guard selection.includes(stations.stations.name) else {
        counts[stations.schema.name] = 0
        continue
      }
      try count(stations.schema.name, try stations.fill(stationFrequencies, loader))
    }
    stationFrequencies = []
    try PlacedTables.fill(writer)
    if selection.includes(BoundaryTable.schema.name) {
      try count(BoundaryTable.schema.name, try BoundaryTable.fill(loader))
      try gates.checkDropped(BoundaryPoint.file, sparing: Gates.spared)
    } else {
      counts[BoundaryTable.schema.name] = 0
    }
    try advance()
  }

  func carryRawTables() throws { try RawTables(reader: reader, writer: writer).fill() }

  /// Airspace by class and for special use.
  mutating func airspace() throws {
    let loader = try AirspaceLoader(request, reader.archive, writer, problems)
    for (table, rows) in try loader.load() { try count(table, rows) }
    for (file, source) in loader.files { try gates.checkDropped(file, of: source) }
    try advance()
  }

  /// Indexes, closes and describes the database.
  mutating func finish() throws -> DatabaseOutcome {
    loader = nil  // the indexes need the memory that the airports take
    do {
      try ColumnGate(gates: gates, total: reader.values(of:in:enough:)).check()
    } catch let fault as UserError {
      faults.append(fault)
    }
    if let fault = UserError.joining(faults) { throw fault }
    let corrections = reader.archive.corrections?.outcomes ?? []
    let report = ProblemReport(problems.report, corrections: corrections)
    counts.merge(corrections.counts) { $1 }
    try writer.write(StoredQuery.all)
    try writer.write(metadata: Metadata.pairs(request, counts: counts, corrections: corrections))
    try writer.finish()
    counts["droppedRows"] = report.droppedRows
    counts["droppedFields"] = report.droppedFields
    counts["unknownCodes"] = report.unknownCodes
    let product = try Metadata.product(
      request, counts: counts, box: box, dates: reader.statedDates(), file: scratch)
    try advance()
    return DatabaseOutcome(product: product, problems: report)
  }

  private mutating func count(_ table: String, _ rows: Int) throws {
    counts[table] = rows
    guard isExpected(table) else { return }
    do {
      try gates.checkCount(rows, of: table)
    } catch let fault as UserError {
      faults.append(fault)
    }
  }

  /// Whether the gates ask for the rows of a table: of a part of the database, not for those that it leaves out or the source lacks.
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

/// What to build a database of.
public struct NASRRequest: Sendable {
  public var definition: NASRDefinition
  public var definitionSha256: SHA256Hex
  /// The subscription zip, or the CSV zip inside it.
  public var source: SourceFile
  /// The shapefile of class airspace in a zip of its own; nil when it is inside the subscription, or not wanted.
  public var classAirspace: SourceFile?
  /// The AIXM of special-use airspace, in the same way.
  public var specialUse: SourceFile?
  public var cycle: AiracCycle

  public init(
    definition: NASRDefinition, definitionSha256: SHA256Hex, source: SourceFile, cycle: AiracCycle,
    classAirspace: SourceFile? = nil, specialUse: SourceFile? = nil
  ) {
    self.definition = definition
    self.definitionSha256 = definitionSha256
    self.source = source
    self.cycle = cycle
    self.classAirspace = classAirspace
    self.specialUse = specialUse
  }

  /// All files that it is made of.
  public var sources: [SourceFile] { [source] + [classAirspace, specialUse].compactMap(\.self) }
}

/// A built database, and all that was wrong with its source.
public struct DatabaseOutcome: Sendable {
  public var product: Product
  public var problems: ProblemReport
}

/// What was freed and is still kept from the system.
enum FreedMemory {
  /// Gives it back. Once a large array was freed, glibc makes those that follow of memory that it keeps, in which the small things
  /// of one stage leave no room for the large ones of the next; so this is called between stages that differ in what they hold.
  static func giveBack() { chartpipe_give_back_memory() }
}
