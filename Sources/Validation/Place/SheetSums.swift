internal import ImageIO

/// What all tiles of the largest zoom show of each cell of their sheet.
struct SheetSums {
  private let columns: Int
  private let rows: Int
  private var cells: [Cell]

  private struct Cell {
    /// Red, green, blue and alpha.
    var channels = SIMD4<Int64>()
    var count: Int64 = 0
    var east: Int64 = 0
    var south: Int64 = 0
    var pairs: Int64 = 0
  }

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    cells = [Cell](repeating: Cell(), count: columns * rows)
  }

  mutating func add(_ sum: SheetCells.Sum) {
    guard (0..<columns).contains(sum.column), (0..<rows).contains(sum.row) else { return }
    let place = sum.row * columns + sum.column
    cells[place].channels &+= SIMD4(Int64(sum.red), Int64(sum.green), Int64(sum.blue), Int64(sum.alpha))
    cells[place].count += Int64(sum.count)
    cells[place].east += Int64(sum.east)
    cells[place].south += Int64(sum.south)
    cells[place].pairs += Int64(sum.pairs)
  }

  /// Pixels of a cell.
  func count(_ place: Int) -> Int { Int(cells[place].count) }

  func isHole(_ place: Int) -> Bool { cells[place].channels.w < 250 * cells[place].count }

  /// How much a cell's mean colour differs from another one, in parts of a level.
  func difference(_ place: Int, from color: (red: Int, green: Int, blue: Int), unit: Int) -> SIMD3<Int32> {
    let cell = cells[place]
    func channel(_ sum: Int64, _ expected: Int) -> Int32 {
      Int32(Int64(unit) * sum / cell.count) - Int32(unit * expected)
    }
    return SIMD3(
      channel(cell.channels.x, color.red), channel(cell.channels.y, color.green),
      channel(cell.channels.z, color.blue))
  }

  /// The mean squares of the differences in lightness in a cell; nil where none were seen.
  func texture(_ place: Int) -> SheetPrint.Texture? {
    let cell = cells[place]
    guard cell.pairs > 0 else { return nil }
    let pairs = Double(cell.pairs)
    return .init(east: Double(cell.east) / pairs, all: Double(cell.east + cell.south) / pairs)
  }
}
