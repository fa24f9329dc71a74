internal import Foundation

/// A file of which pieces are read at places that the file itself tells, which may be nonsense.
final class RandomAccessFile {
  let size: Int
  private let handle: FileHandle

  init(opening url: URL) throws {
    handle = try FileHandle(forReadingFrom: url)
    size = Int(clamping: try handle.seekToEnd())
  }

  deinit { try? handle.close() }

  func read(_ section: PMTilesHeader.Section) throws -> [UInt8] {
    guard section.end <= size else { throw ArchiveFlaw("it ends too early") }
    guard section.count > 0 else { return [] }
    try handle.seek(toOffset: UInt64(section.offset))
    guard let data = try handle.read(upToCount: section.count), data.count == section.count else {
      throw ArchiveFlaw("it ends too early")
    }
    return Array(data)
  }

  func close() throws { try handle.close() }
}
