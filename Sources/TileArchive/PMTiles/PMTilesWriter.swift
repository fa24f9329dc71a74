internal import ArchiveIO
internal import Core
internal import CryptoIO
public import Foundation

/// Writes the tiles of another archive as PMTiles v3: clustered, identical tiles once, runs of them in one entry.
///
/// The tiles are read twice, first to plan the file and then to write it, so memory does not grow with their bytes. For an
/// archive that this tool built, the first pass reads no images. The same
/// tiles and metadata give the same bytes. An unfinished file is removed.
public enum PMTilesWriter {
  /// The versions of the libraries that can change a byte.
  public static var libraries: [String: String] { ["libdeflate": Gzip.libraryVersion] }

  /// - Parameters:
  ///   - rows: the metadata to write; nil for those of the source.
  ///   - isOwn: whether this tool built the source, so that the names of its images show which are identical.
  ///   - advanced: called with the number of tiles written and the total. An error that it throws stops the writing.
  public static func write(
    _ source: any TileSource, rows: [String: String]? = nil, isOwn: Bool = false, to url: URL,
    advanced: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> ArchiveSummary {
    guard !FileManager.default.fileExists(atPath: url.path) else { throw UserError.inTheWay(url) }
    do {
      let plan = try PMTilesPlan(source, rows ?? source.metadata(), isOwn: isOwn)
      try plan.write(source, to: url, advanced)
      return plan.summary
    } catch {
      try? FileManager.default.removeItem(at: url)  // the first error is reported
      switch error {
      case let flaw as ArchiveDefect: throw UserError.reading(source.url, flaw.problem)
      case is CancellationError: throw error
      default: throw UserError.writing(url, error)
      }
    }
  }
}

/// The file's contents except for its tiles: tiles ordered by their numbers, each image at its first use.
private struct PMTilesPlan {
  private let survey: PMTilesSurvey
  private let header: PMTilesHeader
  /// The offset of each image in the tile section.
  private let offsets: [Int]
  /// All bytes before the first tile.
  private let head: [UInt8]

  var summary: ArchiveSummary {
    ArchiveSummary(zooms: survey.tally.zooms, distinctTiles: survey.lengths.count)
  }

  init(_ source: any TileSource, _ rows: [String: String], isOwn: Bool) throws {
    survey = try PMTilesSurvey(source, isOwn: isOwn, TileEncoding(row: rows["format"] ?? ""))
    let (entries, offsets, tileBytes) = try PMTilesPlan.layout(of: survey)
    let (root, leaves) = try entries.directories()
    let metadata = try Gzip.compress(PMTilesMetadata.json(rows))
    var header = try PMTilesHeader(rows, zooms: survey.tally.zooms)
    header.root = .init(offset: PMTilesHeader.byteCount, count: root.count)
    header.metadata = .init(offset: header.root.end, count: metadata.count)
    header.leaves = .init(offset: header.metadata.end, count: leaves.count)
    header.tiles = .init(offset: header.leaves.end, count: tileBytes)
    header.addressedTiles = survey.tiles.count
    header.entries = entries.count
    header.contents = survey.lengths.count
    // This program must be able to read the archive again.
    var budget = PMTilesBudget(fileSize: header.tiles.end)
    for entry in entries { try budget.spend(tiles: Int(entry.run), ofBytes: Int(entry.length)) }
    head = header.bytes + root + metadata + leaves
    (self.header, self.offsets) = (header, offsets)
  }

  private static func layout(
    of survey: PMTilesSurvey
  ) throws(ArchiveDefect) -> (entries: [PMTilesEntry], offsets: [Int], tileBytes: Int) {
    var entries: [PMTilesEntry] = []
    var offsets = [Int](repeating: -1, count: survey.lengths.count)
    var tileBytes = 0
    for (id, content) in survey.tiles.sorted(by: { $0.id < $1.id }).map({ ($0.id, Int($0.content)) }) {
      let length = survey.lengths[content]
      if offsets[content] < 0 {
        offsets[content] = tileBytes
        tileBytes += Int(length)
      }
      guard let last = entries.last, id <= last.end else {
        entries.append(PMTilesEntry(id: id, offset: offsets[content], length: length, run: 1))
        continue
      }
      guard id == last.end else {
        throw ArchiveDefect("tile \(TileID(hilbert: id).map { "\($0)" } ?? "\(id)") occurs twice")
      }
      if offsets[content] == last.offset, last.run < UInt32.max {
        entries[entries.count - 1].run += 1
      } else {
        entries.append(PMTilesEntry(id: id, offset: offsets[content], length: length, run: 1))
      }
    }
    return (entries, offsets, tileBytes)
  }

  /// The tiles are read in another order than they are stored, so each is written at its position.
  func write(_ source: any TileSource, to url: URL, _ advanced: (Int, Int) throws -> Void) throws {
    guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
      throw CocoaError(.fileWriteNoPermission)
    }
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    try file.write(contentsOf: Data(head))
    var isWritten = [Bool](repeating: false, count: survey.lengths.count)
    var done = 0
    try source.forEachTile { tile in
      guard done < survey.tiles.count, survey.tiles[done].id == tile.id.hilbert else { throw changed }
      let content = Int(survey.tiles[done].content)
      if !isWritten[content] {
        guard tile.data.count == survey.lengths[content] else { throw changed }
        try file.seek(toOffset: UInt64(header.tiles.offset + offsets[content]))
        try file.write(contentsOf: Data(tile.data))
        isWritten[content] = true
      }
      done += 1
      if done.isMultiple(of: 256) { try advanced(done, survey.tiles.count) }
    }
    guard done == survey.tiles.count else { throw changed }
  }

  private var changed: ArchiveDefect { ArchiveDefect("it was changed while it was read") }
}

extension PMTilesHeader {
  /// Makes the header from the rows and the existing zooms.
  fileprivate init(_ rows: [String: String], zooms: [ZoomSummary]) throws {
    self.init()
    guard let first = zooms.first, let last = zooms.last else { throw ArchiveDefect("it contains no tile") }
    guard let format = rows["format"].flatMap({ TileEncoding(row: $0) }) else {
      throw ArchiveDefect("its `format` is not \(TileEncoding.list)")
    }
    (tileType, tileCompression) = (TileType(format), format.isVector ? .gzip : .none)
    (minZoom, maxZoom) = (UInt8(first.zoom), UInt8(last.zoom))
    let bounds = rows["bounds"].flatMap { GeoBox(metadata: $0) } ?? last.box
    southWest = Place(GeoPoint(longitude: bounds.west, latitude: bounds.south))
    northEast = Place(GeoPoint(longitude: bounds.east, latitude: bounds.north))
    let stated = rows["center"].flatMap { MapCenter($0) }.flatMap { bounds.contains($0.point) ? $0 : nil }
    center = Place(stated?.point ?? bounds.center)
    centerZoom = stated?.zoom.flatMap { UInt8(exactly: $0) } ?? UInt8((first.zoom + last.zoom) / 2)
  }
}

extension PMTilesHeader.Place {
  /// A position in the header's unit.
  fileprivate init(_ point: GeoPoint) {
    longitude = PMTilesMetadata.tenMillionths(point.longitude) ?? 0
    latitude = PMTilesMetadata.tenMillionths(point.latitude) ?? 0
  }
}

extension ZoomSummary {
  /// Whether the numbers are those of tiles.
  var isPossible: Bool {
    StoredTile.isPossible(zoom: zoom, column: columns.first, row: rows.first)
      && StoredTile.isPossible(zoom: zoom, column: columns.last, row: rows.last)
  }

  /// The box of the columns and rows that its tiles cover.
  var box: GeoBox {
    TileID(zoom: zoom, column: columns.first, row: rows.first).box
      .union(TileID(zoom: zoom, column: columns.last, row: rows.last).box)
  }
}

/// The result of the first pass over the tiles: which exist, which are identical, and their lengths. It uses some sixty bytes
/// for each tile, regardless of the size of the images.
struct PMTilesSurvey {
  /// Half of the SHA-256 of an image or of its name, which is enough to distinguish images.
  private typealias Fingerprint = SIMD2<UInt64>

  /// In the order of the pass.
  private(set) var tiles: [(id: Int, content: Int32)] = []
  private(set) var lengths: [UInt32] = []
  private(set) var tally = ZoomTally()
  private var contents: [Fingerprint: Int32] = [:]

  init(_ source: any TileSource, isOwn: Bool, _ format: TileEncoding?) throws {
    if isOwn, let archive = source as? MBTilesReader {
      try archive.forEachImage { try add($0, PMTilesSurvey.fingerprint(Array($1.utf8)), bytes: $2) }
      return
    }
    let isVector = format?.isVector ?? false
    try source.forEachTile { tile in
      // The header states one compression for all tiles.
      guard !isVector || tile.data.isEmpty || Gzip.isCompressed(tile.data) else {
        throw ArchiveDefect("tile \(tile.id) is not compressed with gzip")
      }
      try add(tile.id, PMTilesSurvey.fingerprint(tile.data), bytes: tile.data.count)
    }
  }

  private static func fingerprint(_ data: [UInt8]) throws -> Fingerprint {
    let digest = try Digest(.sha256)
    try digest.update(data)
    let bytes = try digest.finish()
    return Fingerprint([0, 8].map { bytes[$0..<$0 + 8].reduce(0) { $0 << 8 | UInt64($1) } })
  }

  private mutating func add(_ id: TileID, _ fingerprint: Fingerprint, bytes: Int) throws {
    guard let length = UInt32(exactly: bytes), length > 0, lengths.count < Int32.max else {
      throw ArchiveDefect("tile \(id) is \(bytes == 0 ? "empty" : "too large")")
    }
    let content = contents[fingerprint] ?? Int32(lengths.count)
    if contents.updateValue(content, forKey: fingerprint) == nil { lengths.append(length) }
    tiles.append((id.hilbert, content))
    tally.add(zoom: id.zoom, column: id.column, row: id.row, bytes: bytes)
  }
}
