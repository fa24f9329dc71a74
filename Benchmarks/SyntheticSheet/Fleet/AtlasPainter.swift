internal import Core
internal import Foundation

/// The world from afar: seas, heights and whole degrees, the same on every sheet that shows a place.
struct AtlasPainter {
  private let design: SheetDesign
  /// Whole turns that bring the sheet between 0 and 360 degrees, so that a sheet across 180 shows what its neighbours do.
  private let turn: Double

  /// Places are unprojected so many pixels apart; on so short a way they run straight.
  static let step = 8
  private static let lands = Noise(seed: 0xA71A)

  init(_ design: SheetDesign) {
    self.design = design
    turn = design.projection.origin.longitude < 0 ? 360 : 0
  }

  func paint(_ canvas: inout Canvas) {
    let step = AtlasPainter.step
    for top in stride(from: 0, to: canvas.height, by: step) {
      for left in stride(from: 0, to: canvas.width, by: step) {
        let cell = Cell(design, left: left, top: top)
        for row in top..<min(top + step, canvas.height) {
          for column in left..<min(left + step, canvas.width)
          where canvas.area.contains(column: column, row: row) {
            let place = cell.place(column: column - left, row: row - top)
            let index = row * canvas.width + column
            canvas.ground[index] = ground(place)
            if cell.isOnLine(place) { canvas.ink[index] = Ink.blue.first }
          }
        }
      }
    }
    legend(&canvas)
  }

  private func ground(_ place: GeoPoint) -> UInt8 {
    let (x, y) = ((place.longitude + turn) * 0.16, place.latitude * 0.22)
    let height = AtlasPainter.lands.fractal(x, y, octaves: 6) + 0.12
    if height < 0 { return height < -0.05 ? SheetPalette.Ground.water : SheetPalette.Ground.shallow }
    let tint = min(5, Int(height * 11))
    let light = AtlasPainter.lands.fractal(x * 9, y * 9, octaves: 2)
    let shade = light > 0.15 ? 0 : light > -0.15 ? 1 : 2
    return SheetPalette.Ground.land + UInt8(tint * SheetPalette.shades(of: design.scenery) + shade)
  }

  /// Swatches in the western collar: colours that are no map.
  private func legend(_ canvas: inout Canvas) {
    canvas.clip = .sheet
    let side = min(24.0, 40_000 / design.metresPerPixel)
    for swatch in 0..<6 {
      let y = side * (1 + 2 * Double(swatch))
      canvas.clearBox(
        x: side / 2, y: y, width: side, height: side,
        ground: SheetPalette.Ground.land + UInt8(3 * swatch))
      canvas.box(x: side / 2, y: y, width: side, height: side, Pen(.black, 1))
    }
    canvas.clip = .map
  }
}

/// A few pixels a side, between whose corners longitudes and latitudes run straight.
private struct Cell {
  private let corner: GeoPoint
  /// Degrees from one pixel to the next.
  private let across: GeoPoint
  private let down: GeoPoint

  init(_ design: SheetDesign, left: Int, top: Int) {
    let step = Double(AtlasPainter.step)
    func place(_ dx: Double, _ dy: Double) -> GeoPoint {
      design.place(of: PixelPoint(x: Double(left) + 0.5 + dx, y: Double(top) + 0.5 + dy))
    }
    let start = place(0, 0)
    func slope(to end: GeoPoint) -> GeoPoint {
      GeoPoint(
        longitude: (end.longitude - start.longitude) / step, latitude: (end.latitude - start.latitude) / step)
    }
    corner = start
    across = slope(to: place(step, 0))
    down = slope(to: place(0, step))
  }

  func place(column: Int, row: Int) -> GeoPoint {
    let (x, y) = (Double(column), Double(row))
    return GeoPoint(
      longitude: corner.longitude + x * across.longitude + y * down.longitude,
      latitude: corner.latitude + x * across.latitude + y * down.latitude)
  }

  /// Whether a whole degree passes through the pixel.
  func isOnLine(_ place: GeoPoint) -> Bool {
    func isNear(_ degrees: Double, _ perPixel: Double) -> Bool {
      abs(degrees - degrees.rounded()) < abs(perPixel) / 2
    }
    return isNear(place.longitude, across.longitude) || isNear(place.latitude, down.latitude)
  }
}
