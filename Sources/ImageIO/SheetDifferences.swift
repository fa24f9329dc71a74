/// The differences between the colours of a chart's tiles and those of its sheet, cell by cell.
public struct SheetDifferences: Sendable {
  private let columns: Int
  private let rows: Int
  /// Red, green and blue of each cell, tile minus sheet, in 16ths of a level; zero for unknown cells.
  private var differences: [SIMD3<Int64>]
  private var isKnown: [Bool]

  public static let unit = 16

  public init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    differences = [SIMD3<Int64>](repeating: .zero, count: columns * rows)
    isKnown = [Bool](repeating: false, count: columns * rows)
  }

  /// Compares a cell of the tiles with the colour of the sheet there.
  public mutating func set(
    _ column: Int, _ row: Int, _ sums: SheetSums, from color: (red: Int, green: Int, blue: Int)
  ) {
    let place = row * columns + column
    differences[place] = sums.difference(place, from: color)
    isKnown[place] = true
  }

  public var known: Int { isKnown.count { $0 } }

  /// The number of pairs of neighbouring cells by their difference, in 16ths of a level: the noise of the format, without what a
  /// larger region has in common.
  public var noise: [Int] {
    var counts = [Int](repeating: 0, count: 256 * SheetDifferences.unit)
    for row in 0..<rows {
      for place in row * columns + 1..<max(row * columns + 1, (row + 1) * columns)
      where isKnown[place] && isKnown[place - 1] {
        let apart = differences[place] &- differences[place - 1]
        counts[min(Int(max(abs(apart.x), abs(apart.y), abs(apart.z))), counts.count - 1)] += 1
      }
    }
    return counts
  }

  /// The middle of a rectangle of cells, and the mean difference in it in levels: the largest of the three channels, with its sign.
  public typealias Window = (middle: (column: Double, row: Double), difference: Double)

  /// Returns all windows of a size whose mean difference exceeds the limit, and of which at least three quarters are known.
  public func windows(_ size: (columns: Int, rows: Int), beyond limit: Double) -> [Window] {
    var found: [Window] = []
    guard size.columns <= columns, size.rows <= rows else { return [] }
    // The sums of the cells of the window's rows, column by column.
    var sums = [SIMD4<Int64>](repeating: .zero, count: columns)
    for row in 0..<rows {
      for column in 0..<columns {
        sums[column] &+= value(column, row)
        if row >= size.rows { sums[column] &-= value(column, row - size.rows) }
      }
      guard row >= size.rows - 1 else { continue }
      var sum = SIMD4<Int64>.zero
      for column in 0..<columns {
        sum &+= sums[column]
        if column >= size.columns { sum &-= sums[column - size.columns] }
        let (left, top) = (column - size.columns + 1, row - size.rows + 1)
        guard left >= 0, sum.w > 0, 4 * Int(sum.w) >= 3 * size.columns * size.rows else { continue }
        let mean = SheetDifferences.mean(sum)
        if abs(mean) > limit {
          let middle = (Double(left) + Double(size.columns) / 2, Double(top) + Double(size.rows) / 2)
          found.append((middle, mean))
        }
      }
    }
    return found
  }

  /// The mean difference of all cells, of the channel with the largest.
  public var mean: Double {
    SheetDifferences.mean(differences.indices.reduce(.zero) { $0 &+ value($1 % columns, $1 / columns) })
  }

  /// - Parameter sum: of the three channels, and the number of cells.
  private static func mean(_ sum: SIMD4<Int64>) -> Double {
    let most = [sum.x, sum.y, sum.z].max { abs($0) < abs($1) } ?? 0
    return Double(most) / Double(max(1, Int(sum.w)) * unit)
  }

  private func value(_ column: Int, _ row: Int) -> SIMD4<Int64> {
    let place = row * columns + column
    return SIMD4(differences[place], isKnown[place] ? 1 : 0)
  }
}

/// The sums of the pixels of all tiles of the largest zoom, by cell of their sheet.
public struct SheetSums: Sendable {
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

  public init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    cells = [Cell](repeating: Cell(), count: columns * rows)
  }

  public mutating func add(_ sum: SheetCells.Sum) {
    guard (0..<columns).contains(sum.column), (0..<rows).contains(sum.row) else { return }
    let place = sum.row * columns + sum.column
    cells[place].channels &+= SIMD4(Int64(sum.red), Int64(sum.green), Int64(sum.blue), Int64(sum.alpha))
    cells[place].count += Int64(sum.count)
    cells[place].east += Int64(sum.east)
    cells[place].south += Int64(sum.south)
    cells[place].pairs += Int64(sum.pairs)
  }

  /// The number of pixels of a cell.
  public func count(_ place: Int) -> Int { Int(cells[place].count) }

  public func isHole(_ place: Int) -> Bool { cells[place].channels.w < 250 * cells[place].count }

  /// Returns the difference between a cell's mean colour and another colour, in fractions of a level.
  fileprivate func difference(
    _ place: Int, from color: (red: Int, green: Int, blue: Int)
  ) -> SIMD3<Int64> {
    let (cell, unit) = (cells[place], SheetDifferences.unit)
    func channel(_ sum: Int64, _ expected: Int) -> Int64 {
      Int64(unit) * sum / max(1, cell.count) - Int64(unit * expected)
    }
    return SIMD3(
      channel(cell.channels.x, color.red), channel(cell.channels.y, color.green),
      channel(cell.channels.z, color.blue))
  }

  /// The mean square differences in lightness between pixels of the tiles and their neighbours: along the sheet's rows, like the
  /// sheet's number, and eastward and southward together.
  public typealias Texture = (along: Double, all: Double)

  /// Returns the mean square differences in lightness in a cell; nil without any pixels.
  ///
  /// - Parameter isLeaning: whether the sheet's rows are not those of the tiles, so that all directions count.
  public func texture(_ place: Int, isLeaning: Bool) -> Texture? {
    let cell = cells[place]
    guard cell.pairs > 0 else { return nil }
    let pairs = Double(cell.pairs)
    let (east, south) = (Double(cell.east) / pairs, Double(cell.south) / pairs)
    return (isLeaning ? east + south : east, east + south)
  }
}
