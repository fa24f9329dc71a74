internal import Core
internal import Foundation
internal import RasterIO

/// A model of the ground: a raster of heights above the sea.
final class Terrain {
  private let name: String
  private let raster: RasterDataset
  private let transform: GeoTransform
  private let projected: CoordinateTransform
  private let noData: Float?
  /// The height in feet of the value 0, and of a step of the values.
  private let (offset, step): (Double, Double)
  private var (covered, uncovered) = (0, 0)

  /// Feet in each unit, by GDAL's names. A raster that names none is in metres.
  private static let units = [
    "": 1 / 0.3048, "m": 1 / 0.3048, "metre": 1 / 0.3048, "meter": 1 / 0.3048, "ft": 1, "foot": 1,
    "us survey foot": 1, "us-ft": 1,
  ]
  /// Feet. No land of the United States is as low, so a cell below it is the bottom of the sea, whose surface counts.
  private static let lowestLand = -328.0
  /// Feet. The highest mountain and the deepest sea of the earth lie between.
  private static let possible = -36_500.0...29_500.0
  /// The longest side in degrees that is taken as straight in the raster.
  private static let longestSide = 0.05

  init(_ file: URL) throws {
    name = file.path
    do {
      raster = try RasterDataset(openingImage: file.path, ignoringMetadata: true)
      guard let transform = raster.geoTransform, raster.bandCount == 1, !raster.projectionWKT.isEmpty else {
        throw Terrain.fault(name, "it is not a raster of one band with a place in a reference system")
      }
      self.transform = transform
      noData = try raster.noDataValue(band: 1).map { Float($0) }
      let (scale, offset, unit) = try raster.scaling(band: 1)
      guard let feet = Terrain.units[unit.lowercased()] else {
        throw Terrain.fault(name, "its heights are in \(unit), which is neither metres nor feet")
      }
      (self.offset, step) = (offset * feet, scale * feet)
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
    else {
      uncovered += 1
      return nil
    }
    covered += 1
    let columns = Terrain.cells(box.minX, box.maxX, of: raster.width)
    let rows = Terrain.cells(box.minY, box.maxY, of: raster.height)
    let window = PixelWindow(
      column: columns.lowerBound, row: rows.lowerBound, width: columns.count, height: rows.count)
    var range: ClosedRange<Double>?
    do {
      let heights = try raster.readFloats(band: 1, window: window).map(feet)
      let mask = try polygonMask(
        corners.map { ($0.x - Double(window.column), $0.y - Double(window.row)) }, width: window.width,
        height: window.height, isTouchingEnough: true)
      for index in mask.indices where mask[index] != 0 {
        let (row, column) = index.quotientAndRemainder(dividingBy: window.width)
        for near in max(0, row - 1)...min(window.height - 1, row + 1) {
          for cell in max(0, column - 1)...min(window.width - 1, column + 1) {
            let height = heights[near * window.width + cell]
            range = min(height, range?.lowerBound ?? height)...max(height, range?.upperBound ?? height)
          }
        }
      }
    } catch let error as GDALError {
      throw Terrain.fault(name, error.message)
    }
    return range.map { Int($0.lowerBound.rounded(.down))...Int($0.upperBound.rounded(.up)) }
  }

  /// Throws if the raster covers none of the rings, so that it is of another place.
  func checkCover() throws {
    guard covered == 0, uncovered > 0 else { return }
    throw Terrain.fault(
      name, "it covers none of the \(Counts.of(uncovered, "area")) with limits above ground")
  }

  /// 0 for water without a height, and where the raster has the bottom of the sea.
  private func feet(_ value: Float) throws -> Double {
    guard !value.isNaN, value != noData else { return 0 }
    let feet = offset + Double(value) * step
    guard Terrain.possible.contains(feet) else {
      throw Terrain.fault(name, "the value \(value) is no height of the earth, and not declared as missing")
    }
    return feet < Terrain.lowestLand ? 0 : feet
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
        "`terrain` takes a raster of heights that GDAL opens, such as the GeoTIFF of ETOPO 2022.")
  }
}
