internal import CPixels

/// What an image looks like from afar: the means of the cells of a grid.
public struct TileSurvey: Sendable, Equatable {
  /// As many across as down, where the image is a square that can be shared out so.
  public static let cells = 16

  public let width: Int
  public let height: Int
  /// Whether there is nothing to see.
  public let isTransparent: Bool
  /// Of each cell, row by row, four bytes: red, green and blue as they look over black, and alpha. Empty for an image
  /// of another shape.
  public let means: [UInt8]

  /// Nil for an image of another shape.
  public let detail: TileDetail?
  /// What it shows of the cells of a sheet that it was to be compared with; empty without any.
  public let sums: [SheetCells.Sum]

  init(rgba pixels: UnsafePointer<UInt8>?, width: Int, height: Int, on cells: SheetCells? = nil) {
    self.init(pixels, palette: nil, width: width, height: height, on: cells) { cells, means in
      chartpipe_mean_cells(pixels, width, height, cells, means)
    }
  }

  /// Indexes of a palette of 256 colours, RGBA.
  init(
    indexes: UnsafePointer<UInt8>?, palette: UnsafePointer<UInt8>?, width: Int, height: Int,
    on cells: SheetCells? = nil
  ) {
    self.init(indexes, palette: palette, width: width, height: height, on: cells) { cells, means in
      chartpipe_mean_cells_of_indexes(indexes, palette, width, height, cells, means)
    }
  }

  private init(
    _ image: UnsafePointer<UInt8>?, palette: UnsafePointer<UInt8>?, width: Int, height: Int,
    on sheet: SheetCells?, measure: (_ cells: Int, UnsafeMutablePointer<UInt8>?) -> Int32
  ) {
    (self.width, self.height) = (width, height)
    detail = TileDetail(image, palette: palette, width: width, height: height)
    sums = sheet?.sums(image, palette: palette, width: width, height: height) ?? []
    let fits = width == height && width > 0 && width.isMultiple(of: TileSurvey.cells)
    let cells = fits ? TileSurvey.cells : 1
    var isSeen = false
    let means = [UInt8](unsafeUninitializedCapacity: cells * cells * 4) { buffer, count in
      isSeen = measure(cells, buffer.baseAddress) != 0
      count = cells * cells * 4
    }
    isTransparent = !isSeen
    self.means = fits ? means : []
  }
}
