import Core
import Foundation
import RasterIO
import TestSupport
import Testing

/// A small chart, real in form: a tinted map with black squares at known places, in a red collar.
///
/// Where everything lies is computed by `LambertConformal`, which shares nothing with PROJ.
struct MadeUpSheet {
  static let cone = LambertConformal(
    standardParallels: (38 + 2.0 / 3, 33 + 1.0 / 3), origin: GeoPoint(longitude: -121, latitude: 36))
  static let wkt = """
    PROJCS["made up",GEOGCS["NAD83",DATUM["North_American_Datum_1983",
    SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],
    PROJECTION["Lambert_Conformal_Conic_2SP"],PARAMETER["latitude_of_origin",36],
    PARAMETER["central_meridian",-121],PARAMETER["standard_parallel_1",38.6666666666667],
    PARAMETER["standard_parallel_2",33.3333333333333],PARAMETER["false_easting",0],
    PARAMETER["false_northing",0],UNIT["metre",1]]
    """

  let width = 600
  let height = 500
  let metres = 500.0
  /// The map's edges: two of the graticule and two of the sheet's cut, as on most real sheets.
  let west = -122.4
  let south = 35.1
  let eastColumn = 560.0
  let northRow = 30.0
  /// The corners of pixels around which 8 x 8 pixels are black.
  let marks = [(300, 200), (80, 60), (540, 420), (120, 400), (500, 70)]

  static let collar = PaletteColor(red: 230, green: 20, blue: 30)
  static let tint = PaletteColor(red: 200, green: 225, blue: 190)
  static let ink = PaletteColor(red: 0, green: 0, blue: 0)
  static let palette = [collar, tint, ink]

  var placing: GeoTransform {
    GeoTransform(
      originX: -Double(width) / 2 * metres, originY: Double(height) / 2 * metres, pixelWidth: metres,
      pixelHeight: -metres)
  }

  func place(column: Double, row: Double) -> GeoPoint {
    let (x, y) = placing.projected(column: column, row: row)
    return MadeUpSheet.cone.unproject(x: x, y: y)
  }

  var extent: GeoBox {
    get throws {
      let rim = (0...200).flatMap { step in
        let (across, down) = (Double(width * step) / 200, Double(height * step) / 200)
        return [
          place(column: across, row: 0), place(column: across, row: Double(height)),
          place(column: 0, row: down), place(column: Double(width), row: down),
        ]
      }
      return try #require(GeoBox(around: rim))
    }
  }

  func isMap(column: Double, row: Double) -> Bool {
    let place = place(column: column, row: row)
    return place.longitude > west && place.latitude > south && column < eastColumn && row > northRow
  }

  /// Drawn once for all tests.
  private static let pixels = MadeUpSheet().draw()

  private func draw() -> [UInt8] {
    var pixels = (0..<height).flatMap { row in
      (0..<width).map { column in
        isMap(column: Double(column) + 0.5, row: Double(row) + 0.5) ? UInt8(1) : 0
      }
    }
    for (column, row) in marks {
      for line in row - 4..<row + 4 {
        for cell in column - 4..<column + 4 { pixels[line * width + cell] = 2 }
      }
    }
    return pixels
  }

  /// The bytes of its tif; the closure may spoil it in between.
  func tif(
    bands: Int = 1, layout: [String] = ["COMPRESS=LZW"], _ finish: (RasterDataset) throws -> Void = { _ in }
  ) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = folder.file("made-up.tif").path
    let image = try RasterDataset.create(
      path, driver: "GTiff", width: width, height: height, bands: bands,
      options: layout + (bands == 3 ? ["PHOTOMETRIC=RGB"] : []))
    if bands == 1 { try image.setPalette(MadeUpSheet.palette) }
    try image.setGeoreference(placing, wkt: MadeUpSheet.wkt)
    try finish(image)
    for band in 1...bands {
      try image.writeBytes(
        MadeUpSheet.pixels, band: band, window: PixelWindow(column: 0, row: 0, width: width, height: height))
    }
    try image.close()
    return [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  /// The page beside it, in the FAA's manner.
  func htm(
    begins: String = "20260122", ends: String = "20260318", extent given: GeoBox? = nil
  ) throws -> [UInt8] {
    let box = try given ?? extent
    let fields = [
      ("Beginning_Date", begins), ("Ending_Date", ends), ("West_Bounding_Coordinate", "\(box.west)"),
      ("East_Bounding_Coordinate", "\(box.east)"), ("North_Bounding_Coordinate", "\(box.north)"),
      ("South_Bounding_Coordinate", "\(box.south)"),
    ]
    let lines = fields.map { "<dt><em>\($0.0):</em>  \($0.1)</dt>\r\n" }.joined()
    return Array("<html><title>Made Up SEC.tif \u{A9}</title>\r\n<dl>\(lines)</dl></html>".unicodeScalars)
      .map { UInt8($0.value) }
  }
}
