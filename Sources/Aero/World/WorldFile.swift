internal import Core
internal import Fetch
internal import Foundation
internal import Pipeline

/// OurAirports' tables, in a zip or a folder: `airports.csv`, and for RZFlight also `runways.csv`, `airport-frequencies.csv` and
/// `navaids.csv`.
struct WorldFile: TableSource {
  private let source: SourceFile
  private let container: SourceContainer
  private let problems: ProblemLog

  /// - Parameter problems: where rows and fields that cannot be used are recorded.
  init(_ source: SourceFile, _ problems: ProblemLog) throws {
    self.source = source
    self.problems = problems
    do {
      container = try SourceContainer(source)
    } catch {
      throw WorldFile.fault(source, "it is no zip archive that can be read: \(error)", [error])
    }
  }

  /// Those that are in use, in the order of their identifiers. OurAirports has doubles and inventions among its closed ones,
  /// since it never removes a row.
  func airports() throws -> [WorldAirport] {
    var airports: [WorldAirport] = []
    try scan("airports.csv", WorldAirport.columns) { row in
      let airport = try WorldAirport(row)
      if airport.type != "closed" { airports.append(airport) }
    }
    return airports.sorted { $0.ident < $1.ident }
  }

  func forEachRunway(_ each: (WorldRunway) throws -> Void) throws {
    try scan("runways.csv", WorldRunway.columns) { try each(try WorldRunway($0)) }
  }

  func forEachFrequency(_ each: (WorldFrequency) throws -> Void) throws {
    try scan("airport-frequencies.csv", WorldFrequency.columns) { try each(try WorldFrequency($0)) }
  }

  func navaids() throws -> [WorldNavaid] {
    var navaids: [WorldNavaid] = []
    try scan("navaids.csv", WorldNavaid.columns) { navaids.append(try WorldNavaid($0)) }
    return navaids
  }

  private func scan(_ name: String, _ columns: [String], _ each: (SourceRow) throws -> Void) throws {
    guard let member = container.members.first(where: { $0.fileName.lowercased() == name }) else {
      throw WorldFile.fault(source, "there is no \(name) in it")
    }
    let bytes: [UInt8]
    do {
      bytes = try container.read(member)
    } catch {
      throw WorldFile.fault(source, "\(name) cannot be read: \(error)", [error])
    }
    var scan = BlockScan(name, of: self, columns.map { WantedColumn(name: $0, mayLack: false) }, problems)
    try bytes.withUnsafeBufferPointer { try scan.read($0, each) }
    try scan.finish()
  }

  func fault(_ problem: String, remedy: String, causes: [any Error]) -> UserError {
    UserError(
      .badInput, operation: "reading OurAirports' data", path: source.url.path, reason: problem,
      suggestion: remedy, causes: causes)
  }

  private static func fault(_ source: SourceFile, _ problem: String, _ causes: [any Error] = []) -> UserError
  {
    UserError(
      .badInput, operation: "reading OurAirports' data", path: source.url.path, reason: problem,
      suggestion:
        "Put airports.csv, runways.csv, airport-frequencies.csv and navaids.csv of OurAirports into one zip.",
      causes: causes)
  }
}
