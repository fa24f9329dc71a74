internal import Core
internal import Foundation
internal import RasterIO

/// Where places of Web Mercator lie on a sheet.
final class SheetPositions {
  private let placing: GeoTransform
  private let toSheet: CoordinateTransform

  init(_ sheet: ChartSheet) throws {
    placing = sheet.placing
    toSheet = try CoordinateTransform(
      from: try SpatialReference(epsg: 3857), to: try SpatialReference(wkt: sheet.projection))
  }

  /// The corners of cells of pixels, row by row, where pixels are numbered from the world's north-western corner. NaN
  /// where a corner has no place on the sheet.
  func corners(zoom: Int, column: Int, row: Int, step: Int, steps: Int) -> [PixelPoint] {
    let pixel = WarpBlock.resolution(zoom: zoom)
    var (x, y): ([Double], [Double]) = ([], [])
    for down in 0...steps {
      for across in 0...steps {
        x.append(-WebMercator.halfWorld + Double(column + across * step) * pixel)
        y.append(WebMercator.halfWorld - Double(row + down * step) * pixel)
      }
    }
    toSheet(x: &x, y: &y)
    return zip(x, y).map {
      let pixel = placing.pixel(x: $0, y: $1)
      return PixelPoint(column: pixel.column, row: pixel.row)
    }
  }

  /// Pixels of the sheet for one of Web Mercator, around a pixel of a zoom; nil where there is no sheet.
  func scale(zoom: Int, column: Int, row: Int) -> Double? {
    let reach = 4
    let corners = corners(zoom: zoom, column: column - reach, row: row - reach, step: 2 * reach, steps: 1)
    let across = PixelPoint(
      column: corners[1].column - corners[0].column, row: corners[1].row - corners[0].row)
    let down = PixelPoint(column: corners[2].column - corners[0].column, row: corners[2].row - corners[0].row)
    let area = abs(across.column * down.row - across.row * down.column)
    return area.isFinite ? area.squareRoot() / Double(2 * reach) : nil
  }
}
