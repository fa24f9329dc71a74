internal import ArchiveIO
internal import Core

/// A line of a directory: some tiles that follow one another and share their bytes, or, with a run of none, another
/// directory that holds the tiles from here on.
struct PMTilesEntry: Equatable {
  var id: Int
  /// Within the tiles, or within the leaf directories.
  var offset: Int
  var length: UInt32
  var run: UInt32

  /// Past the last tile of the run.
  var end: Int { id + Int(run) }
}

/// A directory as its bytes before compression: the columns of the table one after the other.
enum PMTilesDirectory {
  /// Half of what fits, so that a length or a run may be added to a stranger's number.
  private static let sensible = Int.max >> 1

  static func encode(_ entries: some Collection<PMTilesEntry>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(varint: entries.count)
    var last = 0
    for entry in entries {
      bytes.append(varint: entry.id - last)
      last = entry.id
    }
    for entry in entries { bytes.append(varint: Int(entry.run)) }
    for entry in entries { bytes.append(varint: Int(entry.length)) }
    // Zero says that it follows what came before, so that a clustered archive has few other numbers.
    var follows = -1
    for entry in entries {
      bytes.append(varint: entry.offset == follows ? 0 : entry.offset + 1)
      follows = entry.offset + Int(entry.length)
    }
    return bytes
  }

  static func decode(_ bytes: [UInt8]) throws(ArchiveFlaw) -> [PMTilesEntry] {
    var columns = ByteReader(bytes[...])
    let count = try columns.varint()
    // Four numbers an entry, each of a byte at least: asked before any room is made for them.
    guard count <= columns.remaining / 4 else { throw ArchiveFlaw("a directory ends too early") }
    var entries: [PMTilesEntry] = []
    entries.reserveCapacity(count)
    var id = 0
    for index in 0..<count {
      let (next, overflows) = id.addingReportingOverflow(try columns.varint())
      guard !overflows, next <= sensible else { throw ArchiveFlaw("a number in it is too large") }
      guard index == 0 || next > id else { throw ArchiveFlaw("its directories are not ascending") }
      entries.append(PMTilesEntry(id: next, offset: 0, length: 0, run: 0))
      id = next
    }
    for index in entries.indices { entries[index].run = try columns.short() }
    for index in entries.indices { entries[index].length = try columns.short() }
    for index in entries.indices {
      let told = try columns.varint()
      guard told > 0 || index > 0 else { throw ArchiveFlaw("a directory begins with no offset") }
      let before = entries[max(0, index - 1)]
      entries[index].offset = told > 0 ? told - 1 : before.offset + Int(before.length)
      guard entries[index].offset <= sensible else { throw ArchiveFlaw("a number in it is too large") }
    }
    // What is told beyond them could be gigabytes of nothing, unpacked for each of thousands of directories.
    guard columns.remaining == 0 else { throw ArchiveFlaw("a directory holds more than its entries") }
    return entries
  }
}

extension ByteReader {
  fileprivate mutating func short() throws(ArchiveFlaw) -> UInt32 {
    guard let number = UInt32(exactly: try varint()) else {
      throw ArchiveFlaw("a directory holds a number that is too large")
    }
    return number
  }
}

/// The entries as they stand in the file: all in the root when they fit there, else in leaves of equal length.
struct PMTilesDirectories {
  private(set) var root: [UInt8] = []
  private(set) var leaves: [UInt8] = []

  /// A root that is larger would cost every reader another request.
  private static let rootLimit = PMTilesHeader.firstRequest - PMTilesHeader.byteCount
  private static let smallestLeaf = 4096

  init(_ entries: [PMTilesEntry]) throws {
    // More than as many never fit, since each takes a byte or so even compressed.
    if entries.count <= PMTilesHeader.firstRequest {
      root = try Gzip.compress(PMTilesDirectory.encode(entries))
    }
    var leafSize = PMTilesDirectories.smallestLeaf
    while root.isEmpty || root.count > PMTilesDirectories.rootLimit {
      (root, leaves) = try PMTilesDirectories.split(entries, leafSize)
      leafSize *= 2
    }
  }

  private static func split(_ entries: [PMTilesEntry], _ size: Int) throws -> (root: [UInt8], leaves: [UInt8])
  {
    var leaves: [UInt8] = []
    var pointers: [PMTilesEntry] = []
    for start in stride(from: 0, to: entries.count, by: size) {
      let packed = try Gzip.compress(
        PMTilesDirectory.encode(entries[start..<min(start + size, entries.count)]))
      pointers.append(
        PMTilesEntry(id: entries[start].id, offset: leaves.count, length: UInt32(packed.count), run: 0))
      leaves += packed
    }
    return (try Gzip.compress(PMTilesDirectory.encode(pointers)), leaves)
  }
}

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
