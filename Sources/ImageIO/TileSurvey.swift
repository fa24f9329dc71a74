internal import CPixels

/// A reduced picture of an image: the means of the cells of a grid.
public struct TileSurvey: Sendable, Equatable {
  /// Cells in each row and column, for square images whose side is divisible by it.
  public static let cells = Int(CHARTPIPE_CELLS)
  static let largestSide = UInt32(CHARTPIPE_LARGEST)

  public let width: Int
  public let height: Int
  /// Whether the image is fully transparent.
  public let isTransparent: Bool
  /// Four bytes for each cell, row by row: red, green and blue as seen over black, and alpha. Empty for an image of another
  /// shape.
  public let means: [UInt8]

  /// Nil for an image of another shape.
  public let detail: TileDetail?
  /// The sums over the cells of a sheet to compare the image with; empty without any.
  public let sums: [SheetCells.Sum]

  /// - Parameter palette: of 256 colours, RGBA, for an image of indexes; nil if the image is RGBA.
  init(
    _ image: UnsafePointer<UInt8>?, palette: UnsafePointer<UInt8>?, width: Int, height: Int,
    on sheet: SheetCells?
  ) {
    (self.width, self.height) = (width, height)
    let fits = width == height && width > 0 && width.isMultiple(of: TileSurvey.cells)
    let cells = fits ? TileSurvey.cells : 1
    var means = [UInt8](repeating: 0, count: cells * cells * 4)
    var sums = sheet?.noSums ?? []
    (isTransparent, detail) = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: width * height + 4) {
      lights in
      lights.initialize(repeating: 0)
      let isSeen = withUnsafePointer(to: sheet?.place ?? chartpipe_sheet_place()) { place in
        chartpipe_survey(
          image, palette, width, height, cells, sheet == nil ? nil : place, lights.baseAddress, &means, &sums)
      }
      return (isSeen == 0, width == height ? TileDetail(lights, side: width) : nil)
    }
    self.sums = sheet?.sums(sums) ?? []
    self.means = fits ? means : []
  }
}

/// The amount of fine print in an image, by two measures of every fourth row. A blurred image has less by both.
///
/// The first number is the sum of squared differences in lightness between neighbouring pixels of the row. The second is half of the
/// sum of squared changes of these differences to the next row: a straight meridian adds nothing to it.
public struct TileDetail: Sendable, Equatable {
  /// For each cell of the grid of a `TileSurvey`.
  public let own: [SIMD2<UInt32>]
  /// The same of the image at half its size: of as many pixels as `own` has of a quarter of the image above it.
  public let halved: [SIMD2<UInt32>]

  /// Nil for an image that cannot be divided into cells.
  init?(_ lights: UnsafeMutableBufferPointer<UInt8>, side: Int) {
    let cells = TileSurvey.cells
    var own = [UInt32](repeating: 0, count: 2 * cells * cells)
    var halved = [UInt32](repeating: 0, count: cells * cells / 2)
    guard chartpipe_tile_detail(lights.baseAddress, side, cells, &own, &halved) != 0 else { return nil }
    let pairs = { (sums: [UInt32]) in
      stride(from: 0, to: sums.count, by: 2).map { SIMD2(sums[$0], sums[$0 + 1]) }
    }
    (self.own, self.halved) = (pairs(own), pairs(halved))
  }
}

/// The position of an image on the cells of a sheet. Positions between its corners are linear.
public struct SheetCells: Sendable {
  fileprivate let place: chartpipe_sheet_place

  /// Nil for positions that no sheet has.
  ///
  /// - Parameter corners: in cells: column and row of the north-west, north-east, south-west and south-east corner.
  public init?(corners: [(column: Double, row: Double)]) {
    let numbers = corners.flatMap { [$0.column, $0.row] }
    guard corners.count == 4, numbers.allSatisfy({ abs($0) < 16_384 }) else { return nil }
    let columns = SheetCells.span(corners.map(\.column))
    let rows = SheetCells.span(corners.map(\.row))
    guard columns.count * rows.count <= SheetCells.limit else { return nil }
    let fixed = numbers.map { Int32(($0 * 65_536).rounded()) }
    place = chartpipe_sheet_place(
      corners: (fixed[0], fixed[1], fixed[2], fixed[3], fixed[4], fixed[5], fixed[6], fixed[7]),
      column: Int32(columns.lowerBound), row: Int32(rows.lowerBound), columns: Int32(columns.count),
      rows: Int32(rows.count))
  }

  private static let limit = 1 << 20

  private static func span(_ places: [Double]) -> ClosedRange<Int> {
    let (least, most) = (places.min() ?? 0, places.max() ?? 0)
    return Int(least.rounded(.down))...Int(most.rounded(.down))
  }

  /// Sums over an image's pixels in one cell.
  public struct Sum: Sendable, Equatable {
    public let column: Int
    public let row: Int
    /// As seen over black.
    public let red: Int
    public let green: Int
    public let blue: Int
    public let alpha: Int
    public let count: Int
    /// The squared differences in lightness between pixels and their eastern and southern neighbours, of every fourth row and column.
    public let east: Int
    public let south: Int
    /// The number of pixels in the sum of the east, and about that of the south.
    public let pairs: Int
  }

  fileprivate var noSums: [UInt64] { [UInt64](repeating: 0, count: Int(place.columns) * Int(place.rows) * 8) }

  /// Returns the sums of the cells that contain pixels.
  fileprivate func sums(_ sums: [UInt64]) -> [Sum] {
    stride(from: 0, to: sums.count, by: 8).compactMap { first in
      guard sums[first + 4] > 0 else { return nil }
      func sum(_ number: Int) -> Int { Int(sums[first + number]) }
      let (row, column) = (first / 8).quotientAndRemainder(dividingBy: Int(place.columns))
      return Sum(
        column: Int(place.column) + column, row: Int(place.row) + row, red: sum(0), green: sum(1),
        blue: sum(2),
        alpha: sum(3), count: sum(4), east: sum(5), south: sum(6), pairs: sum(7))
    }
  }
}
