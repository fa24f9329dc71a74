internal import CPixels
internal import CryptoIO
internal import Foundation
internal import ImageIO
internal import Pipeline
internal import RasterIO

/// Gathers a coarse picture of a sheet while its rows pass by: the mean colour and the texture of each cell, for a product whose
/// tiles are to be compared with its sheet. All in whole numbers.
struct ReferenceGrid: Sendable {
  let cell: Int
  let columns: Int
  let rows: Int
  private let palette: [UInt8]
  private let lights: [UInt8]
  /// Red, green and blue of each cell.
  private var colors: [UInt32]
  private var texture: [UInt32]
  /// How many rows of each row of cells were added.
  private var seen: [Int]
  private var blanks: BlankSearch
  private var next = 0

  private static let leastCell = 32
  /// Pixels of the largest zoom along a cell, at least.
  private static let leastTarget = 32
  private static let largestCell = 512
  /// Every so many rows the colours are added: all, but for sheets whose finest lines are two pixels wide.
  private let colorStep: Int
  /// Every so many rows the texture is added.
  private static let textureStep = 4
  /// Pixels of a sheet from which on every second row is enough.
  private static let large = 1 << 25

  init(_ sheet: ChartSheet, neatline: Neatline, plan: UnitPlan) {
    let scale = plan.scales.largest << (plan.deepest - plan.maxZoom)
    let wanted = max(ReferenceGrid.leastCell, ReferenceGrid.leastTarget * scale / RowScales.unit)
    // A few cells at least, also of a small sheet at a coarse zoom.
    let limit = max(
      ReferenceGrid.leastCell, min(ReferenceGrid.largestCell, min(sheet.width, sheet.height) / 4))
    cell = min(limit, wanted) / ReferenceGrid.textureStep * ReferenceGrid.textureStep
    colorStep = sheet.width * sheet.height >= ReferenceGrid.large ? 2 : 1
    (columns, rows) = (sheet.width / cell, sheet.height / cell)
    let known = sheet.colors.flatMap { color in withUnsafeBytes(of: color) { Array($0) } }
    palette = known + [UInt8](repeating: 0, count: max(0, 1024 - known.count))
    lights = stride(from: 0, to: 1024, by: 4).map { [palette] start in
      let (red, green, blue) = (Int(palette[start]), Int(palette[start + 1]), Int(palette[start + 2]))
      return UInt8((2 * red + 5 * green + blue) / 8)
    }
    colors = [UInt32](repeating: 0, count: columns * rows * 3)
    texture = [UInt32](repeating: 0, count: columns * rows)
    seen = [Int](repeating: 0, count: rows)
    blanks = BlankSearch(neatline, width: sheet.width, height: sheet.height)
  }

  /// Adds those rows of a band that were not in an earlier one. Bands come from north to south.
  mutating func add(_ band: SheetRows) {
    let new = max(next, band.range.lowerBound)..<max(next, band.range.upperBound)
    guard !new.isEmpty else { return }
    next = new.upperBound
    blanks.add(band, new)
    band.indexes.withUnsafeBufferPointer { indexes in
      guard let start = indexes.baseAddress else { return }
      for row in new where row.isMultiple(of: colorStep) && row / cell < rows {
        add(start + (row - band.range.lowerBound) * band.width, row)
      }
    }
  }

  private mutating func add(_ indexes: UnsafePointer<UInt8>, _ row: Int) {
    let first = row / cell * columns
    seen[row / cell] += 1
    colors.withUnsafeMutableBufferPointer { sums in
      guard let sums = sums.baseAddress else { return }
      chartpipe_add_cell_colors(indexes, columns, cell, palette, sums + first * 3)
    }
    guard row.isMultiple(of: ReferenceGrid.textureStep) else { return }
    texture.withUnsafeMutableBufferPointer { sums in
      guard let sums = sums.baseAddress else { return }
      let pair = ReferenceGrid.firstPair(ofRow: row % cell)
      chartpipe_add_cell_texture(indexes, columns, cell, pair, lights, sums + first)
    }
  }
}

/// Pairs of neighbours.
extension ReferenceGrid {
  /// Where the first pair begins in a row of a cell: at an even and an odd column by turns, so that the rim of no upright line
  /// falls between pairs in all rows.
  private static func firstPair(ofRow row: Int) -> Int { row / textureStep % 2 }

  /// Pairs of a cell whose texture was added.
  private var pairs: Int {
    stride(from: 0, to: cell, by: ReferenceGrid.textureStep).reduce(0) { sum, row in
      sum + (cell - ReferenceGrid.firstPair(ofRow: row)) / 2
    }
  }
}

/// What becomes of it.
extension ReferenceGrid {
  var reference: Product.Reference {
    Product.Reference(cell: cell, columns: columns, rows: rows, blanks: blanks.found)
  }

  /// Writes the picture and returns the file as the product lists it.
  func write(to scratch: URL, as name: String) throws -> Product.File {
    let png = try PNG.encode(picture, quickly: true)
    try Data(png).write(to: scratch)
    return Product.File(
      path: name, sha256: try SHA256Hex(of: png), bytes: png.count, mediaType: "image/png",
      role: Product.Reference.role)
  }

  /// Two pictures, one below the other, with a pixel for each cell: above the mean colours, below the texture in red, and 255 in
  /// green where all of the cell was seen. Texture is twice the root of the mean square.
  private var picture: RGBAImage {
    guard columns > 0, rows > 0 else { return RGBAImage(width: 1, height: 1) }
    let upper = pixels { cell in
      let count = UInt32(self.cell * self.cell / colorStep)
      return (0..<3).map { UInt8((colors[cell * 3 + $0] + count / 2) / count) }
    }
    let pairs = Double(pairs)
    let lower = pixels { cell in
      let root = (4 * Double(texture[cell]) / pairs).squareRoot().rounded()
      return [UInt8(min(root, 255)), 255, 0]
    }
    return RGBAImage(width: max(1, columns), height: max(1, 2 * rows), pixels: upper + lower)
  }

  /// Black where not all rows of a cell were seen.
  private func pixels(_ channels: (_ cell: Int) -> [UInt8]) -> [UInt8] {
    (0..<rows).flatMap { row in
      let isWhole = seen[row] == cell / colorStep
      return (0..<columns).flatMap { column in
        (isWhole ? channels(row * columns + column) : [0, 0, 0]) + [255]
      }
    }
  }
}
