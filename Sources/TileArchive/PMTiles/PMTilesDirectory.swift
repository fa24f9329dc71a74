internal import ArchiveIO
internal import Core

/// A directory entry: consecutive tiles that share their bytes, or, with a run of 0, a leaf directory that begins with this
/// tile.
struct PMTilesEntry: Equatable {
  var id: Int
  /// Relative to the tile section or to the leaf directories.
  var offset: Int
  var length: UInt32
  var run: UInt32

  /// One past the last tile of the run.
  var end: Int { id + Int(run) }
}

/// A directory before compression: the columns of its table one after the other.
extension PMTilesEntry {
  /// Half of the largest integer, so that a length or a run can be added to an untrusted number.
  private static let representable = Int.max >> 1

  static func encode(_ entries: some Collection<PMTilesEntry>) throws(GzipError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(varint: entries.count)
    var last = 0
    for entry in entries {
      bytes.append(varint: entry.id - last)
      last = entry.id
    }
    for entry in entries { bytes.append(varint: Int(entry.run)) }
    for entry in entries { bytes.append(varint: Int(entry.length)) }
    // 0 means that the bytes follow those of the previous entry. A clustered archive has few other values.
    var follows = -1
    for entry in entries {
      bytes.append(varint: entry.offset == follows ? 0 : entry.offset + 1)
      follows = entry.offset + Int(entry.length)
    }
    return try Gzip.compress(bytes)
  }

  static func decode(_ bytes: [UInt8]) throws(ArchiveDefect) -> [PMTilesEntry] {
    var columns = ByteReader(bytes[...])
    let count = try columns.varint()
    // Each entry has four numbers of at least one byte. This is checked before memory is allocated.
    guard count <= columns.remaining / 4 else { throw ArchiveDefect("a directory ends too early") }
    var entries: [PMTilesEntry] = []
    entries.reserveCapacity(count)
    var id = 0
    for index in 0..<count {
      let (next, overflows) = id.addingReportingOverflow(try columns.varint())
      guard !overflows, next <= representable else { throw ArchiveDefect("a number in it is too large") }
      guard index == 0 || next > id else { throw ArchiveDefect("its directories are not ascending") }
      entries.append(PMTilesEntry(id: next, offset: 0, length: 0, run: 0))
      id = next
    }
    for index in entries.indices { entries[index].run = try columns.short() }
    for index in entries.indices { entries[index].length = try columns.short() }
    for index in entries.indices {
      let stored = try columns.varint()
      guard stored > 0 || index > 0 else { throw ArchiveDefect("a directory begins with no offset") }
      let before = entries[max(0, index - 1)]
      entries[index].offset = stored > 0 ? stored - 1 : before.offset + Int(before.length)
      guard entries[index].offset <= representable else { throw ArchiveDefect("a number in it is too large") }
    }
    // Trailing data could be gigabytes that are unpacked for each of thousands of directories.
    guard columns.remaining == 0 else { throw ArchiveDefect("a directory holds more than its entries") }
    return entries
  }
}

extension ByteReader {
  fileprivate mutating func short() throws(ArchiveDefect) -> UInt32 {
    guard let number = UInt32(exactly: try varint()) else {
      throw ArchiveDefect("a directory holds a number that is too large")
    }
    return number
  }
}

extension [PMTilesEntry] {
  /// A larger root would cost every reader another request.
  private static var rootLimit: Int { PMTilesHeader.firstRequest - PMTilesHeader.byteCount }
  private static var smallestLeaf: Int { 4096 }

  /// The directories of an archive, compressed: all entries in the root if they fit, otherwise in leaves of equal length.
  func directories() throws -> (root: [UInt8], leaves: [UInt8]) {
    // More entries never fit, since each takes at least a byte, even compressed.
    if count <= PMTilesHeader.firstRequest {
      let root = try PMTilesEntry.encode(self)
      if root.count <= Self.rootLimit { return (root, []) }
    }
    var leafSize = Self.smallestLeaf
    while true {
      let parts = try split(leafSize)
      if parts.root.count <= Self.rootLimit { return parts }
      leafSize *= 2
    }
  }

  private func split(_ size: Int) throws -> (root: [UInt8], leaves: [UInt8]) {
    var leaves: [UInt8] = []
    var pointers: [PMTilesEntry] = []
    for start in stride(from: 0, to: count, by: size) {
      let packed = try PMTilesEntry.encode(self[start..<Swift.min(start + size, count)])
      pointers.append(
        PMTilesEntry(id: self[start].id, offset: leaves.count, length: UInt32(packed.count), run: 0))
      leaves += packed
    }
    return (try PMTilesEntry.encode(pointers), leaves)
  }
}

/// All entries of an archive's directories, ordered by their tiles.
struct PMTilesIndex {
  private(set) var entries: [PMTilesEntry] = []
  private(set) var addressedTiles = 0
  private let file: RandomAccessFile
  private let header: PMTilesHeader
  private var budget: PMTilesBudget
  private var leavesSeen: Set<Int> = []
  private var nextID = 0

  /// A directory of whole countries has some hundred thousand entries. A small file could claim billions.
  private static let directoryLimit = 1 << 26
  private static let depthLimit = 4

  init(of file: RandomAccessFile, _ header: PMTilesHeader) throws {
    self.file = file
    self.header = header
    budget = PMTilesBudget(fileSize: file.size)
    try add(directory: header.root, depth: 0)
    leavesSeen = []
  }

  /// Nil if there is no such tile.
  func entry(_ id: Int) -> PMTilesEntry? {
    let position = position(of: id)
    return position < entries.count && entries[position].id <= id ? entries[position] : nil
  }

  /// The position of the first entry that contains this tile or a later one.
  func position(of id: Int) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].end <= id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func add(directory section: PMTilesHeader.Section, depth: Int) throws {
    guard depth < PMTilesIndex.depthLimit else {
      throw ArchiveDefect("its directories are nested too deeply")
    }
    let bytes = try header.unpacked(file.read(section), limit: PMTilesIndex.directoryLimit)
    for entry in try PMTilesEntry.decode(bytes) {
      guard entry.id >= nextID else { throw ArchiveDefect("its directories are not ascending") }
      guard entry.length > 0 else { throw ArchiveDefect("tile \(entry.id) of its directories is empty") }
      if entry.run == 0 { try add(leaf: entry, depth: depth) } else { try add(tiles: entry) }
    }
  }

  private mutating func add(leaf entry: PMTilesEntry, depth: Int) throws {
    // A directory that occurs twice would form a loop or repeat its tiles.
    guard leavesSeen.insert(entry.offset).inserted else {
      throw ArchiveDefect("its directories form a loop")
    }
    let section = try header.leaves.part(entry)
    let count = entries.count
    try add(directory: section, depth: depth + 1)
    guard count == entries.count || entries[count].id >= entry.id else {
      throw ArchiveDefect("its directories are not ascending")
    }
  }

  private mutating func add(tiles entry: PMTilesEntry) throws {
    _ = try header.tiles.part(entry)
    guard let last = TileID(hilbert: entry.end - 1), last.zoom <= StoredTile.deepestZoom else {
      throw ArchiveDefect("\(entry.id) is not a valid tile number")
    }
    try budget.spend(tiles: Int(entry.run), ofBytes: Int(entry.length))
    addressedTiles += Int(entry.run)
    nextID = entry.end
    entries.append(entry)
  }
}

/// The most tiles that an archive may have, and the most bytes of all tiles together.
///
/// A run of equal tiles takes a few bytes of the file, but each of its tiles takes time, memory, and space in an archive that cannot
/// store runs. An archive of the world with its oceans has some ten bytes for each tile.
struct PMTilesBudget {
  private let fileSize: Int
  private let tiles: Int
  private let bytes: Int
  private var usedTiles = 0
  private var usedBytes = 0

  private static let mostTiles = 1 << 24

  init(fileSize: Int) {
    let size = min(max(fileSize, 0), 1 << 50)
    self.fileSize = size
    tiles = min(PMTilesBudget.mostTiles, 1 << 18 + size)
    bytes = 1 << 30 + 16 * size
  }

  /// Adds tiles of a length.
  mutating func spend(tiles count: Int, ofBytes length: Int) throws(ArchiveDefect) {
    usedTiles += count
    guard usedTiles <= PMTilesBudget.mostTiles else {
      throw ArchiveDefect("it has more than \(PMTilesBudget.mostTiles) tiles, the largest supported number")
    }
    // Both factors have at most 32 bits.
    usedBytes += count * length
    guard usedTiles <= tiles, usedBytes <= bytes else {
      throw ArchiveDefect(
        "its directories repeat a few tiles too often: a file of \(fileSize) bytes may have at most \(tiles) tiles "
          + "with \(bytes) bytes in all")
    }
  }
}

extension PMTilesHeader.Section {
  /// The section of an entry, which must lie inside the file.
  func part(_ entry: PMTilesEntry) throws(ArchiveDefect) -> PMTilesHeader.Section {
    guard entry.offset <= count, Int(entry.length) <= count - entry.offset else {
      throw ArchiveDefect("its directories point outside the file")
    }
    return PMTilesHeader.Section(offset: offset + entry.offset, count: Int(entry.length))
  }
}

extension PMTilesHeader {
  /// Directories and metadata before compression.
  func unpacked(_ bytes: [UInt8], limit: Int) throws -> [UInt8] {
    switch internalCompression {
    case .none: return bytes
    case .gzip:
      return try explaining({ ArchiveDefect("\($0)") }) { try Gzip.decompress(bytes, limit: limit) }
    case .unknown, .brotli, .zstd:
      throw ArchiveDefect(
        "its directories have an unsupported compression (\(internalCompression))")
    }
  }
}
