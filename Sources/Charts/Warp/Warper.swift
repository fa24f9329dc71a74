internal import Core
internal import ImageIO
internal import RasterIO

/// An engine that gives a chart's pixels on Web Mercator. One worker uses one at a time.
protocol Warper: AnyObject {
  /// Writes a block's colours inside the neatline, transparent outside of it (0 in all four bytes), to its place in a
  /// picture. Gives false, and may write nothing, where all is outside.
  func warp(
    _ block: WarpBlock, from rows: SheetRows, to picture: inout RGBAImage, column: Int, row: Int
  ) throws -> Bool
}

/// Everything that the engines share: what is warped, and how far the kernel is widened.
struct WarpJob: Sendable {
  let sheet: ChartSheet
  let neatline: Neatline
  let scales: RowScales
}

extension WarpJob {
  /// A window as an engine finds it.
  enum Window {
    case inside
    /// The part that lies on the sheet, and which of its pixels are map.
    case cut(PixelWindow, mask: [UInt8])
    case outside
  }

  func look(at window: PixelWindow) throws -> Window {
    guard let part = sheet.part(of: window) else { return .outside }
    switch neatline.relation(to: part) {
    case .outside: return .outside
    // A window that the image's rim cuts short is not all there, though all of what is there is inside.
    case .inside where part == window: return .inside
    case .inside, .crossing: return .cut(part, mask: try neatline.mask(of: part))
    }
  }
}

/// Rows of the sheet that were thought of no use to a block turn out to be needed: an error of the plan.
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
