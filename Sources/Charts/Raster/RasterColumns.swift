internal import RasterIO

/// The columns of an image as the warp sees them.
///
/// The image of a whole turn around the earth gets its first column at 180 degrees west, wherever its file begins, and a few columns
/// of its other end on both sides: so the kernel finds neighbours there, and no seam appears.
struct RasterColumns {
  /// The number of columns with the padding.
  let width: Int
  let placing: GeoTransform
  let isCyclic: Bool
  /// See `SheetForm`.
  let turns: [Int]
  /// The file's columns from which the columns are read, as runs.
  let runs: [Range<Int>]

  /// More than the widest kernel.
  private static let padding = 64

  init(_ dataset: RasterDataset, _ own: GeoTransform, _ system: RasterSystem) {
    let (count, pixel) = (dataset.width, own.pixelWidth)
    let isUpright = own.rotationX == 0 && own.rotationY == 0
    if let turn = system.turnLength, isUpright, pixel > 0, abs(Double(count) * pixel - turn) < pixel / 2 {
      let padding = min(RasterColumns.padding, count)
      // From the first column at or before 180 degrees west, less the padding.
      let shift = Int(((-turn / 2 - own.originX) / pixel + 1e-6).rounded(.down)) - padding
      (width, isCyclic, turns) = (count + 2 * padding, true, [0])
      placing = own.shifted(column: shift, row: 0)
      runs = RasterColumns.runs(from: shift, count: width, of: count)
    } else {
      (width, placing, isCyclic, runs) = (count, own, false, [0..<count])
      turns = system.turnLength.map { RasterColumns.turns(own, dataset, $0) } ?? [0]
    }
  }

  private static func runs(from shift: Int, count: Int, of width: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var (column, rest) = ((shift % width + width) % width, count)
    while rest > 0 {
      let length = min(rest, width - column)
      runs.append(column..<column + length)
      (column, rest) = (0, rest - length)
    }
    return runs
  }

  /// The turns whose part of the image is wider than a quarter of a pixel.
  private static func turns(_ placing: GeoTransform, _ dataset: RasterDataset, _ turn: Double) -> [Int] {
    let corners = placing.corners(width: dataset.width, height: dataset.height).map(\.x)
    let slack = abs(placing.pixelWidth) / 4
    let (west, east) = ((corners.min() ?? 0) + slack, (corners.max() ?? 0) - slack)
    let first = ((west / turn + 0.5).rounded(.down)), last = ((east / turn + 0.5).rounded(.up)) - 1
    guard abs(first) < 4, abs(last) < 4, first <= last else { return [0] }
    return Array(Int(first)...Int(last))
  }
}
