import Core
import CryptoIO
import Foundation
import ImageIO
import SQLiteIO
import TestSupport

@testable import ChartpipeKit

/// Returns the findings of files and folders, validated by themselves.
func found(in paths: URL...) throws -> [Finding] {
  try Validator().validate(paths, progress: SilentProgress()).findings
}

extension URL {
  /// Runs SQL on the database.
  func execute(_ sql: String) throws {
    let connection = try SQLiteConnection(path, mode: .create)
    try connection.execute(sql)
    try connection.close()
  }
}

extension TileRange {
  var ids: [TileID] { columns.flatMap { column in rows.map { TileID(zoom: zoom, column: column, row: $0) } } }
}

/// A correct archive of a small chart, and ways to corrupt it.
struct ArchiveFixture {
  let folder = TemporaryFolder()
  var file: URL { folder.file("Bay.mbtiles") }

  static let box = GeoBox(west: -122.6, south: 37.2, east: -121.9, north: 37.9)
  static let zooms = 9...11
  static let effective = "2026-10-29T09:01:00Z"
  static let expires = "2026-12-24T09:01:00Z"
  /// Tiles of the largest zoom: one completely inside, and one that the western edge crosses.
  static let inner = TileID(zoom: 11, containing: box.center)
  static let western = TileID(
    zoom: 11, containing: GeoPoint(longitude: box.west, latitude: box.center.latitude))

  init() throws { try ArchiveFixture.good.get().write(to: file) }

  /// Encoded once, since that takes most of these tests' time.
  private static let good = Result { () throws -> Data in
    let folder = TemporaryFolder()
    let writer = try MBTilesWriter(creating: folder.file("a.mbtiles"))
    for id in ids { try writer.add(Tile(id: id, data: try image(of: id))) }
    _ = try writer.finish(metadata)
    return try folder.file("a.mbtiles").data
  }

  private static let ids = zooms.flatMap { TileRange(zoom: $0, covering: box).ids }

  static let metadata = ArchiveMetadata(
    name: "Bay", format: "png", bounds: box, minZoom: zooms.lowerBound, maxZoom: zooms.upperBound,
    attribution: "FAA", description: "A bay that exists", version: "2611",
    extra: [
      "chartpipe:cycle": "2612", "chartpipe:effective": effective, "chartpipe:expires": expires,
      "chartpipe:neatline": """
      {"type":"Polygon","coordinates":[[[-122.6,37.9],[-122.6,37.2],[-121.9,37.2],[-121.9,37.9],[-122.6,37.9]]]}
      """,
    ])

  /// A unique colour, close to that of the parent.
  static func color(of id: TileID) -> [UInt8] {
    [UInt8(id.zoom), UInt8(100 + id.column % 8), UInt8(100 + id.row % 8)]
  }

  /// One colour, and transparent outside of the boxes and in the hole.
  static func image(
    of id: TileID, side: Int = 256, alpha: UInt8 = 255, format: TileFormat? = nil,
    within boxes: [GeoBox] = [box],
    hole: GeoBox? = nil
  ) throws -> [UInt8] {
    let color = Self.color(of: id) + [alpha]
    let (columns, rows) = (boxes.map { part(of: id, $0, side).columns }, part(of: id, boxes[0], side).rows)
    let gap = hole.map { part(of: id, $0, side) } ?? (columns: 0..<0, rows: 0..<0)
    let blank: [UInt8] = [0, 0, 0, 0]
    let row = (0..<side).map { column in columns.contains { $0.contains(column) } ? color : blank }
    let pierced = row.enumerated().flatMap { gap.columns.contains($0.offset) ? blank : $0.element }
    let (whole, none) = (row.flatMap(\.self), [UInt8](repeating: 0, count: side * 4))
    let pixels = (0..<side).flatMap { number in
      rows.contains(number) ? (gap.rows.contains(number) ? pierced : whole) : none
    }
    let image = RGBAImage(width: side, height: side, pixels: pixels)
    return try format.flatMap { try TileCodec($0).encode(image) } ?? PNG.encode(image)
  }

  /// Returns the pixels of a tile inside of a box.
  private static func part(of id: TileID, _ box: GeoBox, _ side: Int) -> (
    columns: Range<Int>, rows: Range<Int>
  ) {
    let corner = id.mercator
    let (west, north) = WebMercator.project(GeoPoint(longitude: box.west, latitude: box.north))
    let (east, south) = WebMercator.project(GeoPoint(longitude: box.east, latitude: box.south))
    let scale = Double(side) / corner.side
    let columns = [west, east].map { min(max(Int((($0 - corner.west) * scale).rounded()), 0), side) }
    let rows = [north, south].map { min(max(Int(((corner.north - $0) * scale).rounded()), 0), side) }
    return (columns[0]..<columns[1], rows[0]..<rows[1])
  }

  /// Replaces every image, with the same colour.
  func replaceAll(side: Int = 256, format: TileFormat? = nil) throws {
    for id in ArchiveFixture.ids {
      try replace(id, by: try ArchiveFixture.image(of: id, side: side, format: format))
    }
    try alter("DELETE FROM images WHERE tile_id NOT IN (SELECT tile_id FROM map)")
    try rehash()
  }

  func alter(_ sql: String, _ values: [SQLiteValue] = []) throws {
    let connection = try SQLiteConnection(file.path, mode: .create)
    try connection.prepare(sql).run(values)
    try connection.close()
  }

  func set(_ key: String, _ value: String) throws {
    try alter("INSERT OR REPLACE INTO metadata VALUES (?, ?)", [.text(key), .text(value)])
  }

  func replace(_ id: TileID, by data: [UInt8]) throws {
    let name = "changed-\(id)"
    try alter("INSERT INTO images VALUES (?, ?)", [.text(name), .blob(data)])
    try alter("UPDATE map SET tile_id = ? WHERE \(ArchiveFixture.isAt(id))", [.text(name)])
  }

  func remove(_ id: TileID) throws { try alter("DELETE FROM map WHERE \(ArchiveFixture.isAt(id))") }

  /// Corrects the hash, so that it does not catch a changed tile.
  func rehash() throws {
    let reader = try MBTilesReader(opening: file)
    let hash = try reader.aggregateHash()
    try reader.close()
    try set("agg_tiles_hash", hash)
  }

  static func isAt(_ id: TileID) -> String {
    "zoom_level = \(id.zoom) AND tile_column = \(id.column) AND tile_row = \(id.tmsRow)"
  }

  func findings() throws -> [Finding] { try found(in: file) }

  func rulesThatFire() throws -> Set<String> { Set(try findings().map(\.rule)) }
}

/// A correct product: a description and its archive.
struct ProductFixture {
  let archive: ArchiveFixture
  var file: URL { archive.folder.file("Bay.product.json") }

  init() throws {
    archive = try ArchiveFixture()
    try write(try ProductFixture.product(of: archive.file))
  }

  /// Cycle 2612 lies in the middle of the charts' 56 days, which began with 2611.
  static func product(of file: URL) throws -> Product {
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
    let hash = try SHA256Hex(ofFile: file)
    return Product(
      id: "test/Bay", kind: .chart, name: "Bay", cycle: "2612", edition: "2026-10-29",
      effectiveDate: "2026-10-29T09:01:00Z", expirationDate: "2026-12-24T09:01:00Z",
      boundingBox: ArchiveFixture.box, minZoom: 9, maxZoom: 11, format: "png",
      files: [
        Product.File(
          path: file.lastPathComponent, sha256: hash, bytes: size ?? 0,
          mediaType: "application/vnd.sqlite3", role: .tiles)
      ],
      sources: [],
      build: Product.Build(
        tool: "chartpipe", version: "0", libraries: [:], definitionSha256: hash, counts: [:]))
  }

  func write(_ product: Product) throws { try CanonicalJSON.pretty(product).write(to: file) }

  func change(_ body: (inout Product) -> Void) throws {
    var product = try ProductFixture.product(of: archive.file)
    body(&product)
    try write(product)
  }

  func findings() throws -> [Finding] { try found(in: file) }

  /// Leaves out rules about the sheet, which the fixture lacks.
  func findingsBesidesSheet() throws -> [Finding] { try findings().filter { $0.rule != "sheet-evidence" } }
}

/// A small correct app database in Aero's schema.
struct DatabaseFixture {
  let folder = TemporaryFolder()
  var file: URL { folder.file("aviation.sqlite") }

  init() throws {
    let connection = try SQLiteConnection(file.path, mode: .create)
    try connection.execute(
      """
      PRAGMA application_id = \(DatabaseSchema.applicationID); PRAGMA user_version = \(DatabaseSchema.version)
      """)
    for table in DatabaseSchema.tables { try connection.execute(table.sql) }
    try connection.execute(DatabaseFixture.rows)
    for table in DatabaseSchema.tables { try DatabaseIndexes.make(over: table, on: connection) }
    try connection.close()
  }

  func alter(_ sql: String) throws { try file.execute(sql) }

  func findings() throws -> [Finding] { try found(in: file) }

  /// Positions and numbers as the FAA publishes them, rounded.
  private static let rows = """
    INSERT INTO airports (id, icao, faaID, siteNumber, siteType, name, city, state, latitude, longitude, elevation,
      type, ctafFrequency, unicomFrequency, magneticVariation, patternAltitude, fuelTypes, hasBeaconLight, isTowered,
      longestRunway, effectiveDate)
    VALUES
      (1, 'KHAF', 'HAF', '01613.1', 'A', 'HALF MOON BAY', 'HALF MOON BAY', 'CA', 37.5134, -122.5011, 66.3,
        'airport', 122.8, 122.8, 14, 1000, '["100LL"]', 1, 0, 5000, '2026-11-26'),
      (2, 'KPAO', 'PAO', '02022.1', 'A', 'PALO ALTO', 'PALO ALTO', 'CA', 37.4611, -122.1150, 6.8,
        'airport', 118.6, 122.95, 14, 800, '["100LL"]', 1, 1, 2443, '2026-11-26'),
      (3, 'KSQL', 'SQL', '02230.1', 'A', 'SAN CARLOS', 'SAN CARLOS', 'CA', 37.5119, -122.2495, 5.4,
        'airport', 119, 122.95, 14, 800, '["100LL"]', 1, 1, 2621, '2026-11-26'),
      (4, 'CA35', 'CA35', '02179.1', 'A', 'SAN RAFAEL', 'SAN RAFAEL', 'CA', 38.0160, -122.5214, 5,
        'airport', NULL, NULL, 15, NULL, '[]', 0, 0, 2140, '2026-11-26');
    INSERT INTO runways (airport, id, length, width, lighting, baseEndID, baseEndLatitude, baseEndLongitude,
      baseEndTrueHeading, baseEndDisplacedThreshold, reciprocalEndID, reciprocalEndTrueHeading)
    VALUES
      ('KPAO', '13/31', 2443, 70, 'fullTime', '13', 37.4643, -122.1180, 142, 0, '31', 322),
      ('KHAF', '12/30', 5000, 150, 'fullTime', '12', NULL, NULL, 137, 0, '30', 317),
      ('CA35', '04/22', 2140, 30, 'none', '04', NULL, NULL, NULL, 0, '22', NULL),
      ('KSQL', '12/30', 2621, 75, 'fullTime', '12', 37.5145, -122.2526, 139, 0, '30', 319);
    INSERT INTO frequencies (airport, number, type, frequency, vhf, receiveOnly)
    VALUES
      ('KPAO', 1, 'ctaf', 118.6, 1, 0), ('KPAO', 2, 'approach', 288.3, 0, 0), ('KPAO', 3, 'tower', 118.6, 1, 0),
      ('KPAO', 4, 'unicom', 122.95, 1, 0), ('KSQL', 1, 'ctaf', 119, 1, 0), ('KSQL', 3, 'tower', 119, 1, 0),
      ('KSQL', 4, 'unicom', 122.95, 1, 0), ('KHAF', 1, 'ctaf', 122.8, 1, 0), ('KHAF', 3, 'unicom', 122.8, 1, 0);
    INSERT INTO navaids (id, identifier, name, type, latitude, longitude, elevation, frequency, isPublic)
    VALUES
      (1, 'OAK', 'OAKLAND', 'vortac', 37.7259, -122.2236, 9.6, 116.8, 1),
      (2, 'PIO', 'SAINT LOUIS', 'ndb', 38.5, -121.9, NULL, 353, 1);
    INSERT INTO metadata VALUES
      ('cycle', '2612'), ('effective', '2026-11-26T09:01:00Z'), ('expires', '2026-12-24T09:01:00Z'),
      ('edition', '2026-11-26'), ('edition_56_day', '2026-10-29'), ('expires_56_day', '2026-12-24T09:01:00Z'),
      ('schema_version', '\(DatabaseSchema.version)'), ('counts.airports', '4'), ('counts.runways', '4'),
      ('counts.frequencies', '9'), ('counts.navaids', '2');
    """
}
