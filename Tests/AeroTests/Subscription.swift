import Core
import CryptoIO
import Foundation
import SQLiteIO
import Synchronization
import TestSupport
import Testing
import ZipWriting

@testable import ChartpipeKit

/// The tables of a small real cycle, to be spoilt and zipped by a test.
final class Subscription {
  /// Without these there is no database.
  static let neededTables = ["APT_BASE", "APT_RWY", "APT_RWY_END", "APT_RMK", "FRQ", "NAV_BASE", "FIX_BASE"]

  var tables: [String: [UInt8]] = [:]
  let cycle: AiracCycle
  var definition: NASRDefinition

  /// - Parameter name: the folder of the fixtures, which begins with the cycle.
  init(_ name: String) throws {
    let identifier = String(name.prefix(4))
    cycle = try #require(AiracCycle(identifier: identifier))
    let json = """
      {"name": "nasr", "title": "Test", "cadence": "28-day", "id": "aviation", "sources": [],
       "gates": {"droppedRowShare": 0.5, "minimumRows": {}}}
      """
    definition = try Data(json.utf8).decoded(NASRDefinition.self)
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name)")
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      tables[String(file.dropLast(4))] = [UInt8](try folder.appending(path: file).data)
    }
  }

  func text(_ table: String) -> String { String(decoding: tables[table] ?? [], as: UTF8.self) }

  /// Rewrites a table as text.
  func edit(_ table: String, _ change: (String) -> String) { tables[table] = Array(change(text(table)).utf8) }

  /// Rewrites the lines of a table, of which the first is the header.
  func editLines(_ table: String, _ change: ([String]) -> [String]) {
    edit(table) { text in
      change(text.split(whereSeparator: \.isNewline).map(String.init)).joined(separator: "\r\n") + "\r\n"
    }
  }

  /// Replaces what must be there.
  func replace(_ old: String, with new: String, in table: String) throws {
    try #require(text(table).contains(old))
    edit(table) { $0.replacing(old, with: new) }
  }

  var members: [(name: String, bytes: [UInt8])] {
    tables.sorted { $0.key < $1.key }.map { ("\($0.key).csv", $0.value) }
  }

  /// The CSV zip alone.
  func bare(in folder: TemporaryFolder, name: String = "tables.zip") throws -> SourceFile {
    try zip(members, in: folder, name: name)
  }

  /// The subscription zip around it.
  func whole(
    in folder: TemporaryFolder, readme: String? = nil, inner: String? = nil,
    beside: [(name: String, bytes: [UInt8])] = []
  ) throws -> SourceFile {
    let tables = [UInt8](try bare(in: folder).url.data)
    let name = inner ?? "\(cycle.effectiveDay.dayNameYear)_CSV.zip"
    var members = beside + [("CSV_Data/\(name)", tables)]
    if let readme { members.append(("README.txt", Array(readme.utf8))) }
    return try zip(members, in: folder, name: "28DaySubscription_Effective_\(cycle.effectiveDay).zip")
  }

  func build(_ source: SourceFile, in folder: TemporaryFolder, name: String = "out.sqlite") throws -> Built {
    let file = folder.file(name)
    let outcome = try DatabaseBuilder.build(
      try request(source), to: file, progress: SilentProgress(), step: "nasr")
    return Built(outcome: outcome, file: file)
  }

  func request(_ source: SourceFile) throws -> NASRRequest {
    NASRRequest(definition: definition, definitionSha256: try SHA256Hex(of: []), source: source, cycle: cycle)
  }

  /// Builds the database of the CSV zip. A folder that has files of another build already needs another name.
  func build(in folder: TemporaryFolder, as name: String? = nil) throws -> Built {
    try build(bare(in: folder, name: "\(name ?? "tables").zip"), in: folder, name: "\(name ?? "out").sqlite")
  }

  /// A copy of the database of an unchanged cycle, which is built once for all tests.
  static func built(_ name: String, in folder: TemporaryFolder) throws -> Built {
    let built = try (name == "2304" ? airports : tables).get()
    let file = folder.file("out.sqlite")
    try FileManager.default.copyItem(at: built.file, to: file)
    return Built(outcome: built.outcome, file: file)
  }

  private static let airports = Result { try Subscription("2304").kept() }
  private static let tables = Result { try Subscription("2602-tables").kept() }

  private func kept() throws -> Built {
    let folder = TemporaryFolder()
    var built = try build(in: folder)
    built.folder = folder
    return built
  }

  /// The fault that building ends with.
  func fault(_ source: SourceFile? = nil, in folder: TemporaryFolder) throws -> UserError {
    let source = try source ?? bare(in: folder)
    return try #require(throws: UserError.self) { try build(source, in: folder) }
  }
}

/// Runs a script of an independent implementation, which must succeed. Returns what it printed.
@discardableResult
func runPython(_ python: URL?, _ script: String, _ arguments: [String]) throws -> Data {
  let process = Process()
  let output = Pipe()
  let python = try #require(python)
  process.executableURL = python
  process.arguments =
    [URL(filePath: #filePath).deletingLastPathComponent().appending(path: script).path] + arguments
  process.standardOutput = output
  process.standardError = output
  try process.run()
  let printed = output.fileHandleForReading.readDataToEndOfFile()
  process.waitForExit()
  try #require(process.terminationStatus == 0, "\(String(decoding: printed, as: UTF8.self))")
  return printed
}

func zip(
  _ members: [(name: String, bytes: [UInt8])], in folder: TemporaryFolder, name: String
) throws -> SourceFile {
  var writer = ZipWriter()
  writer.members = members
  let file = folder.file(name)
  try writer.write(to: file.path)
  return try SourceFolder.file(file)
}

/// A database of a test, opened read-only as the apps do.
protocol Queryable {
  var database: URL { get throws }
}

extension Queryable {
  /// All rows of a query, as text, with `NULL` for null.
  func rows(_ sql: String, _ values: [SQLiteValue] = []) throws -> [[String]] {
    let connection = try SQLiteConnection(try database.path, mode: .readOnly)
    return try connection.prepare(sql).map(values) { row in
      (0..<row.columnCount).map { row.text($0) ?? "NULL" }
    }
  }

  /// The first column of each row.
  func column(_ sql: String, _ values: [SQLiteValue] = []) throws -> [String] {
    try rows(sql, values).compactMap(\.first)
  }

  /// Expects these rows of a query.
  func expect(
    _ sql: String, _ values: [SQLiteValue] = [], gives expected: [[String]],
    at place: SourceLocation = #_sourceLocation
  ) throws { #expect(try rows(sql, values) == expected, sourceLocation: place) }

  /// Expects these values in the first column of a query.
  func expect(
    _ sql: String, _ values: [SQLiteValue] = [], gives expected: [String],
    at place: SourceLocation = #_sourceLocation
  ) throws { #expect(try column(sql, values) == expected, sourceLocation: place) }
}

/// A built database.
struct Built: Queryable {
  let outcome: DatabaseOutcome
  let file: URL
  /// The folder of the file, kept while the file is in use.
  var folder: TemporaryFolder?
  var database: URL { file }

  func problems(_ kind: RecordProblem.Kind, of file: String) -> [RecordProblem] {
    outcome.problems.examples.filter { $0.kind == kind && $0.file == file }
  }

  /// The product as rules see it.
  var underTest: ProductUnderTest {
    get throws {
      var product = outcome.product
      product.files[0].path = file.lastPathComponent
      return ProductUnderTest(product, in: file.deletingLastPathComponent(), place: product.id)
    }
  }

  /// Changes the database.
  func execute(_ sql: String) throws {
    let connection = try SQLiteConnection(file.path, mode: .create)
    try connection.execute(sql)
    try connection.close()
  }
}

extension ProblemReport {
  func tally(_ file: String) -> Table? { tables.first { $0.file == file } }
}

/// Collects the reported progress.
final class ProgressLog: ProgressReporter {
  private let kept = Mutex<[ProgressEvent]>([])

  var events: [ProgressEvent] { kept.withLock { $0 } }

  func report(_ event: ProgressEvent) { kept.withLock { $0.append(event) } }
}
