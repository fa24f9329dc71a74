import Foundation
import Geo
import ImageIO
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

  /// Beyond each edge there is nothing, and within it the map.
  @Test func theMapEndsWhereTheEdgeIs() throws {
    for picture in try ChartPictures(of: fixture.file).edges {
      let image = try TileImage.decode(picture.webP)
      let side = picture.name.split(separator: " ")[0]
      let (column, row) =
        side == "West" ? (12, 120) : side == "East" ? (228, 120) : side == "North" ? (120, 12) : (120, 228)
      let beyond = image[column, row]
      let isGrey = abs(Int(beyond.red) - Int(beyond.green)) < 12 && (150...205).contains(beyond.red)
      #expect(isGrey, "\(picture.name): \(beyond)")
    }
  }

  /// Noise is the worst that can be asked of an encoder; no chart comes near it.
  @Test func noChartTakesMoreThanAPageCanHold() throws {
    let file = fixture.folder.file("noise.mbtiles")
    let writer = try MBTilesWriter(creating: file)
    var random = SystemRandomNumberGenerator()
    for zoom in 6...8 {
      var image = RGBAImage(width: 256, height: 256)
      for index in image.pixels.indices { image.pixels[index] = index % 4 == 3 ? 255 : random.next() }
      try writer.add(
        Tile(id: TileID(zoom: zoom, containing: ArchiveFixture.box.center), data: try PNG.encode(image)))
    }
    let box = TileID(zoom: 8, containing: ArchiveFixture.box.center).box
    _ = try writer.finish(
      ArchiveMetadata(
        name: "Noise", format: "png", bounds: box, minZoom: 6, maxZoom: 8, attribution: "", description: "",
        version: "1", extra: [:]))
    let pictures = try ChartPictures(of: file)
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
