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

  public func tile(_ id: TileID) throws -> [UInt8]? {
    guard StoredTile.isPossible(zoom: id.zoom, column: id.column, row: id.row) else { return nil }
    return try index.entry(id.hilbert).map(data)
  }

  public func byteCount(of id: TileID) throws -> Int? {
    guard StoredTile.isPossible(zoom: id.zoom, column: id.column, row: id.row) else { return nil }
    return index.entry(id.hilbert).map { Int($0.length) }
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

  /// The range of a tile's bytes in the file; nil if there is no such tile.
  func entry(_ id: TileID) -> Range<Int>? {
    index.entry(id.hilbert).map {
      let start = header.tiles.offset + $0.offset
      return start..<start + Int($0.length)
    }
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

  public func close() throws { try file.close() }

  private struct Place {
    let column: Int32
    let tmsRow: Int32
    let entry: Int32
  }

  /// A run of equal tiles may begin in the zoom above, or continue in the zoom below.
  private func places(_ zoom: Int) -> [Place] {
    let ids =
      TileID(zoom: zoom, column: 0, row: 0).hilbert..<TileID(zoom: zoom + 1, column: 0, row: 0).hilbert
    var places: [Place] = []
    var number = index.position(of: ids.lowerBound)
    while number < index.entries.count, index.entries[number].id < ids.upperBound {
      for id in index.entries[number].tiles(ids) {
        places.append(Place(column: Int32(id.column), tmsRow: Int32(id.tmsRow), entry: Int32(number)))
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

@available(*, unavailable)
extension PMTilesReader: Sendable {}

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

/// The positions of a PMTiles archive's sections, for a reader that downloads only some of its bytes.
public struct PMTilesParts: Sendable {
  /// Header, directories and metadata, in the order of the file: the bytes `PMTilesReader` needs to open the archive.
  public let head: [Range<Int>]

  /// - Parameter start: at least the first 127 bytes of the file.
  public init(header start: [UInt8], of name: String) throws {
    do {
      let header = try PMTilesHeader(Array(start.prefix(PMTilesHeader.byteCount)))
      let sections = [header.root, header.metadata, header.leaves].filter { $0.count > 0 }
      head =
        [0..<PMTilesHeader.byteCount]
        + sections.map { $0.offset..<$0.end }.sorted { $0.lowerBound < $1.lowerBound }
    } catch {
      throw UserError(
        .badInput, operation: "reading the tile archive", path: name, reason: error.problem,
        suggestion: "Publish the archive again.")
    }
  }
}

extension PMTilesReader {
  /// The bytes of the file that contain some tiles, each once, in the order of the file.
  public func ranges(of ids: some Sequence<TileID>) -> [Range<Int>] {
    let entries = ids.compactMap { id in
      StoredTile.isPossible(zoom: id.zoom, column: id.column, row: id.row) ? entry(id) : nil
    }
    return Set(entries).sorted { $0.lowerBound < $1.lowerBound }
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

  func close() throws { try handle.close() }
}
