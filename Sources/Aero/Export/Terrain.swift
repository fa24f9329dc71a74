internal import Core
internal import Foundation
internal import RasterIO

/// A model of the ground: a raster of heights in metres above the sea.
final class Terrain {
  private let name: String
  private let raster: RasterDataset
  private let transform: GeoTransform
  private let projected: CoordinateTransform
  private let noData: Double?

  /// Feet in a metre.
  private static let feet = 1 / 0.3048
  /// Metres. No land of the United States is as low, so a cell below it is the bottom of the sea, whose surface counts.
  private static let lowestLand: Float = -100
  /// The longest side in degrees that is taken as straight in the raster.
  private static let longestSide = 0.05

  init(_ file: URL) throws {
    name = file.path
    do {
      raster = try RasterDataset(openingImage: file.path)
      guard let transform = raster.geoTransform, raster.bandCount == 1 else {
        throw Terrain.fault(name, "it is not a raster of one band with a place on the earth")
      }
      self.transform = transform
      noData = try raster.noDataValue(band: 1)
      projected = try CoordinateTransform(
        from: SpatialReference(epsg: 4326), to: SpatialReference(wkt: raster.projectionWKT))
    } catch let error as GDALError {
      throw Terrain.fault(name, error.message)
    }
  }

  /// The lowest and the highest ground inside a ring of longitudes and latitudes, in whole feet, rounded outwards; nil where the
  /// raster does not cover it all.
  ///
  /// Each cell counts that the ring touches or encloses, and each cell next to one, so that no point inside is lower or higher in any
  /// way to interpolate between cells.
  func range(of ring: [PlanePoint]) throws -> ClosedRange<Int>? {
    guard let corners = pixels(along: ring), let box = PlaneBox(around: corners), box.minX >= -0.5,
      box.minY >= -0.5, box.maxX <= Double(raster.width) + 0.5, box.maxY <= Double(raster.height) + 0.5
    else { return nil }
    let columns = Terrain.cells(box.minX, box.maxX, of: raster.width)
    let rows = Terrain.cells(box.minY, box.maxY, of: raster.height)
    let window = PixelWindow(
      column: columns.lowerBound, row: rows.lowerBound, width: columns.count, height: rows.count)
    var range: ClosedRange<Float>?
    do {
      let heights = try raster.readFloats(band: 1, window: window)
      let mask = try polygonMask(
        corners.map { ($0.x - Double(window.column), $0.y - Double(window.row)) }, width: window.width,
        height: window.height, isTouchingEnough: true)
      for index in mask.indices where mask[index] != 0 {
        let (row, column) = index.quotientAndRemainder(dividingBy: window.width)
        for near in max(0, row - 1)...min(window.height - 1, row + 1) {
          for cell in max(0, column - 1)...min(window.width - 1, column + 1) {
            let height = aboveSea(heights[near * window.width + cell])
            range = min(height, range?.lowerBound ?? height)...max(height, range?.upperBound ?? height)
          }
        }
      }
    } catch {
      throw Terrain.fault(name, error.message)
    }
    return range.map {
      Int(
        (Double($0.lowerBound) * Terrain.feet).rounded(.down))...Int(
          (Double($0.upperBound) * Terrain.feet).rounded(.up))
    }
  }

  /// 0 for water without a height, and where the raster has the bottom of the sea.
  private func aboveSea(_ metres: Float) -> Float {
    metres.isNaN || noData == Double(metres) || metres < Terrain.lowestLand ? 0 : metres
  }

  /// The cells from one to the other and one more on each side, as far as there are cells.
  private static func cells(_ from: Double, _ to: Double, of count: Int) -> Range<Int> {
    max(0, Int(from.rounded(.down)) - 1)..<min(count, Int(to.rounded(.down)) + 2)
  }

  /// The ring in pixels of the raster, with corners between those that are far apart; nil where it has no place there.
  private func pixels(along ring: [PlanePoint]) -> [PlanePoint]? {
    var points: [PlanePoint] = []
    for (from, to) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      let steps = max(1, (max(abs(to.x - from.x), abs(to.y - from.y)) / Terrain.longestSide).rounded(.up))
      for step in 0..<Int(steps) {
        let share = Double(step) / steps
        guard
          let place = projected(x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share)
        else { return nil }
        let pixel = transform.pixel(x: place.x, y: place.y)
        points.append(PlanePoint(x: pixel.column, y: pixel.row))
      }
    }
    return points
  }

  private static func fault(_ path: String, _ reason: String) -> UserError {
    UserError(
      .badInput, operation: "reading the terrain", path: path, reason: reason,
      suggestion:
        "`terrain` takes a raster of heights in metres that GDAL opens, such as the GeoTIFF of ETOPO 2022.")
  }
}
