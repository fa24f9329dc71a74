internal import ImageIO

/// How the colours of a chart's tiles differ from those of its sheet, cell by cell.
struct SheetDifferences {
  let columns: Int
  let rows: Int
  /// In 16ths of a level, tile less sheet: red, green and blue of each cell, 0 where nothing is known.
  private var differences: [SIMD3<Int32>]
  private var isKnown: [Bool]

  static let unit = 16

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    differences = [SIMD3<Int32>](repeating: SIMD3(), count: columns * rows)
    isKnown = [Bool](repeating: false, count: columns * rows)
  }

  mutating func set(_ column: Int, _ row: Int, _ difference: SIMD3<Int32>) {
    differences[row * columns + column] = difference
    isKnown[row * columns + column] = true
  }

  var known: Int { isKnown.count { $0 } }

  /// The difference that three quarters of neighbouring cells have among each other: what the format does to colours, whatever a
  /// larger region has in common. In 16ths of a level.
  var noise: Int {
    var counts = [Int](repeating: 0, count: 256 * SheetDifferences.unit)
    for row in 0..<rows {
      for place in row * columns + 1..<max(row * columns + 1, (row + 1) * columns)
      where isKnown[place] && isKnown[place - 1] {
        let apart = differences[place] &- differences[place - 1]
        let most = max(abs(apart.x), abs(apart.y), abs(apart.z))
        counts[min(Int(most), counts.count - 1)] += 1
      }
    }
    var left = counts.reduce(0, +) / 4
    for difference in counts.indices.reversed() {
      left -= counts[difference]
      if left < 0 { return difference }
    }
    return 0
  }

  /// A rectangle of cells and the mean difference in it.
  struct Window {
    let column: Int
    let row: Int
    let size: (columns: Int, rows: Int)
    /// In levels: the largest of the three channels, with its sign.
    let difference: Double

    var middle: (column: Double, row: Double) {
      (Double(column) + Double(size.columns) / 2, Double(row) + Double(size.rows) / 2)
    }
  }

  /// All windows of a size whose mean difference is larger than the limit. At least three quarters of their cells are known.
  func windows(_ size: (columns: Int, rows: Int), beyond limit: Double) -> [Window] {
    let table = SumTable(self)
    var found: [Window] = []
    guard size.columns <= columns, size.rows <= rows else { return [] }
    for row in 0...rows - size.rows {
      for column in 0...columns - size.columns {
        let (sum, count) = table.sum(column, row, size)
        guard count > 0, 4 * count >= 3 * size.columns * size.rows else { continue }
        let most = [sum.x, sum.y, sum.z].max { abs($0) < abs($1) } ?? 0
        let mean = Double(most) / Double(count * SheetDifferences.unit)
        if abs(mean) > limit {
          found.append(Window(column: column, row: row, size: size, difference: mean))
        }
      }
    }
    return found
  }

  /// Of all cells, the largest of the three channels.
  var mean: Double {
    let sum = differences.reduce(SIMD3<Int64>()) { $0 &+ SIMD3<Int64>(truncatingIfNeeded: $1) }
    let most = [sum.x, sum.y, sum.z].max { abs($0) < abs($1) } ?? 0
    return Double(most) / Double(max(1, known) * SheetDifferences.unit)
  }

  /// Sums from the first cell on, so that any rectangle's is had of four numbers.
  private struct SumTable {
    private let stride: Int
    private var sums: [SIMD4<Int64>]

    init(_ cells: SheetDifferences) {
      stride = cells.columns + 1
      sums = [SIMD4<Int64>](repeating: SIMD4(), count: stride * (cells.rows + 1))
      for row in 0..<cells.rows {
        var line = SIMD4<Int64>()
        for column in 0..<cells.columns {
          let place = row * cells.columns + column
          let own = cells.differences[place]
          line &+= SIMD4(Int64(own.x), Int64(own.y), Int64(own.z), cells.isKnown[place] ? 1 : 0)
          sums[(row + 1) * stride + column + 1] = sums[row * stride + column + 1] &+ line
        }
      }
    }

    func sum(_ column: Int, _ row: Int, _ size: (columns: Int, rows: Int)) -> (sum: SIMD3<Int64>, count: Int)
    {
      let (above, below) = (row * stride + column, (row + size.rows) * stride + column)
      let sum = sums[below + size.columns] &- sums[below] &- sums[above + size.columns] &+ sums[above]
      return (SIMD3(sum.x, sum.y, sum.z), Int(sum.w))
    }
  }
}
