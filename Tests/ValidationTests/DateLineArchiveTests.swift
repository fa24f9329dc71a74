import Core
import Foundation
import ImageIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// An archive of a chart across 180 degrees, with a hole in the middle of its western part.
@Suite struct DateLineArchiveTests {
  private let folder = TemporaryFolder()
  private var file: URL { folder.file("Isles.mbtiles") }

  private static let extent = GeoBox(west: 176, south: 50, east: 188, north: 54)
  private static let hole = GeoBox(west: 176.5, south: 51, east: 179.5, north: 53)
  private static let geoJSON = """
    {"type":"MultiPolygon","coordinates":[
    [[[176,50],[180,50],[180,54],[176,54],[176,50]],[[176.5,51],[176.5,53],[179.5,53],[179.5,51],[176.5,51]]],
    [[[-180,50],[-172,50],[-172,54],[-180,54],[-180,50]]]]}
    """

  /// All tiles that the chart touches, except for those named.
  private func write(without lost: [TileID] = [], adjusted: GeoBox? = extent) throws -> [Finding] {
    let writer = try MBTilesWriter(creating: file)
    for zoom in 6...8 {
      let ids = DateLineArchiveTests.extent.windows.flatMap { TileRange(zoom: zoom, covering: $0).ids }
      for id in ids where !lost.contains(id) && !DateLineArchiveTests.hole.contains(id.box) {
        try writer.add(Tile(id: id, data: try image(of: id)))
      }
    }
    var metadata = ArchiveFixture.metadata
    metadata.bounds = GeoBox(west: -180, south: 50, east: 180, north: 54)
    metadata.adjustedBounds = adjusted
    (metadata.minZoom, metadata.maxZoom) = (6, 8)
    metadata.extra["chartpipe:neatline"] = DateLineArchiveTests.geoJSON
    _ = try writer.finish(metadata)
    return try found(in: file)
  }

  private func image(of id: TileID) throws -> [UInt8] {
    try ArchiveFixture.image(
      of: id, within: DateLineArchiveTests.extent.windows, hole: DateLineArchiveTests.hole)
  }

  private func tile(_ longitude: Double, _ latitude: Double) -> TileID {
    TileID(zoom: 8, containing: GeoPoint(longitude: longitude, latitude: latitude))
  }

  @Test func `has no findings in a good chart across 180 degrees`() throws {
    #expect(DateLineArchiveTests.hole.contains(tile(178, 52).box))
    #expect(try write() == [])
    let reader = try MBTilesReader(opening: file)
    let metadata = try reader.metadata()
    try reader.close()
    #expect(metadata["bounds"] == "-180,50,180,54")
    #expect(metadata["antimeridian_adjusted_bounds"] == "176,50,188,54")
    #expect(metadata["center"] == "-178,52,7")
  }

  @Test func `finds a missing tile on either side of 180 degrees and at the edge`() throws {
    let lost = [tile(179.99, 50.2), tile(-179.99, 52), tile(-172.01, 52), tile(-175, 52)]
    #expect(Set(lost).count == 4)
    let findings = try write(without: lost)
    #expect(findings.map(\.rule) == Array(repeating: "tiles-inside-bounds", count: 4))
    #expect(Set(findings.map(\.where)) == Set(lost.map { "\(file.path) tile \($0)" }))
  }

  /// At zoom 7 it is 1,093 pixels wide: the world in between is not drawn.
  @Test func `draws both parts as one picture`() throws {
    _ = try write()
    let image = try ChartPictures.sheet(of: MBTilesReader(opening: file)).image
    let border = 20
    #expect((1093...1095).contains(image.width - 2 * border))
    let extent = DateLineArchiveTests.extent
    func pixel(_ longitude: Double, _ latitude: Double) -> (column: Int, row: Int) {
      let (x, y) = WebMercator.project(GeoPoint(longitude: longitude, latitude: latitude))
      let (west, north) = WebMercator.project(GeoPoint(longitude: extent.west, latitude: extent.north))
      let metres = WebMercator.resolution(zoom: 7)
      return (border + Int((x - west) / metres), border + Int((north - y) / metres))
    }
    for (longitude, latitude) in [(176.2, 50.5), (179.9, 50.3), (180.1, 50.3), (187.9, 53.5)] {
      let id = TileID(
        zoom: 7, containing: GeoPoint(longitude: longitude.remainder(dividingBy: 360), latitude: latitude))
      let (column, row) = pixel(longitude, latitude)
      let found = image[column, row]
      #expect([found.red, found.green, found.blue] == ArchiveFixture.color(of: id))
    }
    // The neatline is ticked at its edges, but not where its two parts meet.
    func ticks(along longitude: Double) -> Int {
      let (column, top) = pixel(longitude, 53.9)
      return (top..<pixel(longitude, 50.1).row).count { row in
        (column - 4..<column + 4).contains { image[$0, row].red == 255 && image[$0, row].blue == 190 }
      }
    }
    #expect(ticks(along: 180) == 0)
    #expect(ticks(along: 188) > 20)
  }

  @Test func `requires a center inside of the bounds without adjusted bounds`() throws {
    #expect(try write(adjusted: nil) == [])
  }

  @Test func `requires the same two boxes in the product`() throws {
    _ = try write()
    var product = try ProductFixture.product(of: file)
    (product.minZoom, product.maxZoom) = (6, 8)
    product.boundingBox = GeoBox(west: -180, south: 50, east: 180, north: 54)
    for (boxes, isRight) in [
      (DateLineArchiveTests.extent.windows, true), (nil, false), ([DateLineArchiveTests.extent], false),
    ] {
      product.boundingBoxes = boxes
      let description = folder.file("Isles.product.json")
      try CanonicalJSON.pretty(product).write(to: description)
      let findings = try found(in: description)
      #expect(findings.map(\.rule) == (isRight ? [] : ["product-bounds"]))
    }
  }
}
