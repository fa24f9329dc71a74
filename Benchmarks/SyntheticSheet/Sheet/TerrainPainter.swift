internal import Core
internal import Foundation

/// Tints, relief, contour lines, water and towns' yellow: all that covers the whole map.
///
/// The world is asked at every fourth pixel; between, it is interpolated.
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

  /// Longitudes and latitudes are unprojected at every 32nd pixel; on so short a way they run straight.
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
    func mix(_ path: KeyPath<Terrain.Spot, Double>) -> Double {
      let top = corners[0][keyPath: path] * (1 - fx) + corners[1][keyPath: path] * fx
      let bottom = corners[2][keyPath: path] * (1 - fx) + corners[3][keyPath: path] * fx
      return top * (1 - fy) + bottom * fy
    }
    return Terrain.Spot(u: mix(\.u), v: mix(\.v))
  }

  /// Light from the north-west: rising ground that faces it is bright.
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

  /// An ordered screen: between two lights it mixes their pixels, so that three look like many.
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
