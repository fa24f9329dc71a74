public import Foundation
public import Geo
internal import Pipeline

/// Reads a PMTiles v3 archive, whoever wrote it. Its directories are read and proved when it is opened: whatever they
/// name lies in the file, and each tile is there once. Used by one task at a time.
public final class PMTilesReader: TileSource {
  public let url: URL
  public let header: PMTilesHeader
  /// As JSON told it, before the header's words are added.
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
      let rows = try PMTilesMetadata.rows(
        header.unpacked(file.read(header.metadata), limit: PMTilesReader.metadataLimit))
      return (file, header, rows, try PMTilesIndex(of: file, header))
    }
  }

  private static let metadataLimit = 1 << 24

  public func metadata() throws -> [String: String] { PMTilesMetadata.merged(ownRows, header) }

  public func tile(_ id: TileID) throws -> [UInt8]? {
    guard StoredTile.isPossible(zoom: id.zoom, column: id.column, row: id.row) else { return nil }
    return try index.entry(id.hilbert).map(data)
  }

  public func anyTile() throws -> [UInt8]? { try index.entries.first.map(data) }

  public func summary() throws -> ArchiveSummary {
    var tally = ZoomTally()
    for entry in index.entries {
      for id in entry.tiles {
        tally.add(zoom: id.zoom, column: id.column, row: id.row, bytes: Int(entry.length))
      }
    }
    return ArchiveSummary(zooms: tally.zooms, distinctTiles: counts.contents)
  }

  public func forEachStored(_ body: (StoredTile) throws -> Void) throws {
    var first = 0
    while first < index.entries.count {
      let zoom = TileID(hilbert: index.entries[first].id)?.zoom ?? 0
      let places = placesOfZoom(zoom, from: &first)
      for place in places.sorted(by: { ($0.column, $0.tmsRow) < ($1.column, $1.tmsRow) }) {
        try body(
          StoredTile(
            zoom: zoom, column: Int(place.column), tmsRow: Int(place.tmsRow),
            data: try data(index.entries[Int(place.entry)])))
      }
    }
  }

  /// What the directories hold, for those who compare it with the header's words.
  public var counts: (addressedTiles: Int, entries: Int, contents: Int) {
    (index.addressedTiles, index.entries.count, Set(index.entries.map(\.offset)).count)
  }

  /// Whether the tiles lie in the order of their numbers, but for those that share an earlier one's bytes.
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

  /// - Parameter first: the entry to begin at; afterwards the one that holds the first tile of the next zoom.
  private func placesOfZoom(_ zoom: Int, from first: inout Int) -> [Place] {
    var places: [Place] = []
    while first < index.entries.count {
      for id in index.entries[first].tiles where id.zoom == zoom {
        places.append(Place(column: Int32(id.column), tmsRow: Int32(id.tmsRow), entry: Int32(first)))
      }
      // A run of equal tiles may go on into the next zoom.
      guard TileID(hilbert: index.entries[first].end - 1)?.zoom == zoom else { break }
      first += 1
    }
    return places
  }

  private func data(_ entry: PMTilesEntry) throws -> [UInt8] {
    try PMTilesReader.reading(url) { try file.read(header.tiles.part(entry)) }
  }

  private static func reading<T>(_ url: URL, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let flaw as ArchiveFlaw {
      throw Fault.reading(url, flaw.problem)
    } catch let error as CocoaError {
      throw Fault.reading(url, error.fileTrouble, [error])
    }
  }
}

@available(*, unavailable)
extension PMTilesReader: Sendable {}

extension PMTilesEntry {
  /// The index has proved that there are such tiles.
  fileprivate var tiles: some Sequence<TileID> { (id..<end).lazy.compactMap { TileID(hilbert: $0) } }
}

extension PMTilesHeader {
  /// Images are compressed as they are; what holds them compressed once more is read by no map view.
  fileprivate func checkTiles() throws(ArchiveFlaw) {
    guard [.png, .jpeg, .webp, .avif].contains(tileType), tileCompression != .none else { return }
    throw ArchiveFlaw("its images are compressed once more (\(tileCompression))")
  }

  /// The parts lie inside the file, and no byte is of two of them.
  fileprivate func checkSections(fileSize: Int) throws(ArchiveFlaw) {
    let sections = [Section(offset: 0, count: PMTilesHeader.byteCount), root, metadata, leaves, tiles]
      .filter { $0.count > 0 }.sorted { $0.offset < $1.offset }
    for (one, next) in zip(sections, sections.dropFirst()) where one.end > next.offset {
      throw ArchiveFlaw("its header says that two of its parts overlap")
    }
    guard sections.allSatisfy({ $0.end <= fileSize }) else { throw ArchiveFlaw("it ends too early") }
  }
}
