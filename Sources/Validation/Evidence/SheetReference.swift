internal import Core
internal import Foundation
internal import ImageIO

/// The coarse picture of a chart's sheet that the build saved, and the mapping between its cells and the tiles of the largest zoom.
struct SheetReference: Sendable {
  let columns: Int
  let rows: Int
  let zoom: Int
  let cell: Double
  /// Whether the sheet leans by more than the convergence of meridians, so that its rows run in other directions than those of the
  /// tiles.
  let isLeaning: Bool
  private let map: SheetMap
  private let picture: RGBAImage

  private static let sideLimit: UInt32 = 8192

  /// Nil for a chart whose sheet is in an unsupported projection.
  init?(_ product: Product, in file: URL) throws {
    guard let reference = product.reference, let control = product.control, let zoom = product.maxZoom,
      (0...24).contains(zoom), let map = SheetMap(control, on: PixelGrid(zoom: zoom, tileSize: 1))
    else { return nil }
    picture = try PNG.decode(Array(Data(contentsOf: file)), sideLimit: SheetReference.sideLimit)
    guard reference.cell > 0, reference.columns == picture.width, 2 * reference.rows == picture.height else {
      throw UserError(
        .badInput, operation: "reading the sheet's picture", path: file.path,
        reason: "the size of the sheet's picture is not the one in the description")
    }
    (columns, rows, cell) = (reference.columns, reference.rows, Double(reference.cell))
    (self.zoom, self.map) = (zoom, map)
    isLeaning = abs(control.placing[4]) > 0.02 * hypot(control.placing[1], control.placing[4])
  }

  /// Returns the cells under a tile of the largest zoom; nil for any other tile.
  func cells(under tile: TileID) -> SheetCells? {
    guard tile.zoom == zoom else { return nil }
    let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].map { right, down in
      let place = map.sheet(PlanePoint(x: Double(tile.column + right), y: Double(tile.row + down)))
      return (column: place.x / cell, row: place.y / cell)
    }
    return SheetCells(corners: corners)
  }

  /// Maps a place of the grid to tiles of the largest zoom, counted from the world's north-western corner.
  private func place(_ column: Double, _ row: Double) -> PlanePoint {
    map.target(PlanePoint(x: column * cell, y: row * cell))
  }

  /// Returns the cell of another edition's sheet that shows the middle of a cell; nil beyond that sheet.
  func cell(_ column: Int, _ row: Int, on other: SheetReference) -> (column: Int, row: Int)? {
    guard zoom == other.zoom else { return nil }
    let there = other.map.sheet(place(Double(column) + 0.5, Double(row) + 0.5))
    let (x, y) = (there.x / other.cell, there.y / other.cell)
    guard (0..<Double(other.columns)).contains(x), (0..<Double(other.rows)).contains(y) else { return nil }
    return (Int(x), Int(y))
  }

  /// Returns the tile that shows a place of the grid.
  func tile(at column: Double, _ row: Double) -> TileID {
    let place = place(column, row)
    let side = Double(1 << zoom)
    func number(_ value: Double) -> Int { value.isFinite ? Int(min(max(value, 0), side - 1)) : 0 }
    return TileID(zoom: zoom, column: number(place.x), row: number(place.y))
  }

  /// Cells along a side of a block, within which the scale hardly changes.
  static let block = 16

  /// Returns the approximate number of tile pixels in a cell, by rows of blocks.
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

  /// Returns the mean square difference in lightness between neighbours.
  func texture(_ column: Int, _ row: Int) -> Double {
    let root = Double(picture[column, row + rows].red) / 2
    return root * root
  }
}

extension SheetReference {
  /// Returns for each cell, row by row, whether it lies completely inside of a neatline. Squares without an edge are filled at once.
  func cells(within neatline: MercatorNeatline) -> [Bool] {
    cellsInside(columns: columns, rows: rows, side: 1 << 13) { columns, rows in
      box(columns, rows).map { neatline.relation(to: $0) } ?? .outside
    }
  }

  /// Returns the box around a part of the grid, in metres of Web Mercator, with a margin of some pixels. A side bulges between its
  /// ends by less than an eighth of its length.
  private func box(_ columns: Range<Int>, _ rows: Range<Int>) -> PlaneBox? {
    let points = [columns.lowerBound, columns.upperBound].flatMap { column in
      [rows.lowerBound, rows.upperBound].map { row in place(Double(column), Double(row)) }
    }
    guard points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
    let metres = points.map(map.grid.metres)
    guard let box = PlaneBox(around: metres) else { return nil }
    let bow = max(columns.count, rows.count) > 1 ? max(box.maxX - box.minX, box.maxY - box.minY) / 8 : 0
    return box.grown(by: bow + MercatorNeatline.tolerance(zoom: zoom))
  }
}

/// The mapping between the pixels of a sheet and those of a zoom, by closed formulas that share no code with PROJ or the warper.
/// NAD83 and WGS84 count as equal.
struct SheetMap {
  let grid: PixelGrid
  private let projection: LambertConformal
  private let falseOrigin: (x: Double, y: Double)
  private let placing: [Double]

  /// Nil for an unsupported projection or an impossible placement.
  init?(_ control: Product.Control, on grid: PixelGrid) {
    guard let stated = control.projection, stated.standardParallels.count == 2, control.placing.count == 6
    else { return nil }
    let numbers =
      control.placing + stated.standardParallels + [
        stated.origin.longitude, stated.origin.latitude, stated.falseEasting, stated.falseNorthing,
      ]
    let placing = control.placing
    guard numbers.allSatisfy(\.isFinite), placing[1] * placing[5] - placing[2] * placing[4] != 0 else {
      return nil
    }
    self.grid = grid
    projection = LambertConformal(
      standardParallels: (stated.standardParallels[0], stated.standardParallels[1]), origin: stated.origin)
    falseOrigin = (stated.falseEasting, stated.falseNorthing)
    self.placing = placing
  }

  /// Maps a place of the sheet to the zoom's pixels, counted from the world's north-western corner.
  func target(_ place: PlanePoint) -> PlanePoint {
    let x = placing[0] + place.x * placing[1] + place.y * placing[2] - falseOrigin.x
    let y = placing[3] + place.x * placing[4] + place.y * placing[5] - falseOrigin.y
    let point = projection.unproject(x: x, y: y)
    return grid.place(
      GeoPoint(longitude: point.longitude.remainder(dividingBy: 360), latitude: point.latitude).mercator)
  }

  /// Maps one of the zoom's pixels to its place on the sheet.
  func sheet(_ target: PlanePoint) -> PlanePoint {
    let metres = grid.metres(target)
    return sheet(metres: projection.project(WebMercator.unproject(x: metres.x, y: metres.y)))
  }

  /// Maps the middles of the zoom's pixels in a box to their places on the sheet, counted from a corner. Each parallel and each
  /// meridian is projected once.
  func sheet(_ box: PixelBox, from corner: PlanePoint) -> PixelPlaces {
    let middles = { (first: Int, count: Int) in (first..<first + count).map { Double($0) + 0.5 } }
    let radii = middles(box.row, box.height).map { y in
      let metres = grid.metres(PlanePoint(x: 0, y: y))
      return projection.radius(ofLatitude: WebMercator.unproject(x: metres.x, y: metres.y).latitude)
    }
    let (apex, far) = (sheet(metres: projection.project(0, (0, 0))), radii[0])
    let meridians = middles(box.column, box.width).map { x in
      let metres = grid.metres(PlanePoint(x: x, y: 0))
      let longitude = WebMercator.unproject(x: metres.x, y: metres.y).longitude
      let end = sheet(metres: projection.project(far, projection.direction(ofLongitude: longitude)))
      return SIMD2(end.x - apex.x, end.y - apex.y) / far
    }
    return PixelPlaces(
      box, from: SIMD2(apex.x - corner.x, apex.y - corner.y), rays: meridians, radii: radii)
  }

  private func sheet(metres: (x: Double, y: Double)) -> PlanePoint {
    let (dx, dy) = (metres.x + falseOrigin.x - placing[0], metres.y + falseOrigin.y - placing[3])
    let determinant = placing[1] * placing[5] - placing[2] * placing[4]
    return PlanePoint(
      x: (dx * placing[5] - dy * placing[2]) / determinant,
      y: (dy * placing[1] - dx * placing[4]) / determinant)
  }

  /// Returns the size of the zoom's pixel in pixels of the sheet.
  func scale(at place: PlanePoint) -> Double {
    1 / target(place).distance(to: target(PlanePoint(x: place.x + 1, y: place.y)))
  }
}
