internal import Airac
internal import CryptoIO
internal import Fetch
public import Foundation
internal import Geo
public import Pipeline
internal import SQLiteIO
internal import ZipIO

/// Builds `aviation.sqlite` of one NASR cycle.
public enum DatabaseBuilder {
  /// The versions that can change a byte of the database.
  public static var libraries: [String: String] {
    ["sqlite": SQLiteConnection.libraryVersion, "libzip": ZipArchive.libraryVersion]
  }

  /// Writes the database to `scratch`, which the caller then puts in its place.
  ///
  /// Everything of the source that could not be used is in the outcome's problems; when it is too much, nothing is
  /// built.
  public static func build(
    _ request: NASRRequest, to scratch: URL, progress: any ProgressReporter, step: String
  ) throws -> DatabaseOutcome {
    do {
      var build = try Build(request, scratch, progress, step)
      try build.airports()
      for table in DatabaseSchema.sourceTables { try build.load(table) }
      try build.obstacles()
      return try build.finish()
    } catch {
      // Half a database is of no use to anybody.
      try? FileManager.default.removeItem(at: scratch)
      throw fault(error, scratch)
    }
  }

  private static func fault(_ error: any Error, _ file: URL) -> any Error {
    guard let error = error as? SQLiteError else { return error }
    return Fault(
      .failed, doing: "writing the database", subject: file.path,
      problem: error.isFull ? "the disk is full" : error.message,
      remedy: error.isFull ? "Free some space, or give another folder with --work." : nil, causes: [error])
  }
}

/// One build under way.
private struct Build {
  private let request: NASRRequest
  private let scratch: URL
  private let reader: TableReader
  private let gates: Gates
  private let writer: DatabaseWriter
  private let problems = ProblemLog()
  private let announce: (Int) -> Void
  private var counts: [String: Int] = [:]
  private var box: GeoBox?
  private var loader: SourceTableLoader?
  private var done = 0

  init(_ request: NASRRequest, _ scratch: URL, _ progress: any ProgressReporter, _ step: String) throws {
    self.request = request
    self.scratch = scratch
    let archive = try SubscriptionArchive(request.source, cycle: request.cycle)
    reader = TableReader(archive: archive, cycle: request.cycle, problems: problems)
    gates = try Gates(request.definition.gates, archive, problems)
    writer = try DatabaseWriter(scratch)
    // The airports, each of the other tables, the obstacles where they are wanted, and the indexes.
    let steps = DatabaseSchema.sourceTables.count + (request.obstacles == nil ? 2 : 3)
    announce = { progress.report(.advanced(step: step, done: $0, total: steps, unit: "tables")) }
  }

  /// Airports, and what belongs to them.
  mutating func airports() throws {
    let directory = AirportDirectory(try reader.records(of: Airport.self), problems: problems)
    let runways = RunwayLinks.link(
      try reader.records(), try reader.records(), to: directory, problems: problems)
    let frequencies = FrequencyLinks.link(try reader.records(), to: directory, problems: problems)
    for file in [Airport.file, Runway.file, RunwayEnd.file, Frequency.file] { try gates.checkDropped(file) }
    try count("airports", directory.entries.count)
    try count("runways", runways.count)
    try count("frequencies", frequencies.count)
    let lengths = runways.compactMap { linked in linked.runway.length.map { (linked.airport, $0) } }
    try writer.write(
      directory, longest: Dictionary(lengths, uniquingKeysWith: max),
      ctaf: FrequencyLinks.common(.ctaf, in: frequencies),
      unicom: FrequencyLinks.common(.unicom, in: frequencies),
      day: request.cycle.effectiveDay)
    try writer.write(runways, directory)
    try writer.write(frequencies, directory)
    box = GeoBox(
      around: directory.entries.map {
        GeoPoint(longitude: $0.airport.longitude, latitude: $0.airport.latitude)
      })
    loader = SourceTableLoader(reader: reader, writer: writer, directory: directory)
    try advance()
  }

  /// A table that is read row by row.
  mutating func load(_ table: SourceTable) throws {
    guard let loader else { return }
    let rows = try loader.load(table)
    try gates.checkDropped(table.source + ".csv")
    try count(table.schema.name, rows)
    try advance()
  }

  /// The obstacles, which come in a file of their own.
  mutating func obstacles() throws {
    guard let source = request.obstacles, let loader else { return }
    let file = try ObstacleFile(source)
    let (rows, dismantled) = try loader.load(file)
    try gates.checkDropped(file.name, of: file)
    try count(SourceTable.obstacles.schema.name, rows)
    counts["droppedAsDismantled"] = dismantled
    try advance()
  }

  /// Indexes, closes and describes the database.
  mutating func finish() throws -> DatabaseOutcome {
    loader = nil  // the indexes need the memory that the airports take
    let report = problems.report
    try writer.write(metadata: Metadata.pairs(request, counts: counts))
    try writer.finish()
    counts["droppedRows"] = report.droppedRows
    counts["droppedFields"] = report.droppedFields
    let product = try Metadata.product(request, counts: counts, box: box, file: scratch)
    try advance()
    return DatabaseOutcome(product: product, problems: report)
  }

  private mutating func count(_ table: String, _ rows: Int) throws {
    try gates.checkCount(rows, of: table)
    counts[table] = rows
  }

  private mutating func advance() throws {
    done += 1
    announce(done)
    try Task.checkCancellation()
  }
}
