import ArchiveIO
import Core
import Foundation
import ImageIO
import RasterIO

@testable import Charts
@testable import Fetch

/// Charts, and what they come in.
enum SheetEntries {
  /// More than a seed has; past it, the same would only be done once more.
  private static let enough = 1 << 22

  static func htm(_ bytes: [UInt8]) throws {
    _ = try? WorldFile(bytes)
    _ = try ChartPage(htm: bytes)
  }

  /// The page of the seeds.
  private static let page = """
    Beginning_Date: 20230420 Ending_Date: 20230614 West_Bounding_Coordinate: -121.0
    East_Bounding_Coordinate: -120.954072 North_Bounding_Coordinate: 38.0 South_Bounding_Coordinate: 37.969705
    """

  static func tif(_ bytes: [UInt8]) throws {
    let memory = try MemoryFile(bytes, extension: "tif")
    let files = ChartFiles(
      path: "fuzz.zip", tifName: "fuzz.tif", tif: .inflated(memory), htmName: "fuzz.htm", htm: [],
      world: nil, records: [])
    let sheet = try SheetReader(files: files, page: try ChartPage(htm: Array(page.utf8))).open()
    let rows = 0..<min(sheet.height, max(1, enough / max(1, sheet.width)))
    for first in stride(from: 0, to: rows.count, by: 64) {
      _ = try sheet.rows(first..<min(first + 64, rows.count))
    }
  }

  /// A tile of somebody's archive.
  static func image(_ bytes: [UInt8]) throws {
    _ = try? TileImage.survey(bytes)
    _ = try TileImage.decode(bytes)
  }

  /// An archive, and those within it.
  static func zip(_ bytes: [UInt8]) throws {
    try read(SourceContainer(zip: ZipArchive(bytes: bytes)), depth: 0)
  }

  private static func read(_ container: SourceContainer, depth: Int) throws {
    var left = enough
    for member in container.members {
      left -= member.size
      guard left > 0 else { return }
      _ = try? container.read(member, inPiecesOf: 1000) { _ in }
      guard (try? container.read(member)) != nil, depth < 3 else { continue }
      if let inner = try? container.container(member) { try read(inner, depth: depth + 1) }
    }
  }
}
