import Core
import CryptoIO
import Foundation
import Pipeline
import RasterIO
import TestSupport

@testable import Aero
@testable import Fetch

/// The FAA's data, but for the charts.
enum SourceEntries {
  /// Special-use airspace, as far as the shapes that come of it.
  static func aixm(_ bytes: [UInt8]) throws {
    let directory = SpecialUseDirectory([try SpecialUseReader.read(bytes, name: "fuzz.xml")])
    let problems = ProblemLog()
    let composer = SpecialUseComposer(directory: directory, problems: problems)
    let maker = ShapeMaker(toleranceInMetres: 10)
    for entry in directory.entries {
      _ = entry.file.usage.map { ($0.text, $0.sheets) }
      _ = entry.file.channels(of: entry.area)
      guard let composition = try? composer.compose(entry.area, of: entry.file) else { continue }
      for stratum in composition.strata {
        _ = stratum.band.text
        guard let polygons = try? ShapeMaker.settled(stratum.area) else { continue }
        _ = try? maker.shape(of: polygons)
      }
    }
  }

  private struct Nowhere: TableSource {
    func fault(_ problem: String, remedy: String, causes: [any Error]) -> UserError {
      UserError(.badInput, operation: "reading", path: "the fuzzer's table", reason: problem)
    }
  }

  /// Rows, and every way of reading a field.
  static func csv(_ bytes: [UInt8]) throws {
    let columns = SourceTable.obstacles.fields.wanted.map { WantedColumn(name: $0.name, mayLack: true) }
    var scan = BlockScan("fuzz.csv", of: Nowhere(), columns, ProblemLog())
    try bytes.withUnsafeBufferPointer { bytes in
      try scan.read(bytes) { row in
        for index in columns.indices { try read(row, index) }
      }
    }
    try scan.finish()
  }

  private static func read(_ row: SourceRow, _ index: Int) throws {
    _ = (row.text(index), row.flag(index), row.date(index))
    _ = (row.number(index, in: -1e6...1e6), row.whole(index, in: -1000...1000))
    _ = (row.variation(index, 0), row.word(index, ObstacleCodes.lights))
    _ = (try? ObstacleCodes.date(row, index), try? ObstacleCodes.horizontal(row, index))
    _ = (try? row.required(index), try? row.requiredNumber(index, in: 0...1))
  }

  /// A whole subscription in one text, each table after a line with its name, as far as the finished database.
  static func nasr(_ bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    for part in String(decoding: bytes, as: UTF8.self).split(separator: "==> ").prefix(100) {
      guard let end = part.firstIndex(of: "\n"), part[..<end].allSatisfy({ $0.isLetter || $0 == "_" }) else {
        continue
      }
      try Data(part[end...].dropFirst().utf8).write(to: folder.file("\(part[..<end]).csv"))
    }
    let json = """
      {"name": "nasr", "title": "Fuzz", "cadence": "28-day", "id": "aviation", "sources": [],
       "gates": {"droppedRowShare": 1, "minimumRows": {}}, "rawTables": true}
      """
    guard let cycle = AiracCycle(identifier: "2602") else { return }
    let source = SourceFile(
      url: folder.url, sha256: try SHA256Hex(of: []), bytes: bytes.count, isFolder: true)
    let request = NASRRequest(
      definition: try JSONDecoder().decode(NASRDefinition.self, from: Data(json.utf8)),
      definitionSha256: try SHA256Hex(of: []), source: source, cycle: cycle)
    _ = try DatabaseBuilder.build(
      request, to: folder.file("out.sqlite"), progress: SilentProgress(), step: "nasr")
  }

  /// The obstacle file, as the daily CSV or, where it begins with the day, as DOF.DAT, as far as the finished database.
  static func obstacles(_ bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let file = folder.file(bytes.starts(with: Array("CURRENCY".utf8)) ? "DOF.DAT" : "DOF.CSV")
    try Data(bytes).write(to: file)
    let json = """
      {"name": "obstacles", "title": "Fuzz", "cadence": "28-day", "id": "obstacles", "sources": [],
       "gates": {"droppedRowShare": 1, "minimumRows": {}}}
      """
    guard let cycle = AiracCycle(identifier: "2602") else { return }
    let request = ObstacleRequest(
      definition: try JSONDecoder().decode(ObstacleDefinition.self, from: Data(json.utf8)),
      definitionSha256: try SHA256Hex(of: []), source: try SourceFolder.file(file), cycle: cycle)
    _ = try ObstacleBuilder.build(
      request, to: folder.file("out.sqlite"), progress: SilentProgress(), step: "obstacles")
  }
}
