internal import ImageIO

/// A whole sheet on a reduced scale: how much of each cell of 8 x 8 pixels has the map's colours.
struct PooledSheet {
  static let cell = 8

  let width: Int
  let height: Int
  /// For each cell the number of tinted pixels, row by row.
  private let tint: [UInt8]

  private static let cellsPerBand = 32

  /// - Parameter ground: the color of the collar, if it is tinted.
  init(_ image: SheetImage, ground: PrintKinds.Ground? = nil) throws {
    let cell = PooledSheet.cell
    width = image.width / cell
    height = image.height / cell
    let plain = PrintKinds(image.colors)
    let kinds = ground.map(plain.onGround) ?? plain
    let isTint = (0...255).map { kinds[UInt8($0)] == .tint ? UInt8(1) : 0 }
    var tint = [UInt8](repeating: 0, count: width * height)
    for top in stride(from: 0, to: height, by: PooledSheet.cellsPerBand) {
      let cells = min(PooledSheet.cellsPerBand, height - top)
      let rows = try image.rows(top * cell..<(top + cells) * cell)
      for row in 0..<cells * cell {
        PooledSheet.add(rows, row, isTint, to: &tint, at: (top + row / cell) * width, count: width)
      }
    }
    self.tint = tint
  }

  /// Adds one row of pixels to the row of cells that begins at an index.
  private static func add(
    _ rows: SheetRows, _ row: Int, _ isTint: [UInt8], to tint: inout [UInt8], at start: Int, count: Int
  ) {
    rows.indexes.withUnsafeBufferPointer { indexes in
      isTint.withUnsafeBufferPointer { isTint in
        tint.withUnsafeMutableBufferPointer { tint in
          for column in 0..<count * cell {
            tint[start + column / cell] &+= isTint[Int(indexes[row * rows.width + column])]
          }
        }
      }
    }
  }

  /// The number of tinted pixels of a cell; 0 beyond the image.
  func tint(column: Int, row: Int) -> Int {
    guard (0..<width).contains(column), (0..<height).contains(row) else { return 0 }
    return Int(tint[row * width + column])
  }
}

/// The connected part of a pooled sheet that has the map's colors, around the sheet's middle.
extension PooledSheet {
  /// Cells on a block's side. Names and roads leave no gap between blocks.
  private static let block = 4
  private static var size: Double { Double(block * cell) }

  /// Returns its convex outline, in pixels of the sheet, and its area in square pixels, including its holes. Nil if the sheet has no
  /// such part.
  func region() -> (hull: [PixelPoint], area: Double)? {
    let (width, height) = (width / PooledSheet.block, height / PooledSheet.block)
    guard width > 2, height > 2 else { return nil }
    let isTint = (0..<width * height).map { isTinted(column: $0 % width, row: $0 / width) }
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
        corners += [PooledSheet.point(first, edge), PooledSheet.point(last + 1, edge)]
      }
    }
    return (PooledSheet.hull(corners), Double(blocks) * PooledSheet.size * PooledSheet.size)
  }

  private static func point(_ column: Int, _ row: Int) -> PixelPoint {
    PixelPoint(column: Double(column) * size, row: Double(row) * size)
  }

  /// Whether at least half of a block is tinted.
  private func isTinted(column: Int, row: Int) -> Bool {
    let block = PooledSheet.block
    let sum = (0..<block * block).reduce(0) {
      $0 + tint(column: column * block + $1 % block, row: row * block + $1 / block)
    }
    return sum * 2 >= block * block * PooledSheet.cell * PooledSheet.cell
  }

  /// The convex hull of the points, in order.
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
