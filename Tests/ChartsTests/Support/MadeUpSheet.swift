import Core
import Foundation
import ImageIO
import RasterIO
import RasterWriting
import TestSupport
import Testing

@testable import ChartpipeKit

/// A sheet whose positions are computed by `LambertConformal`, which shares no code with PROJ.
protocol ConicSheet {
  var cone: LambertConformal { get }
  var placing: GeoTransform { get }
  var width: Int { get }
  var height: Int { get }
}

extension ConicSheet {
  func place(of pixel: PixelPoint) -> GeoPoint { place(column: pixel.column, row: pixel.row) }

  func place(column: Double, row: Double) -> GeoPoint { place(column: column, row: row, placing) }

  private func place(column: Double, row: Double, _ placing: GeoTransform) -> GeoPoint {
    let (x, y) = placing.projected(column: column, row: row)
    return cone.unproject(x: x, y: y)
  }

  func pixel(of place: GeoPoint) -> PixelPoint {
    let (x, y) = cone.project(place)
    return placing.point(x: x, y: y)
  }

  var extent: GeoBox { get throws { try extent(of: placing) } }

  /// The box around the rim of the image at some place.
  func extent(of placing: GeoTransform) throws -> GeoBox {
    let rim = (0...400).flatMap { step in
      let (across, down) = (Double(width * step) / 400, Double(height * step) / 400)
      return [(across, 0), (across, Double(height)), (0, down), (Double(width), down)].map {
        place(column: $0, row: $1, placing)
      }
    }
    return try #require(GeoBox(around: rim))
  }

  /// On NAD83, in metres.
  var wkt: String {
    """
    PROJCS["made up",GEOGCS["NAD83",DATUM["North_American_Datum_1983",
    SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],
    PROJECTION["Lambert_Conformal_Conic_2SP"],PARAMETER["latitude_of_origin",\(cone.origin.latitude)],
    PARAMETER["central_meridian",\(cone.origin.longitude)],
    PARAMETER["standard_parallel_1",\(cone.standardParallels.0)],
    PARAMETER["standard_parallel_2",\(cone.standardParallels.1)],PARAMETER["false_easting",0],
    PARAMETER["false_northing",0],UNIT["metre",1]]
    """
  }
}

/// A small chart, real in form: a tinted map with black squares at known places, in a red collar.
struct MadeUpSheet: ConicSheet {
  static let cone = LambertConformal(
    standardParallels: (38 + 2.0 / 3, 33 + 1.0 / 3), origin: GeoPoint(longitude: -121, latitude: 36))
  var cone: LambertConformal { MadeUpSheet.cone }
  static let wkt = MadeUpSheet().wkt

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

  func isMap(column: Double, row: Double) -> Bool {
    let place = place(column: column, row: row)
    return place.longitude > west && place.latitude > south && column < eastColumn && row > northRow
  }

  /// Drawn once for all tests.
  private static let pixels = MadeUpSheet().draw()

  private func draw() -> [UInt8] {
    var pixels = (0..<height).flatMap { row in
      (0..<width).map { column in isMap(column: Double(column) + 0.5, row: Double(row) + 0.5) ? UInt8(1) : 0 }
    }
    for (column, row) in marks {
      for line in row - 4..<row + 4 {
        for cell in column - 4..<column + 4 { pixels[line * width + cell] = 2 }
      }
    }
    return pixels
  }

  /// The bytes of its tif. The closure may change the dataset before it is closed.
  func tif(
    bands: Int = 1, layout: [String] = ["COMPRESS=LZW"], _ finish: (RasterWriter) throws -> Void = { _ in }
  ) throws -> [UInt8] {
    let folder = TemporaryFolder()
    let path = folder.file("made-up.tif").path
    let image = try RasterWriter(
      path, width: width, height: height, bands: bands,
      options: layout + (bands == 3 ? ["PHOTOMETRIC=RGB"] : []))
    if bands == 1 { try image.setPalette(MadeUpSheet.palette) }
    try image.setGeoreference(placing, wkt: MadeUpSheet.wkt)
    try finish(image)
    for band in 1...bands {
      try image.writeBytes(
        MadeUpSheet.pixels, band: band, window: PixelWindow(column: 0, row: 0, width: width, height: height))
    }
    try image.close()
    return [UInt8](try URL(filePath: path).data)
  }

  /// The page beside it, in the FAA's form.
  func htm(
    begins: String = "20260122", ends: String = "20260318", extent given: GeoBox? = nil,
    title: String = "Made Up SEC.tif"
  ) throws -> [UInt8] {
    let box = try given ?? extent
    let fields = [
      ("Title", title), ("Beginning_Date", begins), ("Ending_Date", ends),
      ("West_Bounding_Coordinate", "\(box.west)"),
      ("East_Bounding_Coordinate", "\(box.east)"), ("North_Bounding_Coordinate", "\(box.north)"),
      ("South_Bounding_Coordinate", "\(box.south)"),
    ]
    let lines = fields.map { "<dt><em>\($0.0):</em>  \($0.1)</dt>\r\n" }.joined()
    return Array("<html><title>Made Up SEC.tif \u{A9}</title>\r\n<dl>\(lines)</dl></html>".unicodeScalars)
      .map { UInt8($0.value) }
  }
}

/// A sheet of noise, the hardest picture for a kernel, and an independent warp of it: `LambertConformal` for the positions and
/// floating-point cubic convolution.
struct NoiseSheet: ConicSheet {
  let cone: LambertConformal
  let placing: GeoTransform
  let side = 700
  var width: Int { side }
  var height: Int { side }
  let sheet: ChartSheet
  let rows: SheetRows
  let neatline: Neatline

  /// - Parameters:
  ///   - band: the eight degrees of latitude of the projection.
  ///   - turn: degrees of rotation of the image in its plane.
  ///     - inset: pixels between the image's edges and the neatline.
  init(band: ClosedRange<Double>, longitude: Double = -100, turn: Double = 0, inset: Double = 0) throws {
    let third = 4.0 / 3
    let origin = GeoPoint(longitude: longitude, latitude: (band.lowerBound + band.upperBound) / 2)
    cone = LambertConformal(
      standardParallels: (band.upperBound - third, band.lowerBound + third), origin: origin)
    let metres = 42.333
    let (cosine, sine) = (cos(turn * .pi / 180) * metres, sin(turn * .pi / 180) * metres)
    let half = Double(side) / 2
    placing = GeoTransform(
      originX: -half * (cosine + sine), originY: half * (cosine - sine), pixelWidth: cosine,
      pixelHeight: -cosine, rotationX: sine, rotationY: sine)
    var noise = SteadyNumbers()
    let colors = (0..<256).map { _ in
      UInt32(truncatingIfNeeded: noise.next()) | UInt32(255).littleEndian << 24
    }
    rows = SheetRows(range: 0..<side, width: side, indexes: SteadyNumbers.bytes(side * side))
    let wkt = FullSizeSheet(cone: cone).wkt
    sheet = ChartSheet(
      width: side, height: side, colors: colors, placing: placing,
      projection: try SpatialReference(wkt: wkt).onWGS84().wkt)
    let json = """
      {"west": {"column": \(inset)}, "south": {"row": \(Double(side) - inset)},
       "east": {"column": \(Double(side) - inset)}, "north": {"row": \(inset)}}
      """
    neatline = try NeatlineBuilder(projection: try SheetProjection(sheet), subject: "noise").build(
      try Data(json.utf8).decoded(NeatlineDefinition.self))
  }

  func job(zoom: Int) throws -> WarpJob {
    let scales = RowScales(try SheetPositions(sheet), zoom: zoom, covering: neatline.windows)
    return WarpJob(sheet: sheet, neatline: neatline, scales: scales)
  }

  /// The tile of a zoom that contains the middle of the sheet.
  func middle(zoom: Int) -> TileID { TileID(zoom: zoom, containing: cone.origin) }

  /// The position on the sheet of a point of a zoom, in pixels from the world's north-western corner.
  func position(zoom: Int, column: Double, row: Double) -> PixelPoint {
    let metres = WebMercator.resolution(zoom: zoom)
    let place = WebMercator.unproject(
      x: column * metres - WebMercator.halfWorld, y: WebMercator.halfWorld - row * metres)
    return pixel(of: place)
  }

  /// The three colours at a point, by a kernel widened by `scale`.
  func color(at point: PixelPoint, scale: Double) -> [Double] {
    let (columns, across) = taps(point.column, scale)
    let (lines, down) = taps(point.row, scale)
    var sums = [0.0, 0.0, 0.0]
    for (line, weightDown) in zip(lines, down) {
      for (column, weightAcross) in zip(columns, across) {
        let color = sheet.colors[Int(rows.indexes[line * side + column])]
        let weight = weightDown * weightAcross
        sums[0] += weight * Double(color & 255)
        sums[1] += weight * Double(color >> 8 & 255)
        sums[2] += weight * Double(color >> 16 & 255)
      }
    }
    return sums.map { min(max($0, 0), 255) }
  }

  private func taps(_ position: Double, _ scale: Double) -> (pixels: [Int], weights: [Double]) {
    let first = Int((position - 0.5 - 2 * scale).rounded(.up))
    let last = Int((position - 0.5 + 2 * scale).rounded(.down))
    let weights = (first...last).map { pixel -> Double in
      let x = abs(Double(pixel) + 0.5 - position) / scale
      return x < 1
        ? 1.5 * x * x * x - 2.5 * x * x + 1 : x < 2 ? -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2 : 0
    }
    let sum = weights.reduce(0, +)
    return (Array(first...last), weights.map { $0 / sum })
  }
}
