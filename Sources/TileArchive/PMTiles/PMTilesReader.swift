public import Core
public import Foundation

/// Reads a PMTiles v3 archive of any origin. When it is opened, its directories are verified: all entries lie in the file, and
/// each tile occurs once. One thread uses it at a time.
public final class PMTilesReader: TileSource {
  public let url: URL
  public let header: PMTilesHeader
  /// The rows of the JSON, without the header's values.
  let ownRows: [String: String]
  private let file: RandomAccessFile
  private let index: PMTilesIndex

  public init(opening url: URL) throws {
    self.url = url
    (file, header, ownRows, index) = try PMTilesReader.reading(url) {
      let file = try RandomAccessFile(opening: url)
      let start = PMTilesHeader.Section(offset: 0, count: PMTilesHeader.byteCount)
      let header = try PMTilesHeader(file.read(start))
      try header.checkSections(fileSize: file.size)
      try header.checkTiles()
      let rows = try PMTilesReader.rows(of: file, header)
      return (file, header, rows, try PMTilesIndex(of: file, header))
    }
  }

  private static let metadataLimit = 1 << 24

  private static func rows(of file: RandomAccessFile, _ header: PMTilesHeader) throws -> [String: String] {
    guard header.metadata.count > 0 else { return [:] }
    return try PMTilesMetadata.rows(header.unpacked(file.read(header.metadata), limit: metadataLimit))
  }

  public func metadata() throws -> [String: String] { PMTilesMetadata.merged(ownRows, header) }

  public func tile(_ id: TileID) throws -> [UInt8]? { try entry(id).map(data) }

  public func byteCount(of id: TileID) throws -> Int? { entry(id).map { Int($0.length) } }

  private func entry(_ id: TileID) -> PMTilesEntry? {
    StoredTile.isPossible(zoom: id.zoom, column: id.column, row: id.row) ? index.entry(id.hilbert) : nil
  }

  public func tileIDs() throws -> [TileID] {
    index.entries.flatMap { entry in entry.tiles(entry.id..<entry.end).map { $0 } }
  }

  public func anyTile() throws -> [UInt8]? { try index.entries.first.map(data) }

  public func summary() throws -> ArchiveSummary {
    var tally = ZoomTally()
    for entry in index.entries {
      for id in entry.tiles(entry.id..<entry.end) {
        tally.add(zoom: id.zoom, column: id.column, row: id.row, bytes: Int(entry.length))
      }
    }
    return ArchiveSummary(zooms: tally.zooms, distinctTiles: counts.contents)
  }

  public func forEachStored(_ body: (StoredTile) throws -> Void) throws {
    guard let first = index.entries.first, let last = index.entries.last,
      let smallest = TileID(hilbert: first.id)?.zoom, let largest = TileID(hilbert: last.end - 1)?.zoom
    else { return }
    for zoom in smallest...largest {
      for place in places(zoom).sorted(by: { ($0.column, $0.tmsRow) < ($1.column, $1.tmsRow) }) {
        try body(
          StoredTile(
            zoom: zoom, column: Int(place.column), tmsRow: Int(place.tmsRow),
            data: try data(index.entries[Int(place.entry)])))
      }
    }
  }

  /// The counts of the directories, to be compared with the header's.
  public var counts: (addressedTiles: Int, entries: Int, contents: Int) {
    (index.addressedTiles, index.entries.count, Set(index.entries.map(\.offset)).count)
  }

  /// Whether the tiles are ordered by their numbers, except for those that share an earlier tile's bytes.
  public var isClustered: Bool {
    var end = 0
    for entry in index.entries {
      guard entry.offset <= end else { return false }
      if entry.offset == end { end += Int(entry.length) }
    }
    return true
  }

  /// A run of equal tiles may begin in the zoom above, or continue in the zoom below.
  private func places(_ zoom: Int) -> [(column: Int32, tmsRow: Int32, entry: Int32)] {
    let ids =
      TileID(zoom: zoom, column: 0, row: 0).hilbert..<TileID(zoom: zoom + 1, column: 0, row: 0).hilbert
    var places: [(column: Int32, tmsRow: Int32, entry: Int32)] = []
    var number = index.position(of: ids.lowerBound)
    while number < index.entries.count, index.entries[number].id < ids.upperBound {
      for id in index.entries[number].tiles(ids) {
        places.append((Int32(id.column), Int32(id.tmsRow), Int32(number)))
      }
      number += 1
    }
    return places
  }

  private func data(_ entry: PMTilesEntry) throws -> [UInt8] {
    try PMTilesReader.reading(url) { try file.read(header.tiles.part(entry)) }
  }

  private static func reading<T>(_ url: URL, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let flaw as ArchiveDefect {
      throw UserError.reading(url, flaw.problem)
    } catch let error as CocoaError {
      throw UserError.reading(url, error.fileErrorReason, [error])
    }
  }
}

extension PMTilesEntry {
  /// The tiles of the run with numbers in a range. The index has verified that they are valid.
  fileprivate func tiles(_ ids: Range<Int>) -> some Sequence<TileID> {
    (id..<end).clamped(to: ids).lazy.compactMap { TileID(hilbert: $0) }
  }
}

extension PMTilesHeader {
  /// Images are stored without further compression. No map view reads archives that compress them again.
  fileprivate func checkTiles() throws(ArchiveDefect) {
    guard [.png, .jpeg, .webp, .avif].contains(tileType), ![.none, .unknown].contains(tileCompression) else {
      return
    }
    throw ArchiveDefect("its images are compressed twice (\(tileCompression))")
  }

  /// The sections lie inside the file and do not overlap.
  fileprivate func checkSections(fileSize: Int) throws(ArchiveDefect) {
    let sections = [Section(offset: 0, count: PMTilesHeader.byteCount), root, metadata, leaves, tiles]
      .filter { $0.count > 0 }.sorted { $0.offset < $1.offset }
    for (one, next) in zip(sections, sections.dropFirst()) where one.end > next.offset {
      throw ArchiveDefect("two sections in its header overlap")
    }
    guard sections.allSatisfy({ $0.end <= fileSize }) else { throw ArchiveDefect("it ends too early") }
  }
}

/// For a reader that downloads only some bytes of an archive.
extension PMTilesReader {
  /// The bytes that are needed to open an archive, in the order of the file: header, directories and metadata.
  ///
  /// - Parameter start: at least the first 127 bytes of the file.
  static func head(of start: [UInt8], named name: String) throws -> [Range<Int>] {
    do {
      let header = try PMTilesHeader(Array(start.prefix(PMTilesHeader.byteCount)))
      let sections = [header.root, header.metadata, header.leaves].filter { $0.count > 0 }
      return [0..<PMTilesHeader.byteCount]
        + sections.map { $0.offset..<$0.end }.sorted { $0.lowerBound < $1.lowerBound }
    } catch {
      throw UserError(
        .badInput, operation: "reading the tile archive", path: name, reason: error.problem,
        suggestion: "Publish the archive again.")
    }
  }

  /// The bytes of the file that contain some tiles, each once, in the order of the file.
  public func ranges(of ids: some Sequence<TileID>) -> [Range<Int>] {
    let ranges = ids.compactMap(entry).map { entry in
      let start = header.tiles.offset + entry.offset
      return start..<start + Int(entry.length)
    }
    return Set(ranges).sorted { $0.lowerBound < $1.lowerBound }
  }
}

/// Reads parts of a file at positions that come from the file itself and may be invalid.
final class RandomAccessFile {
  let size: Int
  private let handle: FileHandle

  init(opening url: URL) throws {
    handle = try FileHandle(forReadingRegularFile: url)
    size = Int(clamping: try handle.seekToEnd())
  }

  deinit { try? handle.close() }

  func read(_ section: PMTilesHeader.Section) throws -> [UInt8] {
    guard section.end <= size else { throw ArchiveDefect("it ends too early") }
    guard section.count > 0 else { return [] }
    try handle.seek(toOffset: UInt64(section.offset))
    guard let data = try handle.read(upToCount: section.count), data.count == section.count else {
      throw ArchiveDefect("it ends too early")
    }
    return Array(data)
  }
}
