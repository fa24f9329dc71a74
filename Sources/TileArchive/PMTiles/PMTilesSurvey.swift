internal import Core
internal import CryptoIO
internal import Pipeline

/// What a first pass over the tiles learns: which are there, which are the same, and how long each is. The tiles
/// themselves are not kept, so the memory is some sixty bytes a tile, however large the images.
struct PMTilesSurvey {
  /// Half of a SHA-256 tells images apart as well as any of us will ever need.
  private struct Fingerprint: Hashable {
    let first: UInt64
    let second: UInt64

    init(_ data: [UInt8]) throws {
      let digest = try Digest(.sha256)
      try digest.update(data)
      let bytes = try digest.finish()
      first = bytes[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
      second = bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  /// In the order of the pass.
  private(set) var tiles: [(id: Int, content: Int32)] = []
  private(set) var lengths: [UInt32] = []
  private(set) var tally = ZoomTally()
  private var contents: [Fingerprint: Int32] = [:]

  mutating func add(_ tile: Tile) throws {
    guard let length = UInt32(exactly: tile.data.count), length > 0, lengths.count < Int32.max else {
      throw ArchiveFlaw("tile \(tile.id) is \(tile.data.isEmpty ? "empty" : "too large")")
    }
    let fingerprint = try Fingerprint(tile.data)
    let content = contents[fingerprint] ?? Int32(lengths.count)
    if contents.updateValue(content, forKey: fingerprint) == nil { lengths.append(length) }
    tiles.append((tile.id.hilbert, content))
    let id = tile.id
    tally.add(zoom: id.zoom, column: id.column, row: id.row, bytes: tile.data.count)
  }
}

/// Where everything goes in the file: the tiles in the order of their numbers, each image where it is first needed.
struct PMTilesLayout {
  private(set) var entries: [PMTilesEntry] = []
  /// Of each content, within the tiles.
  private(set) var offsets: [Int]
  private(set) var tileBytes = 0

  init(_ survey: PMTilesSurvey) throws(ArchiveFlaw) {
    offsets = [Int](repeating: -1, count: survey.lengths.count)
    for tile in survey.tiles.sorted(by: { $0.id < $1.id }) {
      let (content, length) = (Int(tile.content), survey.lengths[Int(tile.content)])
      if offsets[content] < 0 {
        offsets[content] = tileBytes
        tileBytes += Int(length)
      }
      try add(id: tile.id, offset: offsets[content], length: length)
    }
  }

  private mutating func add(id: Int, offset: Int, length: UInt32) throws(ArchiveFlaw) {
    if let last = entries.last {
      guard id >= last.end else {
        throw ArchiveFlaw("tile \(TileID(hilbert: id).map { "\($0)" } ?? "\(id)") is there twice")
      }
      if id == last.end, offset == last.offset, last.run < UInt32.max {
        entries[entries.count - 1].run += 1
        return
      }
    }
    entries.append(PMTilesEntry(id: id, offset: offset, length: length, run: 1))
  }
}
