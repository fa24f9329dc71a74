internal import Fetch
internal import Foundation
internal import Pipeline
internal import ZipIO

/// The Digital Obstacle File as CSV, bare, in the FAA's zip, or in a folder. With 600,000 rows it is never held as a whole.
struct ObstacleFile: TableSource {
  private static let pieceBytes = 1 << 18

  private let source: SourceFile
  private let container: SourceContainer
  private let member: SourceContainer.Member
  /// `DOF.CSV`
  var name: String { member.fileName }

  init(_ source: SourceFile) throws {
    self.source = source
    do {
      container = try ObstacleFile.open(source)
    } catch {
      throw ObstacleFile.fault(source, "the zip archive is damaged: \(error)", [error])
    }
    let tables = container.members.filter { $0.fileName.lowercased().hasSuffix(".csv") }
    guard let member = tables.first, tables.count == 1 else {
      throw ObstacleFile.fault(
        source,
        tables.isEmpty
          ? "there is no CSV file in it" : "there are \(tables.count) CSV files in it, and one is expected")
    }
    self.member = member
  }

  private static func open(_ source: SourceFile) throws -> SourceContainer {
    let isTable = !source.isFolder && source.name.lowercased().hasSuffix(".csv")
    return try isTable ? SourceContainer(file: source.url) : SourceContainer(source)
  }

  /// Gives the file in blocks of whole lines, with the number of each block's first line.
  ///
  /// No value of this file is quoted, so a line end is always the end of a row.
  func forEachBlock(_ each: (UnsafeBufferPointer<UInt8>, _ firstLine: Int) throws -> Void) throws {
    var rest: [UInt8] = []
    var line = 1
    func give(_ bytes: ArraySlice<UInt8>) throws {
      try bytes.withUnsafeBufferPointer { try each($0, line) }
      line += bytes.reduce(0) { $1 == .lineFeed ? $0 + 1 : $0 }
    }
    do {
      try container.read(member, inPiecesOf: ObstacleFile.pieceBytes) { piece in
        rest.append(contentsOf: piece)
        if let end = rest.lastIndex(of: .lineFeed) {
          try give(rest[...end])
          rest.removeSubrange(...end)
        } else if rest.count > ObstacleFile.pieceBytes {
          throw ObstacleFile.fault(source, "it has no line ends")
        }
      }
    } catch let error as ZipError {
      throw ObstacleFile.fault(source, "it cannot be read to its end: \(error)", [error])
    }
    if !rest.isEmpty { try give(rest[...]) }
  }

  func fault(_ problem: String, remedy: String, causes: [any Error]) -> Fault {
    Fault(
      .badInput, doing: "reading the obstacles", subject: source.url.path, problem: problem, remedy: remedy,
      causes: causes)
  }

  private static let remedy = "Get the FAA's DAILY_DOF_CSV.ZIP again, or the CSV file inside it."

  private static func fault(_ source: SourceFile, _ problem: String, _ causes: [any Error] = []) -> Fault {
    Fault(
      .badInput, doing: "reading the obstacles", subject: source.url.path, problem: problem, remedy: remedy,
      causes: causes)
  }
}
