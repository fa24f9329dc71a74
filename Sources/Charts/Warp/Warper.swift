internal import Core
internal import ImageIO
internal import RasterIO

/// What makes the pixels.
public enum WarpEngine: String, CaseIterable, Sendable {
  /// Our own: whole numbers, and the same pixels on every processor.
  case kernel
  /// GDAL's warper, as a second opinion.
  case gdal

  func warper(_ job: WarpJob) throws -> any Warper {
    switch self {
    case .kernel: try KernelWarper(job)
    case .gdal: try GDALWarper(job)
    }
  }
}

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

/// A square of 256 Web Mercator pixels a side: what is warped in one go. It is numbered as if it were a tile, whatever
/// size the tiles have, so that tiles of any size get the same pixels.
struct WarpBlock: Hashable, Sendable {
  static let side = 256

  let id: TileID

  /// Metres for a pixel.
  static func resolution(zoom: Int) -> Double { WebMercator.resolution(zoom: zoom, tileSize: side) }

  var placing: GeoTransform {
    let (west, north, _) = id.mercator
    let pixel = WarpBlock.resolution(zoom: id.zoom)
    return GeoTransform(originX: west, originY: north, pixelWidth: pixel, pixelHeight: -pixel)
  }

  /// The blocks that a tile is made of, row by row.
  static func blocks(of tile: TileID, tileSize: Int) -> [WarpBlock] {
    tileSize == 2 * side ? tile.children.map { WarpBlock(id: $0) } : [WarpBlock(id: tile)]
  }
}

/// How far the kernel is widened, in pixels of the sheet for one of Web Mercator and never less than one.
///
/// Both projections are conformal, so it is the same across and down and hangs on the latitude alone. It is taken once
/// for each row of blocks: what is made in one go, and by whom, then changes no pixel.
struct RowScales: Sendable {
  /// Steps for a whole pixel: scales are rounded, so that PROJ's last digits have no say.
  static let unit = 64

  private let first: Int
  private let scales: [Int]

  /// The rows of blocks that some boxes touch, measured along the middle of the first.
  init(_ positions: SheetPositions, zoom: Int, covering boxes: [GeoBox]) {
    let ranges = boxes.map { TileRange(zoom: zoom, covering: $0) }
    let rows = (ranges.map(\.rows.lowerBound).min() ?? 0)...(ranges.map(\.rows.upperBound).max() ?? 0)
    let middle = boxes.first.map { TileID(zoom: zoom, containing: $0.center).column } ?? 0
    first = rows.lowerBound
    scales = rows.map { row in
      let scale = positions.scale(
        zoom: zoom, column: middle * WarpBlock.side + WarpBlock.side / 2,
        row: row * WarpBlock.side + WarpBlock.side / 2)
      let rounded = ((scale ?? 1) * Double(RowScales.unit)).rounded()
      return Int(min(max(rounded, Double(RowScales.unit)), Double(1 << 20)))
    }
  }

  /// In `unit`s.
  subscript(row: Int) -> Int { scales[min(max(row - first, 0), scales.count - 1)] }

  var largest: Int { scales.max() ?? RowScales.unit }
}
