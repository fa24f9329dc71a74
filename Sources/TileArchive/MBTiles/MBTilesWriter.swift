internal import Core
public import Foundation

/// Writes one MBTiles 1.3 archive. One thread uses it at a time; memory does not grow with the images of the tiles.
///
/// The same tiles and metadata give the same bytes, in any order of the tiles. The archive exists only after `finish`
/// returns; a writer that is released earlier leaves no file.
public final class MBTilesWriter {
  private enum Target {
    /// Tiles wait for the others.
    case spool(TileSpool)
    case archive(MBTilesFile)
  }

  private let url: URL
  private let target: Target
  private var finished = false

  /// - Parameter isOrdered: whether the tiles come ordered by zoom, column, and row from the south. They are then written at
  ///   once, without a second pass.
  public init(creating url: URL, isOrdered: Bool = false) throws {
    guard !FileManager.default.fileExists(atPath: url.path) else { throw UserError.inTheWay(url) }
    self.url = url
    target = try UserError.writing(url) {
      isOrdered ? .archive(try MBTilesFile(creating: url)) : .spool(try TileSpool(beside: url))
    }
  }

  deinit {
    if !finished { try? FileManager.default.removeItem(at: url) }
  }

  public func add(_ tile: Tile) throws {
    guard !tile.data.isEmpty else { throw rejection(tile, "it is empty") }
    let id = tile.id
    guard StoredTile.isPossible(zoom: id.zoom, column: id.column, row: id.row) else {
      throw rejection(tile, "it is not a valid tile")
    }
    try UserError.writing(url) {
      switch target {
      case .spool(let arrivals):
        guard try arrivals.add(tile) else { throw rejection(tile, "it was added before") }
      case .archive(let archive):
        guard archive.precedes(tile.id) else {
          throw rejection(tile, "it was added before, or a later one was")
        }
        try archive.add(StoredTile(tile), named: tile.name)
      }
    }
  }

  /// Writes the archive and closes it.
  public func finish(_ metadata: ArchiveMetadata) throws -> ArchiveSummary {
    try finish { try metadata.rows(aggregateHash: $0) }
  }

  /// Writes the archive with the rows of another one, and closes it.
  func finish(rows: [String: String]) throws -> ArchiveSummary {
    try finish { rows.merging([TileHash.metadataKey: $0]) { $1 } }
  }

  private func finish(_ metadata: (_ aggregateHash: String) throws -> [String: String]) throws
    -> ArchiveSummary
  {
    try UserError.writing(url) {
      let archive: MBTilesFile
      switch target {
      case .archive(let started): archive = started
      case .spool(let arrivals):
        archive = try MBTilesFile(creating: url)
        try arrivals.forEach { try archive.add($0, named: $1) }
      }
      let summary = try archive.finish(metadata)
      try archive.close()
      finished = true
      return summary
    }
  }

  private func rejection(_ tile: Tile, _ problem: String) -> UserError {
    UserError(
      .failed, operation: "adding tile \(tile.id) to", path: url.path, reason: problem)
  }
}

extension StoredTile {
  fileprivate init(_ tile: Tile) {
    self.init(zoom: tile.id.zoom, column: tile.id.column, tmsRow: tile.id.tmsRow, data: tile.data)
  }
}

/// Stores the tiles of an archive on disk in the order of their arrival.
///
/// `finish` reads them in one fixed order, so that the archive's bytes do not depend on timing. The file has no name as soon as it is
/// open, so the system removes it with the process, however that ends.
final class TileSpool {
  private let file: FileHandle
  /// Where the name and the image of each tile are in the file, by place.
  private var records: [Int: (start: Int, name: Int, data: Int)] = [:]

  init(beside archive: URL) throws {
    let path = archive.appendingPathExtension("arrivals").path
    let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemCallError.last("open") }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    unlink(path)
  }

  /// Returns false if the tile was added before.
  func add(_ tile: Tile) throws -> Bool {
    let name = Array((tile.name ?? "").utf8)
    let record = (start: Int(try file.offset()), name: name.count, data: tile.data.count)
    guard records.updateValue(record, forKey: TileSpool.place(tile.id)) == nil else { return false }
    try file.write(contentsOf: name + tile.data)
    return true
  }

  /// Passes the tiles and the known names of their images, ordered by zoom, column, and row from the south.
  func forEach(_ body: (StoredTile, _ name: String?) throws -> Void) throws {
    let sorted = records.sorted { $0.key < $1.key }
    let batches = stride(from: 0, to: sorted.count, by: MBTilesFile.batch)
      .map { sorted[$0...].prefix(MBTilesFile.batch) }
    // The next tiles are read beside the work on these.
    try processInOrder(batches, width: 1) { [file] batch in
      try batch.map { place, record in
        try file.seek(toOffset: UInt64(record.start))
        let bytes = Array(try file.read(upToCount: record.name + record.data) ?? Data())
        let coordinate = (1 << TileSpool.bits) - 1
        let tile = StoredTile(
          zoom: place >> (2 * TileSpool.bits), column: (place >> TileSpool.bits) & coordinate,
          tmsRow: place & coordinate, data: Array(bytes.dropFirst(record.name)))
        return (tile, name: String(decoding: bytes.prefix(record.name), as: UTF8.self))
      }
    } consume: { batch in
      for (tile, name) in batch { try body(tile, name.isEmpty ? nil : name) }
    }
  }

  /// Zoom, column and row in one number that sorts the same way.
  private static func place(_ id: TileID) -> Int {
    id.zoom << (2 * bits) | id.column << bits | id.tmsRow
  }

  private static let bits = StoredTile.deepestZoom
}
