import Core
import CryptoIO
import Fetch
import Foundation
import Pipeline
import RasterIO
import TestSupport
import Testing

@testable import Charts

/// A small sheet as a printer would make it, with edges at known places: the west is a meridian, the south a parallel,
/// the east a column and the north a row.
///
/// Where they lie is computed by `LambertConformal`, which shares nothing with PROJ.
struct PrintedSheet {
  enum Print: UInt8 {
    case paper, land, ink, water, neighbour, magenta
  }

  static let palette = [
    PaletteColor(red: 255, green: 255, blue: 255), PaletteColor(red: 214, green: 230, blue: 196),
    PaletteColor(red: 20, green: 18, blue: 22), PaletteColor(red: 203, green: 227, blue: 242),
    PaletteColor(red: 238, green: 238, blue: 234), PaletteColor(red: 158, green: 32, blue: 104),
  ]

  let width = 900
  let height = 700
  let west = -123.5
  let south = 35.5
  var eastColumn = 820.0
  var northRow = 60.0
  /// The width of the frame; 0 for none.
  var frame = 3.0
  /// What is printed on the map and around it; by how far within the map (negative: beyond it), column and row.
  var map: (_ depth: Double, _ column: Int, _ row: Int) -> Print = { _, column, row in
    (column + 2 * row) % 97 < 3 ? .ink : (column - row) % 61 == 0 ? .magenta : .land
  }
  var collar: (_ depth: Double, _ column: Int, _ row: Int) -> Print = { depth, column, row in
    depth < -30 && (column / 5 + row / 7) % 3 == 0 ? .ink : .paper
  }

  /// The middle of the image lies west of the central meridian, so that meridians are slanted on it.
  var placing: GeoTransform {
    GeoTransform(originX: -250_000, originY: 8_000, pixelWidth: 100, pixelHeight: -100)
  }

  func pixel(longitude: Double, latitude: Double) -> PixelPoint {
    let (x, y) = MadeUpSheet.cone.project(GeoPoint(longitude: longitude, latitude: latitude))
    let pixel = placing.pixel(x: x, y: y)
    return PixelPoint(column: pixel.column, row: pixel.row)
  }

  func place(column: Double, row: Double) -> GeoPoint {
    let (x, y) = placing.projected(column: column, row: row)
    return MadeUpSheet.cone.unproject(x: x, y: y)
  }

  /// The column of the western edge in each row, and the row of the southern edge in each column.
  private func graticule() -> (columns: [Double], rows: [Double]) {
    let columns = (0..<height).map { row in
      let latitude = place(column: 80, row: Double(row) + 0.5).latitude
      return pixel(longitude: west, latitude: latitude).column
    }
    let rows = (0..<width).map { column in
      let longitude = place(column: Double(column) + 0.5, row: 620).longitude
      return pixel(longitude: longitude, latitude: south).row
    }
    return (columns, rows)
  }

  private func pixels() -> [UInt8] {
    let (columns, rows) = graticule()
    return (0..<height).flatMap { row in
      (0..<width).map { column in
        let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
        let depth = min(min(x - columns[row], rows[column] - y), min(eastColumn - x, y - northRow))
        if abs(depth) < frame / 2 { return Print.ink.rawValue }
        return (depth > 0 ? map(depth, column, row) : collar(depth, column, row)).rawValue
      }
    }
  }

  /// The four edges as a definition gives them, each so many pixels outward of its true place.
  func definition(_ outward: [Double] = [0, 0, 0, 0]) -> NeatlineDefinition {
    let middle = place(column: pixel(longitude: west, latitude: 36).column - outward[0], row: 350)
    let slant = pixel(longitude: west, latitude: middle.latitude).column
    let moved = place(column: slant - outward[0], row: 350).longitude
    let below = pixel(longitude: -122.9, latitude: south)
    let lower = place(column: below.column, row: below.row + outward[1]).latitude
    return NeatlineDefinition(outline: [
      .meridian(outward[0] == 0 ? west : moved), .parallel(outward[1] == 0 ? south : lower),
      .column(eastColumn + outward[2]), .row(northRow - outward[3]),
    ])
  }

  /// Printed into a file, and opened as the build opens a chart.
  func image() throws -> SheetImage {
    let folder = try TemporaryFolder()
    let path = folder.file("printed.tif").path
    let image = try RasterDataset.create(path, driver: "GTiff", width: width, height: height, bands: 1)
    try image.setPalette(PrintedSheet.palette)
    try image.setGeoreference(placing, wkt: MadeUpSheet.wkt)
    try image.writeBytes(
      pixels(), band: 1, window: PixelWindow(column: 0, row: 0, width: width, height: height))
    try image.close()
    let rim = (0...100).flatMap { step in
      let (across, down) = (Double(width * step) / 100, Double(height * step) / 100)
      return [
        place(column: across, row: 0), place(column: across, row: Double(height)),
        place(column: 0, row: down), place(column: Double(width), row: down),
      ]
    }
    let page = try MadeUpSheet().htm(extent: GeoBox(around: rim))
    try Data(page).write(to: folder.file("printed.htm"))
    return try SheetImage.opened(folder.file("printed.tif"), tif: "printed.tif")
  }
}

extension SheetImage {
  /// A chart's image, from its zip or bare.
  static func opened(_ file: URL, tif: String) throws -> SheetImage {
    let json = """
      {"name": "printed", "title": "Printed", "cadence": "56-day", "attribution": "nobody",
       "tiles": {"minZoom": 6, "maxZoom": 8, "format": "png", "size": 256},
       "charts": [{"id": "Printed", "name": "Printed", "zip": "\(file.lastPathComponent)", "tif": "\(tif)"}]}
      """
    let family = try JSONDecoder().decode(ChartFamily.self, from: Data(json.utf8))
    let request = ChartRequest(
      chart: family.charts[0], family: family, definitionSha256: try SHA256Hex(of: []),
      source: try SourceFolder.file(file), cycle: try #require(AiracCycle(identifier: "2601")))
    let files = try ChartFiles(request)
    return try SheetReader(files: files, page: try ChartPage(htm: files.htm)).open()
  }
}
