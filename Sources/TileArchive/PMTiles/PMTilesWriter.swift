internal import ArchiveIO
internal import Core
internal import CryptoIO
public import Foundation
internal import Pipeline

/// Writes the tiles of another archive as PMTiles v3: clustered, identical tiles once, runs of them in one entry.
///
/// The tiles are read twice, first to plan the file and then to fill it, so memory does not grow with their bytes. The
/// same tiles and metadata give the same bytes. Nothing is left of a file that could not be finished.
public enum PMTilesWriter {
  /// The versions of the libraries that can change a byte.
  public static var libraries: [String: String] { ["libdeflate": Gzip.libraryVersion] }

  /// - Parameter advanced: told now and then how many tiles are written; what it throws ends the writing.
  public static func write(
    _ source: any TileSource, to url: URL, advanced: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> ArchiveSummary {
    guard !FileManager.default.fileExists(atPath: url.path) else { throw UserError.inTheWay(url) }
    do {
      let plan = try PMTilesPlan(source)
      try plan.write(source, to: url, advanced)
      return plan.summary
    } catch {
      try? FileManager.default.removeItem(at: url)  // the first error is the one to tell
      switch error {
      case let flaw as ArchiveFlaw: throw UserError.reading(source.url, flaw.problem)
      case is CancellationError: throw error
      default: throw UserError.writing(url, error)
      }
    }
  }
}

/// Everything of the file but its tiles.
private struct PMTilesPlan {
  private let survey: PMTilesSurvey
  private let layout: PMTilesLayout
  private let header: PMTilesHeader
  /// From the first byte to where the tiles begin.
  private let head: [UInt8]

  var summary: ArchiveSummary {
    ArchiveSummary(zooms: survey.tally.zooms, distinctTiles: survey.lengths.count)
  }

  init(_ source: any TileSource) throws {
    var survey = PMTilesSurvey()
    try source.forEachTile { try survey.add($0) }
    let layout = try PMTilesLayout(survey)
    let directories = try PMTilesDirectories(layout.entries)
    let rows = try source.metadata()
    let metadata = try Gzip.compress(PMTilesMetadata.json(rows))
    var header = try PMTilesHeader(rows, zooms: survey.tally.zooms)
    header.root = .init(offset: PMTilesHeader.byteCount, count: directories.root.count)
    header.metadata = .init(offset: header.root.end, count: metadata.count)
    header.leaves = .init(offset: header.metadata.end, count: directories.leaves.count)
    header.tiles = .init(offset: header.leaves.end, count: layout.tileBytes)
    header.addressedTiles = survey.tiles.count
    header.entries = layout.entries.count
    header.contents = survey.lengths.count
    head = header.bytes + directories.root + metadata + directories.leaves
    (self.survey, self.layout, self.header) = (survey, layout, header)
  }

  /// The tiles come in another order than they go in, so each is written at its place.
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
        try file.seek(toOffset: UInt64(header.tiles.offset + layout.offsets[content]))
        try file.write(contentsOf: Data(tile.data))
        isWritten[content] = true
      }
      done += 1
      if done.isMultiple(of: 256) { try advanced(done, survey.tiles.count) }
    }
    guard done == survey.tiles.count else { throw changed }
  }

  private var changed: ArchiveFlaw { ArchiveFlaw("it was changed while it was read") }
}

extension PMTilesHeader {
  /// What the rows say, and the zooms that are really there.
  fileprivate init(_ rows: [String: String], zooms: [ZoomSummary]) throws {
    self.init()
    guard let first = zooms.first, let last = zooms.last else { throw ArchiveFlaw("there is no tile in it") }
    tileType = TileType(format: rows["format"] ?? "")
    guard tileType != .unknown else {
      let told = rows["format"].map { "\"\($0)\"" } ?? "missing"
      throw ArchiveFlaw("its `format` is \(told); only png, jpg and webp are written as PMTiles")
    }
    (minZoom, maxZoom) = (UInt8(first.zoom), UInt8(last.zoom))
    let bounds = rows["bounds"].flatMap { GeoBox(metadata: $0) } ?? last.box
    southWest = Place(GeoPoint(longitude: bounds.west, latitude: bounds.south))
    northEast = Place(GeoPoint(longitude: bounds.east, latitude: bounds.north))
    let told = rows["center"]?.split(separator: ",").map { Double($0) ?? .nan } ?? []
    let place = told.count == 3 ? GeoPoint(longitude: told[0], latitude: told[1]) : bounds.center
    let zoom = told.count == 3 ? Int(exactly: told[2]) : nil
    center = Place(bounds.contains(place) ? place : bounds.center)
    centerZoom = zoom.flatMap { UInt8(exactly: $0) } ?? UInt8((first.zoom + last.zoom) / 2)
  }
}

extension PMTilesHeader.Place {
  /// A place of a box on the earth.
  fileprivate init(_ point: GeoPoint) {
    longitude = PMTilesMetadata.tenMillionths(point.longitude) ?? 0
    latitude = PMTilesMetadata.tenMillionths(point.latitude) ?? 0
  }
}

extension ZoomSummary {
  /// What its tiles cover, as a box of the columns and rows that they reach over.
  fileprivate var box: GeoBox {
    TileID(zoom: zoom, column: columns.first, row: rows.first).box
      .union(TileID(zoom: zoom, column: columns.last, row: rows.last).box)
  }
}

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
