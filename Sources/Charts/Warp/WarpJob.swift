internal import Core
internal import RasterIO

/// The input of the warp: the sheet, its neatline, and the widening of the kernel.
struct WarpJob: Sendable {
  let sheet: ChartSheet
  let neatline: Neatline
  let scales: RowScales
}

extension WarpJob {
  /// The part of a window that lies on the sheet, and which of its pixels belong to the map: nil if all of them do. Nil for a
  /// window without map.
  func map(in window: PixelWindow) throws -> (part: PixelWindow, mask: [UInt8]?)? {
    guard let part = sheet.part(of: window) else { return nil }
    let relation = neatline.relation(to: part)
    guard relation != .outside else { return nil }
    // A window cut by the image's rim has missing pixels, even if all present ones are inside.
    return (part, relation == .inside && part == window ? nil : try neatline.mask(of: part))
  }
}

/// Rows of the sheet that the plan did not foresee are needed. This is an error in the plan.
struct RowsMissing: Error, CustomStringConvertible {
  let needed: Range<Int>
  let present: Range<Int>

  var description: String { "rows \(needed) of the image are needed where only \(present) were decoded" }
}

extension SheetRows {
  func check(for window: PixelWindow) throws {
    let needed = window.row..<window.row + window.height
    guard range.contains(needed) else { throw RowsMissing(needed: needed, present: range) }
  }
}

/// A block is a square of 256 x 256 Web Mercator pixels that is warped at once. Its number is that of a 256-pixel tile, so that
/// tiles of any size get the same pixels.
extension TileID {
  static let blockSide = 256

  /// The blocks of a tile, row by row.
  func blocks(tileSize: Int) -> [TileID] { tileSize == 2 * TileID.blockSide ? children : [self] }
}

/// The widening of the kernel along the columns and the rows of a sheet, in `RowScales.unit`s.
struct KernelScale: Hashable, Sendable {
  let across: Int
  let down: Int

  var largest: Int { max(across, down) }
}

/// The widening of the kernel for each row of blocks: sheet pixels for one Web Mercator pixel, never less than one.
///
/// For a chart both projections are conformal, so the scale is the same in both directions and depends on the latitude only. For
/// other images this is nearly so, or the two directions differ. It is constant for a row of blocks, so pixels do not depend on
/// how work is divided.
struct RowScales: Sendable {
  /// Steps for a whole pixel. Scales are rounded, so that PROJ's last digits have no influence.
  static let unit = 64

  private let first: Int
  private let scales: [KernelScale]

  /// Measures the rows of blocks that the boxes touch, along the middle of the first box that has positions there.
  init(_ positions: SheetPositions, zoom: Int, covering boxes: [GeoBox]) {
    let ranges = boxes.map { TileRange(zoom: zoom, covering: $0) }
    let rows = (ranges.map(\.rows.lowerBound).min() ?? 0)...(ranges.map(\.rows.upperBound).max() ?? 0)
    let middles = boxes.map { TileID(zoom: zoom, containing: $0.center).column }
    first = rows.lowerBound
    scales = rows.map { row in
      let scale = middles.lazy.compactMap {
        positions.scale(
          zoom: zoom, column: $0 * TileID.blockSide + TileID.blockSide / 2,
          row: row * TileID.blockSide + TileID.blockSide / 2)
      }.first
      return KernelScale(
        across: RowScales.rounded(scale?.across ?? 1), down: RowScales.rounded(scale?.down ?? 1))
    }
  }

  private static func rounded(_ scale: Double) -> Int {
    Int(min(max((scale * Double(unit)).rounded(), Double(unit)), Double(1 << 20)))
  }

  subscript(row: Int) -> KernelScale { scales[min(max(row - first, 0), scales.count - 1)] }

  /// In `unit`s.
  var largest: Int { scales.map(\.largest).max() ?? RowScales.unit }
}
