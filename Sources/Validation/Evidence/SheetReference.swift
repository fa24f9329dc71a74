internal import Core
internal import Foundation
internal import ImageIO
internal import Pipeline

/// The coarse picture of its sheet that a chart's build kept, and the way between its cells and the tiles of the largest zoom.
struct SheetReference: Sendable {
  let columns: Int
  let rows: Int
  let zoom: Int
  private let cell: Double
  private let map: SheetMap
  private let picture: RGBAImage

  private static let sideLimit: UInt32 = 8192

  /// Nil for a chart whose sheet lies nowhere that the formulas know.
  init?(_ product: Product, in file: URL) throws {
    guard let reference = product.reference, let control = product.control, let zoom = product.maxZoom,
      (0...24).contains(zoom), let map = SheetMap(control, on: PixelGrid(zoom: zoom, tileSize: 1))
    else { return nil }
    picture = try PNG.decode(Array(Data(contentsOf: file)), sideLimit: SheetReference.sideLimit)
    guard reference.cell > 0, reference.columns == picture.width, 2 * reference.rows == picture.height else {
      throw Mismatch()
    }
    (columns, rows, cell) = (reference.columns, reference.rows, Double(reference.cell))
    (self.zoom, self.map) = (zoom, map)
  }

  struct Mismatch: Error, LocalizedError {
    var errorDescription: String? { "the picture of the sheet is not as large as its description says" }
  }

  /// Where a tile of the largest zoom lies on the cells; nil for any other.
  func cells(under tile: TileID) -> SheetCells? {
    guard tile.zoom == zoom else { return nil }
    let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].map { right, down in
      let place = map.sheet(PlanePoint(x: Double(tile.column + right), y: Double(tile.row + down)))
      return (column: place.x / cell, row: place.y / cell)
    }
    return SheetCells(corners: corners)
  }

  /// Where a place of the grid lies, in tiles of the largest zoom from the world's north-western corner.
  private func place(_ column: Double, _ row: Double) -> PlanePoint {
    map.target(PlanePoint(x: column * cell, y: row * cell))
  }

  /// The tile that shows the middle of a part of the grid.
  func tile(at column: Double, _ row: Double) -> TileID {
    let place = place(column, row)
    let side = Double(1 << zoom)
    func number(_ value: Double) -> Int { value.isFinite ? Int(min(max(value, 0), side - 1)) : 0 }
    return TileID(zoom: zoom, column: number(place.x), row: number(place.y))
  }

  /// Cells along a side of a block, within which the scale hardly changes.
  static let block = 16

  /// Pixels of a tile with so many a side that lie in a cell, about, by rows of blocks.
  func pixels(tileSize: Int) -> [[Double]] {
    stride(from: 0, to: rows, by: SheetReference.block).map { row in
      stride(from: 0, to: columns, by: SheetReference.block).map { pixels($0, row, tileSize) }
    }
  }

  private func pixels(_ column: Int, _ row: Int, _ tileSize: Int) -> Double {
    let (x, y) = (Double(column), Double(row))
    let (corner, right, below) = (place(x, y), place(x + 1, y), place(x, y + 1))
    let area = (right.x - corner.x) * (below.y - corner.y) - (right.y - corner.y) * (below.x - corner.x)
    return abs(area) * Double(tileSize * tileSize)
  }

  /// Red, green and blue.
  func color(_ column: Int, _ row: Int) -> (red: Int, green: Int, blue: Int) {
    let pixel = picture[column, row]
    return (Int(pixel.red), Int(pixel.green), Int(pixel.blue))
  }

  /// Whether the build saw all of a cell.
  func isKnown(_ column: Int, _ row: Int) -> Bool { picture[column, row + rows].green == 255 }

  /// The mean square of the difference in lightness between two neighbours.
  func texture(_ column: Int, _ row: Int) -> Double {
    let root = Double(picture[column, row + rows].red) / 2
    return root * root
  }
}

/// Which cells lie on the map.
extension SheetReference {
  /// Cells wholly within a neatline, row by row: a square of them at once where there is no edge.
  func cells(within neatline: Neatline) -> [Bool] {
    var inside = [Bool](repeating: false, count: columns * rows)
    var open = [CellSquare(column: 0, row: 0, side: 1 << 13)]
    while let square = open.popLast() {
      let (across, down) = (
        (square.column..<square.column + square.side).clamped(to: 0..<columns),
        (square.row..<square.row + square.side).clamped(to: 0..<rows)
      )
      guard !across.isEmpty, !down.isEmpty, let box = box(across, down) else { continue }
      switch neatline.relation(to: box) {
      case .outside: continue
      case .inside:
        for row in down { for column in across { inside[row * columns + column] = true } }
      case .crossing: open += square.quarters
      }
    }
    return inside
  }

  /// Around a part of the grid, in metres of Web Mercator, with some pixels around it. A side bows out between its ends, by less
  /// than an eighth of its length.
  private func box(_ columns: Range<Int>, _ rows: Range<Int>) -> PlaneBox? {
    let points = [columns.lowerBound, columns.upperBound].flatMap { column in
      [rows.lowerBound, rows.upperBound].map { row in place(Double(column), Double(row)) }
    }
    guard points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
    let metres = points.map { map.grid.metres(($0.x, $0.y)) }.map { PlanePoint(x: $0.x, y: $0.y) }
    guard let box = PlaneBox(around: metres) else { return nil }
    let bow = max(columns.count, rows.count) > 1 ? max(box.maxX - box.minX, box.maxY - box.minY) / 8 : 0
    return box.grown(by: bow + Neatline.tolerance(zoom: zoom))
  }

  private struct CellSquare {
    let column: Int
    let row: Int
    let side: Int

    var quarters: [CellSquare] {
      guard side > 1 else { return [] }
      let half = side / 2
      return [(0, 0), (half, 0), (0, half), (half, half)].map {
        CellSquare(column: column + $0.0, row: row + $0.1, side: half)
      }
    }
  }
}

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
