/// The connected part of a pooled sheet that has the map's colors, around the sheet's middle.
struct PooledRegion {
  /// Its convex outline, in pixels of the sheet.
  let hull: [PixelPoint]
  /// In square pixels of the sheet, with the holes in it.
  let area: Double

  /// Cells of a block's side: names and roads leave no gap between blocks.
  private static let block = 4
  private static var size: Double { Double(block * PooledSheet.cell) }

  /// - Returns: nil where the sheet has no such part.
  init?(_ sheet: PooledSheet) {
    let (width, height) = (sheet.width / PooledRegion.block, sheet.height / PooledRegion.block)
    guard width > 2, height > 2 else { return nil }
    let isTint = (0..<width * height).map { PooledRegion.isTint(sheet, column: $0 % width, row: $0 / width) }
    let middle = height / 2 * width + width / 2
    guard isTint[middle] else { return nil }
    var isFound = [Bool](repeating: false, count: isTint.count)
    var open = [middle]
    isFound[middle] = true
    while let place = open.popLast() {
      let (column, row) = (place % width, place / width)
      for (next, isInside) in [
        (place - 1, column > 0), (place + 1, column < width - 1), (place - width, row > 0),
        (place + width, row < height - 1),
      ] where isInside && isTint[next] && !isFound[next] {
        isFound[next] = true
        open.append(next)
      }
    }
    var corners: [PixelPoint] = []
    var blocks = 0
    for row in 0..<height {
      let columns = (0..<width).filter { isFound[row * width + $0] }
      guard let first = columns.first, let last = columns.last else { continue }
      blocks += last - first + 1
      for edge in [row, row + 1] {
        corners.append(PooledRegion.point(first, edge))
        corners.append(PooledRegion.point(last + 1, edge))
      }
    }
    hull = PooledRegion.hull(corners)
    area = Double(blocks) * PooledRegion.size * PooledRegion.size
  }

  private static func point(_ column: Int, _ row: Int) -> PixelPoint {
    PixelPoint(column: Double(column) * size, row: Double(row) * size)
  }

  /// Whether at least half of a block is tint.
  private static func isTint(_ sheet: PooledSheet, column: Int, row: Int) -> Bool {
    let sum = (0..<block * block).reduce(0) {
      $0 + sheet.tint(column: column * block + $1 % block, row: row * block + $1 / block)
    }
    return sum * 2 >= block * block * PooledSheet.cell * PooledSheet.cell
  }

  /// Points in order around all others.
  private static func hull(_ points: [PixelPoint]) -> [PixelPoint] {
    let sorted = points.sorted { ($0.column, $0.row) < ($1.column, $1.row) }
    func half(_ points: [PixelPoint]) -> [PixelPoint] {
      var chain: [PixelPoint] = []
      for point in points {
        while chain.count >= 2, turn(chain[chain.count - 2], chain[chain.count - 1], point) <= 0 {
          chain.removeLast()
        }
        chain.append(point)
      }
      return chain.dropLast()
    }
    return half(sorted) + half(sorted.reversed())
  }

  private static func turn(_ a: PixelPoint, _ b: PixelPoint, _ c: PixelPoint) -> Double {
    (b.column - a.column) * (c.row - a.row) - (b.row - a.row) * (c.column - a.column)
  }
}
