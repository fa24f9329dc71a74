internal import Core
internal import RasterIO

/// Computes the sheet positions of Web Mercator points.
final class SheetPositions {
  let sheet: ChartSheet
  private let toSheet: CoordinateTransform

  init(_ sheet: ChartSheet) throws {
    self.sheet = sheet
    toSheet = try CoordinateTransform(
      from: try SpatialReference(epsg: 3857), to: try SpatialReference(wkt: sheet.projection))
  }

  /// The corners of cells of pixels, row by row. Pixels are numbered from the world's north-western corner. NaN where a corner
  /// has no position on the sheet.
  ///
  /// - Parameter turn: one of the turns of the sheet's form.
  func corners(zoom: Int, column: Int, row: Int, step: Int, steps: Int, turn: Int = 0) -> [PixelPoint] {
    let pixel = WebMercator.resolution(zoom: zoom)
    var (x, y): ([Double], [Double]) = ([], [])
    for down in 0...steps {
      for across in 0...steps {
        x.append(-WebMercator.halfWorld + Double(column + across * step) * pixel)
        y.append(WebMercator.halfWorld - Double(row + down * step) * pixel)
      }
    }
    let metres = x
    toSheet(x: &x, y: &y)
    if let turnLength = sheet.form.turnLength {
      // PROJ may give the longitude of any turn.
      for index in x.indices {
        let expected = (metres[index] / (2 * WebMercator.halfWorld) + Double(turn)) * turnLength
        x[index] = expected + (x[index] - expected).remainder(dividingBy: turnLength)
      }
    }
    return zip(x, y).map { sheet.placing.point(x: $0, y: $1) }
  }

  /// The number of sheet pixels for one Web Mercator pixel, near a pixel of a zoom, along the columns and the rows of the
  /// sheet; nil beside the sheet. Where both are nearly the same, their mean.
  func scale(zoom: Int, column: Int, row: Int) -> (across: Double, down: Double)? {
    let reach = 4
    let corners = corners(zoom: zoom, column: column - reach, row: row - reach, step: 2 * reach, steps: 1)
    let across = PixelPoint(
      column: corners[1].column - corners[0].column, row: corners[1].row - corners[0].row)
    let down = PixelPoint(column: corners[2].column - corners[0].column, row: corners[2].row - corners[0].row)
    let area = abs(across.column * down.row - across.row * down.column)
    guard area.isFinite else { return nil }
    let pixels = Double(2 * reach)
    let mean = area.squareRoot() / pixels
    let columns = (across.column * across.column + down.column * down.column).squareRoot() / pixels
    let rows = (across.row * across.row + down.row * down.row).squareRoot() / pixels
    return abs(columns - rows) <= SheetPositions.conformal * mean ? (mean, mean) : (columns, rows)
  }

  /// The share by which the scales of a conformal projection may differ, since Web Mercator is not quite conformal.
  private static let conformal = 0.02
}
