import Core
import CryptoIO
import Foundation
import ImageIO
import RasterIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// A built archive of a chart with one colour inside a box of longitudes and latitudes.
struct PaintedPack {
  let name: String
  let box: GeoBox
  let color: (UInt8, UInt8, UInt8)
  /// The number of colors. Tiles with several are lossless RGBA.
  var shades = 1
  /// Metres of a pixel of its sheet; nil if its product does not say.
  var metres: Double?
  var deepest = 7

  static let zooms = 5...7

  static func family(_ format: String = "png") throws -> ChartFamily {
    let json = """
      {"name": "painted", "title": "Painted", "cadence": "56-day", "attribution": "nobody",
       "tiles": {"minZoom": 5, "maxZoom": 7, "format": "\(format)"}, "charts": []}
      """
    return try Data(json.utf8).decoded(ChartFamily.self)
  }

  /// Half-covered tiles are transparent outside the box. Tiles completely outside do not exist.
  func write(in folder: TemporaryFolder) throws -> ChartPack {
    let file = folder.file("\(name).mbtiles")
    let writer = try MBTilesWriter(creating: file)
    let palette = Palette([RGB(red: color.0, green: color.1, blue: color.2)])
    let codec = TileCodec(shades == 1 ? .png8(palette) : .png32)
    for zoom in PaintedPack.zooms where zoom <= deepest {
      let range = TileRange(zoom: zoom, covering: box)
      for row in range.rows {
        for column in range.columns {
          let id = TileID(zoom: zoom, column: column, row: row)
          if let data = try codec.encode(picture(of: id)) { try writer.add(Tile(id: id, data: data)) }
        }
      }
    }
    _ = try writer.finish(metadata)
    return ChartPack(product: try product(file), archive: file)
  }

  private func picture(of id: TileID) -> RGBAImage {
    var image = RGBAImage(width: 256, height: 256)
    let (longitude, latitude) = (box.center.longitude, box.center.latitude)
    let columns = (0..<256).filter {
      box.contains(GeoPoint(longitude: id.middle(ofPixel: $0, 0).longitude, latitude: latitude))
    }
    for row in 0..<256
    where box.contains(GeoPoint(longitude: longitude, latitude: id.middle(ofPixel: 0, row).latitude)) {
      for column in columns {
        let start = (row * 256 + column) * 4
        let shade = (column * 7 + row * 13 + id.column + id.row) % shades
        image.pixels[start] = color.0
        image.pixels[start + 1] = color.1 + UInt8(shade % 16)
        image.pixels[start + 2] = color.2 + UInt8(shade / 16)
        image.pixels[start + 3] = 255
      }
    }
    return image
  }

  private var metadata: ArchiveMetadata {
    let ring = [
      (box.west, box.south), (box.east, box.south), (box.east, box.north), (box.west, box.north),
      (box.west, box.south),
    ].map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
    return ArchiveMetadata(
      name: name, format: "png", bounds: box, minZoom: PaintedPack.zooms.lowerBound,
      maxZoom: PaintedPack.zooms.upperBound, attribution: "nobody", description: "painted", version: "1",
      extra: [
        "chartpipe:neatline": "{\"type\":\"Polygon\",\"coordinates\":[[\(ring)]]}",
        "chartpipe:source_sha256": name,
      ])
  }

  private func product(_ file: URL) throws -> Product {
    var product = Product(
      id: "painted/\(name)", kind: .chart, name: name, cycle: "2601", edition: "2026-01-22",
      effectiveDate: "2026-01-22T09:01:00Z", expirationDate: "2026-03-19T09:01:00Z", boundingBox: box,
      minZoom: PaintedPack.zooms.lowerBound, maxZoom: PaintedPack.zooms.upperBound, format: "png",
      files: [
        Product.File(
          path: file.lastPathComponent, sha256: try SHA256Hex(ofFile: file), bytes: 1,
          mediaType: "application/vnd.sqlite3", role: .tiles)
      ],
      sources: [Product.Source(url: name, sha256: try SHA256Hex(of: Array(name.utf8)), bytes: 1)],
      build: Product.Build(
        tool: "chartpipe", version: "0", libraries: [:], definitionSha256: try SHA256Hex(of: []), counts: [:])
    )
    product.control = metres.map {
      Product.Control(projection: nil, placing: [0, 0, $0, 0, $0, 0], side: 48, points: [])
    }
    return product
  }
}

extension TileID {
  func middle(ofPixel column: Int, _ row: Int) -> GeoPoint {
    let (west, north, side) = mercator
    return WebMercator.unproject(
      x: west + (Double(column) + 0.5) * side / 256, y: north - (Double(row) + 0.5) * side / 256)
  }
}

/// All tiles of one zoom as one picture.
struct ZoomPicture {
  let zoom: Int
  let image: RGBAImage
  let tiles: Set<TileID>
  private let column: Int
  private let row: Int

  init(_ archive: URL, zoom: Int) throws {
    var found: [(TileID, RGBAImage)] = []
    let reader = try MBTilesReader(opening: archive)
    try reader.forEachTile { if $0.id.zoom == zoom { found.append(($0.id, try PNG.decode($0.data))) } }
    try reader.close()
    let columns = found.map(\.0.column)
    let rows = found.map(\.0.row)
    column = try #require(columns.min())
    row = try #require(rows.min())
    var image = RGBAImage(
      width: (try #require(columns.max()) - column + 1) * 256,
      height: (try #require(rows.max()) - row + 1) * 256)
    for (id, tile) in found {
      image.paste(tile, column: (id.column - column) * 256, row: (id.row - row) * 256)
    }
    self.zoom = zoom
    self.image = image
    tiles = Set(found.map(\.0))
  }

  /// The position of a place in the picture.
  func pixel(of place: GeoPoint) -> (column: Double, row: Double) {
    let (x, y) = WebMercator.project(place)
    let world = Double(256 << zoom)
    return (
      (x / WebMercator.halfWorld + 1) / 2 * world - Double(column * 256),
      (1 - y / WebMercator.halfWorld) / 2 * world - Double(row * 256)
    )
  }

  /// The centre of the pixels that are darker than the tint, near a point. All of the area must be map.
  func darkCentre(near point: (column: Double, row: Double), reach: Int) throws -> (
    column: Double, row: Double
  ) {
    var (sum, across, down) = (0.0, 0.0, 0.0)
    for line in Int(point.row) - reach...Int(point.row) + reach {
      for cell in Int(point.column) - reach...Int(point.column) + reach {
        let pixel = image[cell, line]
        // Signed, since the kernel's overshoot beside the square also counts for its centre.
        let darkness = Double(MadeUpSheet.tint.green) - Double(pixel.green)
        sum += darkness
        across += darkness * (Double(cell) + 0.5)
        down += darkness * (Double(line) + 0.5)
      }
    }
    try #require(sum > 0)
    return (across / sum, down / sum)
  }
}
