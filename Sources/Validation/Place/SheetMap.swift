internal import Core
internal import Foundation
internal import Pipeline

/// The way between a sheet's pixels and those of a zoom, by closed formulas: neither PROJ nor anything of the warper has a
/// part in it. NAD83 and WGS84 are one here.
struct SheetMap {
  let grid: PixelGrid
  private let projection: LambertConformal
  private let falseOrigin: (x: Double, y: Double)
  private let placing: [Double]

  /// Nil for numbers that place nothing.
  init?(_ control: Product.Control, on grid: PixelGrid) {
    guard let told = control.projection, told.standardParallels.count == 2, control.placing.count == 6
    else { return nil }
    let numbers =
      control.placing + told.standardParallels + [
        told.origin.longitude, told.origin.latitude, told.falseEasting, told.falseNorthing,
      ]
    let placing = control.placing
    guard numbers.allSatisfy(\.isFinite), placing[1] * placing[5] - placing[2] * placing[4] != 0 else {
      return nil
    }
    self.grid = grid
    projection = LambertConformal(
      standardParallels: (told.standardParallels[0], told.standardParallels[1]), origin: told.origin)
    falseOrigin = (told.falseEasting, told.falseNorthing)
    self.placing = placing
  }

  /// Where a place of the sheet lies among the zoom's pixels, counted from the world's north-western corner.
  func target(_ place: PlanePoint) -> PlanePoint {
    let x = placing[0] + place.x * placing[1] + place.y * placing[2] - falseOrigin.x
    let y = placing[3] + place.x * placing[4] + place.y * placing[5] - falseOrigin.y
    let point = projection.unproject(x: x, y: y)
    let target = grid.place(
      WebMercator.project(
        GeoPoint(longitude: point.longitude.remainder(dividingBy: 360), latitude: point.latitude)))
    return PlanePoint(x: target.x, y: target.y)
  }

  /// The place of the sheet that one of the zoom's pixels shows.
  func sheet(_ target: PlanePoint) -> PlanePoint {
    let metres = grid.metres((target.x, target.y))
    let (x, y) = projection.project(WebMercator.unproject(x: metres.x, y: metres.y))
    let (dx, dy) = (x + falseOrigin.x - placing[0], y + falseOrigin.y - placing[3])
    let determinant = placing[1] * placing[5] - placing[2] * placing[4]
    return PlanePoint(
      x: (dx * placing[5] - dy * placing[2]) / determinant,
      y: (dy * placing[1] - dx * placing[4]) / determinant)
  }

  /// Pixels of the sheet for one of the zoom.
  func scale(at place: PlanePoint) -> Double {
    1 / target(place).distance(to: target(PlanePoint(x: place.x + 1, y: place.y)))
  }
}
