internal import ArchiveIO
internal import Core

/// All entries of an archive's directories, in the order of their tiles.
struct PMTilesIndex {
  private(set) var entries: [PMTilesEntry] = []
  private(set) var addressedTiles = 0
  private let file: RandomAccessFile
  private let header: PMTilesHeader
  private var leavesSeen: Set<Int> = []
  private var nextID = 0

  /// A directory of whole countries has some hundred thousand entries; a small file could claim to have billions.
  private static let directoryLimit = 1 << 26
  private static let tileLimit = 1 << 24
  private static let depthLimit = 4

  init(of file: RandomAccessFile, _ header: PMTilesHeader) throws {
    self.file = file
    self.header = header
    try add(directory: header.root, depth: 0)
    leavesSeen = []
  }

  /// Nil where there is no such tile.
  func entry(_ id: Int) -> PMTilesEntry? {
    let position = position(of: id)
    return position < entries.count && entries[position].id <= id ? entries[position] : nil
  }

  /// Of the first entry that holds this tile or a later one.
  func position(of id: Int) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].end <= id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func add(directory section: PMTilesHeader.Section, depth: Int) throws {
    guard depth < PMTilesIndex.depthLimit else { throw ArchiveFlaw("its directories are nested too deep") }
    let bytes = try header.unpacked(file.read(section), limit: PMTilesIndex.directoryLimit)
    for entry in try PMTilesDirectory.decode(bytes) {
      guard entry.id >= nextID else { throw ArchiveFlaw("its directories are not ascending") }
      guard entry.length > 0 else { throw ArchiveFlaw("tile \(entry.id) of its directories is empty") }
      if entry.run == 0 { try add(leaf: entry, depth: depth) } else { try add(tiles: entry) }
    }
  }

  private mutating func add(leaf entry: PMTilesEntry, depth: Int) throws {
    // One that was seen before would lead round in a circle, or tell the same tiles twice.
    guard leavesSeen.insert(entry.offset).inserted else {
      throw ArchiveFlaw("its directories go in a circle")
    }
    let section = try header.leaves.part(entry)
    let count = entries.count
    try add(directory: section, depth: depth + 1)
    guard count == entries.count || entries[count].id >= entry.id else {
      throw ArchiveFlaw("its directories are not ascending")
    }
  }

  private mutating func add(tiles entry: PMTilesEntry) throws {
    _ = try header.tiles.part(entry)
    guard let last = TileID(hilbert: entry.end - 1), last.zoom <= StoredTile.deepestZoom else {
      throw ArchiveFlaw("there can be no tile \(entry.id)")
    }
    addressedTiles += Int(entry.run)
    guard addressedTiles <= PMTilesIndex.tileLimit else {
      throw ArchiveFlaw("it has more than \(PMTilesIndex.tileLimit) tiles, the most that are read")
    }
    nextID = entry.end
    entries.append(entry)
  }
}

extension PMTilesHeader.Section {
  /// What an entry points at, which must lie inside.
  func part(_ entry: PMTilesEntry) throws(ArchiveFlaw) -> PMTilesHeader.Section {
    guard entry.offset <= count, Int(entry.length) <= count - entry.offset else {
      throw ArchiveFlaw("its directories point out of the file")
    }
    return PMTilesHeader.Section(offset: offset + entry.offset, count: Int(entry.length))
  }
}

extension PMTilesHeader {
  /// Directories and metadata as they were before compression.
  func unpacked(_ bytes: [UInt8], limit: Int) throws -> [UInt8] {
    switch internalCompression {
    case .none: return bytes
    case .gzip:
      do {
        return try Gzip.decompress(bytes, limit: limit)
      } catch {
        throw ArchiveFlaw("\(error)")
      }
    case .unknown, .brotli, .zstd:
      throw ArchiveFlaw(
        "its directories are compressed in a way (\(internalCompression)) that is not read here")
    }
  }
}
