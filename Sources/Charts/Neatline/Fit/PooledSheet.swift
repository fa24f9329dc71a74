/// A whole sheet, seen from afar: how much of each cell of 8 x 8 pixels has the map's colours.
struct PooledSheet {
  static let cell = 8

  let width: Int
  let height: Int
  /// For each cell the number of its pixels that are tint, row by row.
  private let tint: [UInt8]

  private static let cellsPerBand = 32

  /// - Parameter ground: the color of the collar, where it is tinted.
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

  /// The pixels of a cell that are tint; none beyond the image.
  func tint(column: Int, row: Int) -> Int {
    guard (0..<width).contains(column), (0..<height).contains(row) else { return 0 }
    return Int(tint[row * width + column])
  }
}
