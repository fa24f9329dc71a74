import Core
import Foundation
import ImageIO
import Pipeline
import RasterIO

@testable import Charts

/// A sheet of noise, the hardest picture for a kernel, with the warp of it by another way: `LambertConformal` for the
/// places and cubic convolution in floating point, from the book.
struct NoiseSheet {
  let cone: LambertConformal
  let placing: GeoTransform
  let side = 700
  let sheet: ChartSheet
  let rows: SheetRows
  let neatline: Neatline

  /// - Parameters:
  ///   - band: the eight degrees of latitude that the projection is made for.
  ///   - turn: degrees by which the image is turned in its plane.
  ///   - inset: pixels between the image's edges and the neatline.
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
    var noise = SteadyNoise()
    let colors = (0..<256).map { _ in
      UInt32(truncatingIfNeeded: noise.next()) | UInt32(255).littleEndian << 24
    }
    rows = SheetRows(
      range: 0..<side, width: side,
      indexes: (0..<side * side).map { _ in UInt8(truncatingIfNeeded: noise.next() >> 20) })
    let wkt = """
      PROJCS["noise",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],
      PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic_2SP"],
      PARAMETER["latitude_of_origin",\(origin.latitude)],PARAMETER["central_meridian",\(longitude)],
      PARAMETER["standard_parallel_1",\(band.upperBound - third)],
      PARAMETER["standard_parallel_2",\(band.lowerBound + third)],PARAMETER["false_easting",0],
      PARAMETER["false_northing",0],UNIT["metre",1]]
      """
    sheet = ChartSheet(width: side, height: side, colors: colors, placing: placing, projection: wkt)
    let json = """
      {"west": {"column": \(inset)}, "south": {"row": \(Double(side) - inset)},
       "east": {"column": \(Double(side) - inset)}, "north": {"row": \(inset)}}
      """
    neatline = try NeatlineBuilder(projection: try SheetProjection(sheet), subject: "noise").build(
      try JSONDecoder().decode(NeatlineDefinition.self, from: Data(json.utf8)))
  }

  func job(zoom: Int) throws -> WarpJob {
    let scales = RowScales(try SheetPositions(sheet), zoom: zoom, covering: neatline.windows)
    return WarpJob(sheet: sheet, neatline: neatline, scales: scales)
  }

  /// The tile of a zoom that holds the middle of the sheet.
  func middle(zoom: Int) -> TileID { TileID(zoom: zoom, containing: cone.origin) }

  /// Where a point of a zoom lies on the sheet, counted in pixels from the world's north-western corner.
  func position(zoom: Int, column: Double, row: Double) -> PixelPoint {
    let metres = WebMercator.resolution(zoom: zoom)
    let place = WebMercator.unproject(
      x: column * metres - WebMercator.halfWorld, y: WebMercator.halfWorld - row * metres)
    let (x, y) = cone.project(place)
    let pixel = placing.pixel(x: x, y: y)
    return PixelPoint(column: pixel.column, row: pixel.row)
  }

  /// The three colours there, by a kernel widened by `scale`.
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

/// Numbers without a pattern, the same in every run.
private struct SteadyNoise: RandomNumberGenerator {
  private var state: UInt64 = 88_172_645_463_325_252

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
