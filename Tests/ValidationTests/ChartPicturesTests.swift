import Core
import Foundation
import ImageIO
import Pipeline
import TestSupport
import Testing
import TileArchive
import Validation

/// What a report shows of a chart.
@Suite struct ChartPicturesTests {
  let fixture: ArchiveFixture
  init() throws { fixture = try ArchiveFixture() }

  @Test func theyAreTheChartAndItsFourEdges() throws {
    let pictures = try ChartPictures(of: fixture.file)
    #expect(pictures.edges.map(\.name) == ["North edge", "West edge", "East edge", "South edge"])
    #expect(pictures.edges.allSatisfy { $0.width == 240 && $0.height == 240 })
    #expect((320...480).contains(max(pictures.overview.width, pictures.overview.height)))
    for picture in [pictures.overview] + pictures.edges {
      let image = try TileImage.decode(picture.webP)
      #expect(image.width == picture.width && image.height == picture.height)
    }
    #expect(pictures.hasNeatline && pictures.largestZoom == 11)
    let expected = WebMercator.resolution(zoom: 11) * cos(37.55 * .pi / 180)
    #expect(abs(pictures.metresPerPixel - expected) < 0.2)
  }

  @Test func eachInsetHasAPictureOfItsPlace() throws {
    let middle = ArchiveFixture.box.center
    func inset(_ name: String?, _ side: Double) -> Product.Cut.Inset {
      Product.Cut.Inset(
        name: name, verdict: .unclear, columns: nil, rows: nil,
        box: GeoBox(
          west: middle.longitude - side, south: middle.latitude - side, east: middle.longitude + side,
          north: middle.latitude + side), evidence: nil)
    }
    let pictures = try ChartPictures(of: fixture.file, insets: [inset("Norfolk", 0.05), inset(nil, 2)])
    #expect(pictures.insets.map(\.name) == ["Inset Norfolk, unclear", "Inset, unclear"])
    let image = try TileImage.decode(pictures.insets[0].webP)
    #expect(max(image.width, image.height) <= 360 && max(image.width, image.height) > 150)
    // A place on the earth without any tile, as of a forged description.
    let elsewhere = Product.Cut.Inset(
      name: nil, verdict: .missing, columns: nil, rows: nil,
      box: GeoBox(west: .nan, south: 1e300, east: -.infinity, north: 95), evidence: nil)
    #expect(try ChartPictures(of: fixture.file, insets: [elsewhere]).insets.count == 1)
  }

  /// An archive of one tile a zoom, whose bounds are those of the tile at zoom 8.
  private func archive(_ channel: () -> UInt8) throws -> URL {
    let file = fixture.folder.file("one.mbtiles")
    let place = ArchiveFixture.box.center
    let writer = try MBTilesWriter(creating: file)
    for zoom in 6...8 {
      var image = RGBAImage(width: 256, height: 256)
      for index in image.pixels.indices { image.pixels[index] = index % 4 == 3 ? 255 : channel() }
      try writer.add(Tile(id: TileID(zoom: zoom, containing: place), data: try PNG.encode(image)))
    }
    _ = try writer.finish(
      ArchiveMetadata(
        name: "One", format: "png", bounds: TileID(zoom: 8, containing: place).box, minZoom: 6, maxZoom: 8,
        attribution: "", description: "", version: "1", extra: [:]))
    return file
  }

  /// Beyond each edge there is nothing, and within it the map.
  @Test func theMapEndsWhereTheEdgeIs() throws {
    let places = [
      "North edge": [(120, 12), (120, 228)], "West edge": [(12, 120), (228, 120)],
      "East edge": [(228, 120), (12, 120)], "South edge": [(120, 228), (120, 12)],
    ]
    for picture in try ChartPictures(of: archive { 20 }).edges {
      let image = try TileImage.decode(picture.webP)
      let reds = try #require(places[picture.name]).map { image[$0.0, $0.1].red }
      #expect((150...205).contains(reds[0]) && reds[1] < 40, "\(picture.name): \(reds)")
    }
  }

  /// Noise is the worst that can be asked of an encoder; no chart comes near it.
  @Test func noChartTakesMoreThanAPageCanHold() throws {
    var random = SystemRandomNumberGenerator()
    let pictures = try ChartPictures(of: archive { random.next() })
    #expect(!pictures.hasNeatline)
    let bytes = ([pictures.overview] + pictures.edges).map(\.webP.count).reduce(0, +)
    #expect(bytes < 150_000, "\(bytes)")
  }

  @Test func whatIsNoArchiveIsAFault() throws {
    let file = fixture.folder.file("text.mbtiles")
    try Data("text".utf8).write(to: file)
    #expect(throws: (any Error).self) { try ChartPictures(of: file) }
  }
}
