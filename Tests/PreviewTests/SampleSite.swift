import Core
import CryptoIO
import Foundation
import TestSupport

@testable import ChartpipeKit

/// A site whose files are written one by one, so that any of them can be wrong.
struct SampleSite {
  static let tile = TileID(zoom: 6, column: 10, row: 24)
  static let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

  let folder = TemporaryFolder()
  /// The preview does not verify hashes.
  private let hash: SHA256Hex
  var root: URL { folder.url }

  init() throws {
    hash = try SHA256Hex(of: [])
    try stage([], cycles: [])
  }

  /// - Parameter path: of the archive, which is made if it lies within the site.
  func chart(_ name: String, path: String? = nil, boxes: [GeoBox]? = nil) throws -> Product {
    let path = path ?? "blobs/\(name).mbtiles"
    let box = GeoBox(west: -123, south: 37, east: -122, north: 38)
    if !path.contains("..") { try archive(at: folder.file(path), box) }
    return product(
      "made-up/\(name)", .chart, "png", path, role: .tiles, bytes: size(folder.file(path)), box, boxes)
  }

  func product(
    _ id: String, _ kind: Product.Kind, _ format: String, _ path: String, role: Product.Role, bytes: Int,
    _ box: GeoBox? = nil, _ boxes: [GeoBox]? = nil
  ) -> Product {
    Product(
      id: id, kind: kind, name: id, cycle: "2304", edition: "2023-04-20",
      effectiveDate: "2023-04-20T09:01:00Z",
      expirationDate: "2023-06-15T09:01:00Z", boundingBox: box, boundingBoxes: boxes, minZoom: 6, maxZoom: 6,
      format: format, files: [.init(path: path, sha256: hash, bytes: bytes, mediaType: "x/y", role: role)],
      sources: [],
      build: .init(tool: "t", version: "1", libraries: [:], definitionSha256: hash, counts: [:]))
  }

  /// - Parameter cycles: at most two, the earlier one first.
  func stage(_ products: [Product], cycles: [AiracCycle] = ["2304"]) throws {
    let entries = cycles.map { cycle in
      CycleEntry(
        id: cycle, effective: cycle.effective, expires: cycle.expires,
        manifest: FileReference(path: "cycles/\(cycle)/manifest.json", sha256: hash, bytes: 1))
    }
    let catalogue = Catalog(
      serial: 1, previous: entries.first, current: entries.dropFirst().first, next: nil, products: products)
    try write(CanonicalJSON.pretty(catalogue), to: "catalog.json")
  }

  func write(_ data: Data, to path: String) throws {
    let file = folder.file(path)
    try file.deletingLastPathComponent().makeFolder()
    try data.write(to: file)
  }

  private func size(_ file: URL) -> Int { (try? file.data.count) ?? 1 }

  private func archive(at file: URL, _ box: GeoBox) throws {
    try file.deletingLastPathComponent().makeFolder()
    let writer = try MBTilesWriter(creating: file)
    try writer.add(Tile(id: SampleSite.tile, data: SampleSite.picture))
    let ring = "[[-123.123456,37],[-122,37],[-122,38],[-123.123456,37]]"
    _ = try writer.finish(
      ArchiveMetadata(
        name: "x", format: "png", bounds: box, minZoom: 6, maxZoom: 6, attribution: "", description: "",
        version: "1",
        extra: ["chartpipe:neatline": "{\"type\":\"Polygon\",\"coordinates\":[\(ring)]}"]))
  }
}
