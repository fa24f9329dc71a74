internal import Core

/// Which parts of a tile a single chart shows.
extension Neatline {
  /// For each cell of a grid over a tile, row by row, whether it lies within one chart, with two pixels to spare, and touches no
  /// other chart. Along seams, what a zoom shows need not be what the zooms beside it show.
  ///
  /// - Parameter count: cells along a side, a power of two.
  func cellsOfOneChart(in tile: TileID, count: Int) -> [Bool] {
    let box = PlaneBox(of: tile)
    let near = polygons.filter {
      $0.relation(to: box.grown(by: Neatline.tolerance(zoom: tile.zoom))) != .outside
    }
    var inside = [Bool](repeating: false, count: count * count)
    var open = [(column: 0, row: 0, side: count)]
    while let square = open.popLast() {
      let side = (box.maxX - box.minX) / Double(count)
      let part = PlaneBox(
        minX: box.minX + Double(square.column) * side,
        minY: box.maxY - Double(square.row + square.side) * side,
        maxX: box.minX + Double(square.column + square.side) * side,
        maxY: box.maxY - Double(square.row) * side
      ).grown(by: Neatline.tolerance(zoom: tile.zoom) / 2)
      let relations = near.map { $0.relation(to: part) }.filter { $0 != .outside }
      if relations == [.inside] {
        for row in square.row..<square.row + square.side {
          for column in square.column..<square.column + square.side { inside[row * count + column] = true }
        }
      } else if !relations.isEmpty, square.side > 1 {
        let half = square.side / 2
        open += [(0, 0), (half, 0), (0, half), (half, half)].map {
          (square.column + $0.0, square.row + $0.1, half)
        }
      }
    }
    return inside
  }
}
