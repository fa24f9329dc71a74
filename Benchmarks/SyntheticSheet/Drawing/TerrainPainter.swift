internal import Core
internal import Foundation

/// Draws the content that covers the whole map: tints, relief, contour lines, water and the yellow of towns.
///
/// The world is sampled at every fourth pixel and interpolated between.
struct TerrainPainter {
  private static let step = 4
  private let columns: Int
  private let rows: Int
  private var height: [Float]
  private var light: [Float]
  private var urban: [Float]
  private let contourInterval: Float
  private let metresPerPixel: Double
  /// How much the light varies from pixel to pixel, as in relief that was airbrushed and scanned.
  private let grain: Float
  private let shades: Int

  init(_ design: SheetDesign, terrain: Terrain, settlements: Settlements) {
    let step = TerrainPainter.step
    columns = design.width / step + 3
    rows = design.height / step + 3
    contourInterval = design.series == .sectional ? 500 : 250
    metresPerPixel = design.metresPerPixel
    shades = SheetPalette.shades(of: design.scenery)
    grain = design.scenery.isDense ? 0.8 : 0
    height = [Float](repeating: -1, count: columns * rows)
    light = height
    urban = height
    sample(design, terrain, settlements)
    shade()
  }

  /// Longitudes and latitudes are unprojected at every 32nd pixel and interpolated between.
  private mutating func sample(_ design: SheetDesign, _ terrain: Terrain, _ settlements: Settlements) {
    let block = 8
    func spot(_ column: Int, _ row: Int) -> Terrain.Spot {
      let size = Double(TerrainPainter.step)
      return design.spot(of: design.place(of: PixelPoint(x: Double(column) * size, y: Double(row) * size)))
    }
    let area = MapArea(design)
    for top in stride(from: 0, to: rows, by: block) {
      for left in stride(from: 0, to: columns, by: block) {
        guard touchesMap(area, left: left, top: top, block: block) else { continue }
        let corners = [
          spot(left, top), spot(left + block, top), spot(left, top + block),
          spot(left + block, top + block),
        ]
        for row in top..<min(rows, top + block) {
          for column in left..<min(columns, left + block) {
            let fx = Double(column - left) / Double(block)
            let fy = Double(row - top) / Double(block)
            let spot = TerrainPainter.blend(corners, fx, fy)
            let index = row * columns + column
            height[index] = Float(terrain.elevation(spot))
            urban[index] =
              height[index] > 0 && height[index] < 900
              ? Float(settlements.urbanness(spot, terrain: terrain)) : -1
          }
        }
      }
    }
  }

  private func touchesMap(_ area: MapArea, left: Int, top: Int, block: Int) -> Bool {
    let size = Double(TerrainPainter.step)
    let reach = Double(block + 1) * size
    let x = Double(left) * size
    let y = Double(top) * size
    return [(-size, -size), (reach, -size), (-size, reach), (reach, reach)].contains { corner in
      area.contains(
        PixelPoint(
          x: min(max(0, x + corner.0), Double(area.width - 1)),
          y: min(max(0, y + corner.1), Double(area.height - 1))), margin: -reach)
    }
  }

  private static func blend(_ corners: [Terrain.Spot], _ fx: Double, _ fy: Double) -> Terrain.Spot {
    // Not with key paths, which take most of the time.
    func mix(_ value: (Terrain.Spot) -> Double) -> Double {
      let top = value(corners[0]) * (1 - fx) + value(corners[1]) * fx
      let bottom = value(corners[2]) * (1 - fx) + value(corners[3]) * fx
      return top * (1 - fy) + bottom * fy
    }
    return Terrain.Spot(u: mix { $0.u }, v: mix { $0.v })
  }

  /// Light from the north-west: slopes that face it are bright.
  private mutating func shade() {
    let strength = Float(0.0024 * 42.333 / metresPerPixel)
    for row in 1..<rows - 1 {
      for column in 1..<columns - 1 {
        let index = row * columns + column
        let east = height[index + 1] - height[index - 1]
        let south = height[index + columns] - height[index - columns]
        light[index] = height[index] > 0 ? (east + south) * strength : 0
      }
    }
  }

  func paint(_ canvas: inout Canvas) {
    let size = TerrainPainter.step
    for row in 0..<canvas.height {
      let gridRow = row / size
      let fy = (Float(row % size) + 0.5) / Float(size)
      for gridColumn in 0...(canvas.width - 1) / size {
        let cell = Cell(self, at: gridRow * columns + gridColumn, fy: fy)
        for inner in 0..<min(size, canvas.width - gridColumn * size) {
          let column = gridColumn * size + inner
          guard canvas.area.contains(column: column, row: row) else { continue }
          let fx = (Float(inner) + 0.5) / Float(size)
          let index = row * canvas.width + column
          let screen = TerrainPainter.screen[row & 3][column & 3] + speck(at: index)
          canvas.ground[index] = ground(cell, fx, screen: screen)
          if isContour(cell, fx) { canvas.ink[index] = Ink.brown.first }
        }
      }
    }
  }

  /// One square of the grid at one row of pixels: the values at its left and right.
  private struct Cell {
    let height: (Float, Float)
    let light: (Float, Float)
    let urban: (Float, Float)
    let slope: Float

    init(_ painter: TerrainPainter, at index: Int, fy: Float) {
      let below = index + painter.columns
      func pair(_ plane: [Float]) -> (Float, Float) {
        (
          plane[index] * (1 - fy) + plane[below] * fy,
          plane[index + 1] * (1 - fy) + plane[below + 1] * fy
        )
      }
      height = pair(painter.height)
      light = pair(painter.light)
      urban = pair(painter.urban)
      let east = height.1 - height.0
      let south = painter.height[below] - painter.height[index]
      slope = (east * east + south * south).squareRoot() / Float(TerrainPainter.step)
    }
  }

  /// An ordered screen that mixes the pixels of two lights, so that three lights look like many.
  private static let screen: [[Float]] = [
    [0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5],
  ].map { row in row.map { ($0 - 7.5) / 16 * 0.17 } }

  @inline(__always)
  private func speck(at index: Int) -> Float {
    guard grain > 0 else { return 0 }
    return (Float(SplitMix64.mix(UInt64(index)) >> 40) * 0x1p-24 - 0.5) * grain
  }

  private func ground(_ cell: Cell, _ fx: Float, screen: Float) -> UInt8 {
    let height = cell.height.0 + (cell.height.1 - cell.height.0) * fx
    if height <= 0 { return height > -70 ? SheetPalette.Ground.shallow : SheetPalette.Ground.water }
    if cell.urban.0 + (cell.urban.1 - cell.urban.0) * fx > 0 { return SheetPalette.Ground.city }
    let light = cell.light.0 + (cell.light.1 - cell.light.0) * fx + screen
    let tint = SheetPalette.tintBounds.count { Double(height) >= $0 }
    return SheetPalette.Ground.land + UInt8(tint * shades + shade(light))
  }

  @inline(__always)
  private func shade(_ light: Float) -> Int {
    if shades == 3 { return light > 0.14 ? 0 : light > -0.14 ? 1 : 2 }
    return light > 0.2 ? 0 : light > 0 ? 1 : light > -0.2 ? 2 : 3
  }

  private func isContour(_ cell: Cell, _ fx: Float) -> Bool {
    let height = cell.height.0 + (cell.height.1 - cell.height.0) * fx
    guard height > contourInterval / 2, cell.slope > 0.05 else { return false }
    let nearest = (height / contourInterval).rounded() * contourInterval
    return abs(height - nearest) < cell.slope * 0.62
  }
}

/// Draws the world at a small scale: seas, heights and whole degrees, the same on all sheets that show a place.
struct AtlasPainter {
  private let design: SheetDesign
  /// Full turns that bring the sheet between 0 and 360 degrees, so that a sheet across 180 shows the same as its neighbours.
  private let turn: Double

  /// Pixels between unprojected points. Positions between them are interpolated.
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
    let height = height(at: place)
    if height < 0 { return AtlasPainter.sea(height) }
    let (x, y) = field(place)
    let light = AtlasPainter.lands.fractal(x * 9, y * 9, octaves: 2)
    let shade = light > 0.15 ? 0 : light > -0.15 ? 1 : 2
    let tint = AtlasPainter.tint(height) * SheetPalette.shades(of: design.scenery)
    return SheetPalette.Ground.land + UInt8(tint + shade)
  }

  private func field(_ place: GeoPoint) -> (x: Double, y: Double) {
    ((place.longitude + turn) * 0.16, place.latitude * 0.22)
  }

  /// Below zero in the sea, and about one on the highest land.
  func height(at place: GeoPoint) -> Double {
    let (x, y) = field(place)
    return AtlasPainter.lands.fractal(x, y, octaves: 6) + 0.12
  }

  static func sea(_ height: Double) -> UInt8 {
    height < -0.05 ? SheetPalette.Ground.water : SheetPalette.Ground.shallow
  }

  static func tint(_ height: Double) -> Int { min(5, Int(height * 11)) }

  /// Swatches in the western collar: colours that are not map.
  func legend(_ canvas: inout Canvas) {
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

/// A cell of a few pixels, between whose corners longitudes and latitudes are linear.
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
