import Core
import CryptoIO
import Foundation
import ImageIO
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite("Mosaics and seams")
struct MosaicTests {
  /// They overlap by a degree, with the middle at 7 W.
  static let west = PaintedPack(
    name: "West", box: GeoBox(west: -10, south: 40, east: -6.5, north: 43), color: (200, 30, 30))
  static let east = PaintedPack(
    name: "East", box: GeoBox(west: -7.5, south: 40, east: -4, north: 43), color: (30, 160, 60))

  let folder: TemporaryFolder
  let packs: [ChartPack]

  init() throws {
    let folder = TemporaryFolder()
    self.folder = folder
    packs = try [MosaicTests.west, MosaicTests.east].map { try $0.write(in: folder) }
  }

  @Test func `in a mosaic the chart with the nearer middle wins each pixel, without mixtures`() throws {
    let (file, product) = try mosaic(jobs: 2)
    #expect(product.boundingBox == GeoBox(west: -10, south: 40, east: -4, north: 43))
    #expect(product.sources.count == 2)
    // Near the northern and southern edges, which are the same for both charts, too.
    let all = GeoBox(west: -10, south: 40, east: -4, north: 43)
    try check(file, zoom: 7, within: all) { place, pixel in
      let degrees = 360.0 / 256 / 128
      if abs(place.longitude + 7) < 1.5 * degrees { return pixel.alpha == 255 }
      let color = place.longitude < -7 ? MosaicTests.west.color : MosaicTests.east.color
      return pixel == (color.0, color.1, color.2, 255)
    }
    for zoom in PaintedPack.zooms { try checkNoHoleNoMixture(file, zoom: zoom) }
  }

  /// The coarse chart's middle is nearer in the west of the fine one.
  @Test
  func `in the order of scales the finer chart is on top, and alone beyond the zooms of the coarser one`()
    throws
  {
    var (coarse, fine) = (MosaicTests.west, MosaicTests.east)
    (coarse.metres, coarse.deepest, fine.metres) = (64.8, 6, 46.3)
    let own = TemporaryFolder()
    let packs = try [coarse, fine].map { try $0.write(in: own) }
    for packs in [packs, packs.reversed()] {
      let (file, product) = try mosaic(jobs: 2, of: packs, order: .scale, deepest: ["West": 6])
      #expect(product.maxZoom == 7)
      let all = GeoBox(west: -10, south: 40, east: -4, north: 43)
      try check(file, zoom: 6, within: all) { place, pixel in
        let color = fine.box.contains(place) ? fine.color : coarse.color
        return pixel == (color.0, color.1, color.2, 255)
      }
      try check(file, zoom: 7, within: fine.box) { _, pixel in pixel == (30, 160, 60, 255) }
      let reader = try MBTilesReader(opening: file)
      #expect(try reader.tile(TileID(zoom: 7, containing: GeoPoint(longitude: -9.5, latitude: 41.5))) == nil)
      #expect(
        try reader.metadata()[ArchiveMetadata.neatlineZooms]
          == (packs[0].product.name == "West" ? "6,7" : "7,6"))
    }
  }

  @Test func `two sheets of one scale count as equal, whatever the last digit of their pixels`() throws {
    var (west, east) = (MosaicTests.west, MosaicTests.east)
    (west.metres, east.metres) = (46.29, 46.3)
    let own = TemporaryFolder()
    let packs = try [west, east].map { try $0.write(in: own) }
    let usual = try mosaic(jobs: 1, of: packs).file
    let ordered = try mosaic(jobs: 1, of: packs, order: .scale).file
    #expect(try ZoomPicture(usual, zoom: 7).image == ZoomPicture(ordered, zoom: 7).image)
  }

  @Test func `copies tiles of one chart and tiles that one chart wins completely`() throws {
    let (file, _) = try mosaic(jobs: 1)
    let reader = try MBTilesReader(opening: file)
    let places = [(-9.5, 41.5, 0), (-4.5, 41.5, 1)]
    for (longitude, latitude, pack) in places {
      let id = TileID(zoom: 7, containing: GeoPoint(longitude: longitude, latitude: latitude))
      let own = try MBTilesReader(opening: packs[pack].archive)
      #expect(try reader.tile(id) == own.tile(id))
    }
  }

  @Test func `a filled archive keeps its own pixels, adds its neighbour's, and has no other tile`() throws {
    let file = folder.file("filled.mbtiles")
    _ = try MosaicBuilder.fill(
      packs[0], from: [packs[1]], settings: try PaintedPack.family().tiles, to: file, jobs: 2,
      progress: SilentProgress(),
      step: "painted/West")
    let (before, after) = try (MBTilesReader(opening: packs[0].archive), MBTilesReader(opening: file))
    #expect(try Set(before.tileIDs()) == Set(after.tileIDs()))
    #expect(try after.metadata()["chartpipe:seams"] == "East")
    #expect(try after.metadata()["chartpipe:neatline"] == before.metadata()["chartpipe:neatline"])
    var beyond = 0
    try check(file, zoom: 7, within: GeoBox(west: -10, south: 40, east: -4, north: 43)) { place, pixel in
      if MosaicTests.west.box.contains(place) { return pixel == (200, 30, 30, 255) }
      beyond += 1
      return pixel == (30, 160, 60, 255)
    }
    #expect(beyond > 1000)
  }

  @Test func `charts that only touch leave no gap where their edges share pixels`() throws {
    let south = PaintedPack(
      name: "South", box: GeoBox(west: -10, south: 37.3, east: -6.5, north: 40), color: (30, 60, 200))
    let (file, _) = try mosaic(jobs: 2, of: [packs[0], try south.write(in: folder)])
    for zoom in PaintedPack.zooms {
      try check(file, zoom: zoom, within: GeoBox(west: -9.9, south: 37.5, east: -6.6, north: 42.9)) {
        _, pixel in
        pixel.alpha == 255
      }
    }
  }

  @Test func `names an archive without a neatline and one with a broken tile`() throws {
    let bare = folder.file("bare.mbtiles")
    let writer = try MBTilesWriter(creating: bare)
    let id = TileID(zoom: 7, containing: GeoPoint(longitude: -7, latitude: 41))
    try writer.add(Tile(id: id, data: [1, 2, 3]))
    _ = try writer.finish(
      ArchiveMetadata(
        name: "bare", format: "png", bounds: MosaicTests.west.box, minZoom: 7, maxZoom: 7, attribution: "",
        description: "", version: ""))
    let pack = ChartPack(product: packs[0].product, archive: bare)
    let fault = #expect(throws: UserError.self) { try mosaic(jobs: 1, of: [packs[0], pack]) }
    #expect(fault?.path?.hasSuffix("bare.mbtiles") == true)
    #expect(fault?.reason.contains("neatline") == true)
  }

  // MARK: Helpers

  private typealias Pixel = (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8)

  /// - Parameter deepest: the deepest zooms of charts that have fewer than the family.
  private func mosaic(
    jobs: Int, of packs: [ChartPack]? = nil, order: MosaicDefinition.Order? = nil,
    deepest: [String: Int] = [:]
  ) throws -> (file: URL, product: Product) {
    let file = folder.file("\(UUID().uuidString).mbtiles")
    var family = try PaintedPack.family()
    family.charts = ["West", "East"].map {
      ChartDefinition(id: $0, name: $0, zip: "\($0).zip", tif: "\($0).tif", maxZoom: deepest[$0])
    }
    let product = try MosaicBuilder.build(
      MosaicDefinition(id: "All", name: "All", order: order), of: family, from: packs ?? self.packs,
      definition: try SHA256Hex(of: []), to: file, jobs: jobs, progress: SilentProgress(), step: "painted/All"
    ).product
    return (file, product)
  }

  /// Checks every pixel of a zoom in a box, except for the box's rim.
  private func check(
    _ file: URL, zoom: Int, within box: GeoBox, _ isRight: (GeoPoint, Pixel) -> Bool
  ) throws {
    let margin = 2 * 360.0 / 256 / Double(1 << zoom)
    let inner = GeoBox(
      west: box.west + margin, south: box.south + margin, east: box.east - margin, north: box.north - margin)
    var wrong = 0
    let reader = try MBTilesReader(opening: file)
    try reader.forEachTile { tile in
      guard tile.id.zoom == zoom else { return }
      let image = try TileImage.decode(tile.data)
      for row in 0..<256 {
        for column in 0..<256 {
          let place = tile.id.middle(ofPixel: column, row)
          if inner.contains(place), !isRight(place, image[column, row]) { wrong += 1 }
        }
      }
    }
    #expect(wrong == 0, "\(wrong) pixels of zoom \(zoom)")
  }

  private func checkNoHoleNoMixture(_ file: URL, zoom: Int) throws {
    let colors = [MosaicTests.west.color, MosaicTests.east.color]
    try check(file, zoom: zoom, within: GeoBox(west: -10, south: 40, east: -4, north: 43)) { _, pixel in
      pixel.alpha == 255 && colors.contains { $0 == (pixel.red, pixel.green, pixel.blue) }
    }
  }
}
