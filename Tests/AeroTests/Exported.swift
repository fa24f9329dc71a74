import CryptoIO
import Fetch
import Foundation
import Pipeline
import SQLiteIO
import TestSupport
import Testing

@testable import Aero

let fixtureFolder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

/// Exports made of a built database, with the small world of the fixtures or without.
struct Exported {
  let outcome: ExportOutcome

  init(
    _ format: ExportDefinition.Format, of built: Built, in folder: TemporaryFolder, world: Bool = false,
    worldIn file: URL? = nil, name: String = "export", continents: [String]? = nil, airports: [String]? = nil
  ) throws {
    let export = ExportDefinition(
      id: name, format: format, title: "Test", world: world ? ["world"] : nil, continents: continents,
      airports: airports)
    let source = world ? try SourceFolder.file(file ?? fixtureFolder.appending(path: "world")) : nil
    let cycle = try Subscription("2304").cycle
    let request = ExportRequest(
      export: export, definitionSha256: try SHA256Hex(of: []), product: "nasr/\(name)", database: built.file,
      of: built.outcome.product, world: source, cycle: cycle)
    outcome = try ExportBuilder.build(request) { folder.file("\(name)-\($0)") }
  }

  func file(_ role: String) throws -> URL {
    let index = try #require(outcome.product.files.firstIndex { $0.role == role })
    return outcome.files[index]
  }

  func rows(_ sql: String, _ values: [SQLiteValue] = []) throws -> [[String]] {
    let connection = try SQLiteConnection(try file("database").path, mode: .readOnly)
    return try connection.prepare(sql).map(values) { row in
      (0..<row.columnCount).map { row.text($0) ?? "NULL" }
    }
  }

  /// A JSON document of the export, parsed.
  func json(_ role: String) throws -> [String: Any] {
    let data = try Data(contentsOf: try file(role))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }
}
