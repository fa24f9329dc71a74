import Core
import Foundation
import ImageIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// Each tile of the fixture has a unique colour, so a pixel shows which tile it comes from.
@Suite struct ChartSheetTests {
  let fixture: ArchiveFixture
  init() throws { fixture = try ArchiveFixture() }

  private static let magenta = [255, 0, 190]
  /// The area around the chart.
  private static let border = 20

  /// Drawn once, since drawing takes most of these tests' time.
  private static let good = Result { () throws -> RGBAImage in
    let fixture = try ArchiveFixture()
    return try ChartPictures.sheet(of: MBTilesReader(opening: fixture.file)).image
  }

  private func sheet(_ file: URL? = nil) throws -> RGBAImage {
    try ChartPictures.sheet(of: ArchiveKind.open(file ?? fixture.file)).image
  }

  private func color(_ id: TileID) -> [Int] { ArchiveFixture.color(of: id).map(Int.init) }

  private func pixel(_ image: RGBAImage, _ x: Int, _ y: Int) -> [Int] {
    let (red, green, blue, alpha) = image[x, y]
    #expect(alpha == 255)
    return [Int(red), Int(green), Int(blue)]
  }

  /// The pixel of a place in the overview. The box is 0.7 degrees wide: 1,020 pixels at zoom 11, the largest at which it fits.
  private func pixel(of place: GeoPoint) -> (column: Int, row: Int) {
    let origin = WebMercator.project(
      GeoPoint(longitude: ArchiveFixture.box.west, latitude: ArchiveFixture.box.north))
    let (x, y) = WebMercator.project(place)
    let metres = WebMercator.resolution(zoom: 11)
    return (Self.border + Int((x - origin.x) / metres), Self.border + Int((origin.y - y) / metres))
  }

  @Test func `shows the whole chart in its place`() throws {
    let place = GeoPoint(longitude: -122.31, latitude: 37.51)
    let (column, row) = pixel(of: place)
    #expect(try pixel(Self.good.get(), column, row) == color(TileID(zoom: 11, containing: place)))
  }

  @Test func `shows the edges enlarged below, east as the third`() throws {
    let image = try Self.good.get()
    let box = ArchiveFixture.box
    let (x0, north) = WebMercator.project(GeoPoint(longitude: box.east, latitude: box.north))
    let south = WebMercator.project(GeoPoint(longitude: box.east, latitude: box.south)).y
    let inside = WebMercator.unproject(x: x0 - 5 * WebMercator.resolution(zoom: 11), y: (north + south) / 2)
    let expected = color(TileID(zoom: 11, containing: inside))
    // Three quarters of the crop are on the chart.
    let (x, y) = (2 * (240 + 20) + 180 - 10, image.height - 120)
    #expect(pixel(image, x, y) == expected && pixel(image, x + 1, y) == expected)
  }

  @Test func `draws the ticks of the neatline on its outer side only`() throws {
    let image = try Self.good.get()
    let ticks = (40..<400).filter { y in pixel(image, Self.border - 3, y) == Self.magenta }
    #expect(ticks.count >= 25, "one every twelve pixels")
    #expect(!(40..<400).contains { pixel(image, Self.border + 3, $0) == Self.magenta })
  }

  @Test func `shows transparency as a checkerboard and broken tiles in red`() throws {
    let (column, row) = pixel(of: ArchiveFixture.inner.box.center)
    #expect(try pixel(Self.good.get(), column, row) == color(ArchiveFixture.inner))
    try fixture.remove(ArchiveFixture.inner)
    #expect(try [168, 192].contains(pixel(sheet(), column, row)[0]))
    let other = try ArchiveFixture()
    try other.replace(ArchiveFixture.inner, by: [0])
    #expect(try pixel(sheet(other.file), column, row) == [230, 0, 0])
  }

  @Test func `draws the same picture from PMTiles`() throws {
    let twin = fixture.folder.file("Bay.pmtiles")
    _ = try PMTilesWriter.write(try MBTilesReader(opening: fixture.file), to: twin)
    #expect(try sheet(twin) == Self.good.get())
  }

  @Test func `does not crash with invalid metadata`() throws {
    try fixture.set(
      "chartpipe:neatline", #"{"type":"Polygon","coordinates":[[[1e300,9],[9,9],[9,8],[1e300,9]]]}"#)
    _ = try sheet()
    try fixture.set("bounds", "-180,-90,180,90")
    let wide = #expect(throws: UserError.self) { try sheet() }
    #expect(wide?.reason.hasPrefix("even at its smallest zoom, 9, it is 131") == true)
    try fixture.set("bounds", "here")
    #expect(throws: UserError.self) { try sheet() }
  }
}

/// The pictures of a chart in a report.
@Suite struct ChartPicturesTests {
  let fixture: ArchiveFixture
  init() throws { fixture = try ArchiveFixture() }

  @Test func `shows the chart and its four edges`() throws {
    let pictures = try ChartPictures(of: fixture.file)
    #expect(pictures.edges.map(\.name) == ["North edge", "West edge", "East edge", "South edge"])
    #expect(pictures.edges.allSatisfy { $0.width == 240 && $0.height == 240 })
    #expect((320...480).contains(max(pictures.overview.width, pictures.overview.height)))
    for picture in [pictures.overview] + pictures.edges {
      let image = try TileImage.decode(Array(picture.webP))
      #expect(image.width == picture.width && image.height == picture.height)
    }
    #expect(pictures.hasNeatline && pictures.largestZoom == 11)
    let expected = WebMercator.resolution(zoom: 11) * cos(37.55 * .pi / 180)
    #expect(abs(pictures.metresPerPixel - expected) < 0.2)
  }

  @Test func `shows each inset in its place`() throws {
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
    let image = try TileImage.decode(Array(pictures.insets[0].webP))
    #expect(max(image.width, image.height) <= 360 && max(image.width, image.height) > 150)
    // A place without tiles, as in a forged description.
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

  /// The map must be inside of each edge, and nothing outside.
  @Test func `shows the end of the map at each edge`() throws {
    let places = [
      "North edge": [(120, 12), (120, 228)], "West edge": [(12, 120), (228, 120)],
      "East edge": [(228, 120), (12, 120)], "South edge": [(120, 228), (120, 12)],
    ]
    for picture in try ChartPictures(of: archive { 20 }).edges {
      let image = try TileImage.decode(Array(picture.webP))
      let reds = try #require(places[picture.name]).map { image[$0.0, $0.1].red }
      #expect((150...205).contains(reds[0]) && reds[1] < 40, "\(picture.name): \(reds)")
    }
  }

  /// Noise is the worst case for an encoder, far worse than any chart.
  @Test func `keeps pictures within their size limits`() throws {
    var random = SystemRandomNumberGenerator()
    let pictures = try ChartPictures(of: archive { random.next() })
    #expect(!pictures.hasNeatline)
    let bytes = ([pictures.overview] + pictures.edges).map(\.webP.count).reduce(0, +)
    #expect(bytes < 150_000, "\(bytes)")
  }

  @Test func `rejects a file that is not an archive`() throws {
    let file = fixture.folder.file("text.mbtiles")
    try file.put("text")
    #expect(throws: (any Error).self) { try ChartPictures(of: file) }
  }
}
