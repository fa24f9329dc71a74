internal import Pipeline
internal import RasterIO

/// A chart's open image, checked and not yet decoded. It is read in bands of whole rows, so that a sheet of any size
/// needs little memory. One task uses it.
final class SheetImage {
  let width: Int
  let height: Int
  /// How many rows are decoded together, whether one or all of them are asked for.
  let blockRows: Int
  /// For each index, the bytes red, green, blue and 255 in memory's order.
  let colors: [UInt32]
  let placing: GeoTransform
  /// The sheet's own projection, on WGS84, as WKT.
  let projection: String
  /// How the files beside the image agree with its placing.
  let placement: [Product.Placement]
  private let dataset: RasterDataset
  private let files: ChartFiles

  init(
    _ dataset: RasterDataset, of files: ChartFiles, colors: [UInt32], placing: GeoTransform,
    projection: String, placement: [Product.Placement]
  ) {
    self.dataset = dataset
    self.files = files
    self.colors = colors
    self.placing = placing
    self.projection = projection
    self.placement = placement
    width = dataset.width
    height = dataset.height
    blockRows = (try? dataset.blockSize().height) ?? 1
  }

  /// Decodes whole rows, all of which must be in the image.
  func rows(_ range: Range<Int>) throws -> SheetRows {
    let indexes = try [UInt8](unsafeUninitializedCapacity: range.count * width) { buffer, count in
      try read(range, into: UnsafeMutableRawBufferPointer(buffer))
      count = range.count * width
    }
    return SheetRows(range: range, width: width, indexes: indexes)
  }

  /// The same into memory that is there already.
  func read(_ range: Range<Int>, into buffer: UnsafeMutableRawBufferPointer) throws {
    do {
      try dataset.readBytes(
        band: 1, window: PixelWindow(column: 0, row: range.lowerBound, width: width, height: range.count),
        into: buffer)
    } catch {
      // GDAL's own words name a file in memory that nobody knows; they are kept for those who want all causes.
      throw files.fault(files.tifName, "the image is damaged or cut short", causes: [error])
    }
  }
}

/// Decoded rows of a sheet: one byte a pixel, shared by all workers.
struct SheetRows: Sendable {
  let range: Range<Int>
  let width: Int
  let indexes: [UInt8]
}
