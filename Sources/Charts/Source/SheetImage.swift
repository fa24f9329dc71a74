internal import Pipeline
internal import RasterIO
internal import Synchronization

/// A chart's open image: checked, not yet decoded. It is read in bands of whole rows, so that memory does not grow with the
/// sheet. One thread uses it at a time.
final class SheetImage {
  let width: Int
  let height: Int
  /// The number of rows that are always decoded together.
  let blockRows: Int
  /// For each index, the bytes red, green, blue and 255 in memory order.
  let colors: [UInt32]
  let placing: GeoTransform
  /// The sheet's own projection, on WGS84, as WKT.
  let projection: String
  /// How the files beside the image agree with its georeference.
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

  /// Decodes whole rows. All of them must be in the image.
  func rows(_ range: Range<Int>) throws -> SheetRows {
    let indexes = try [UInt8](unsafeUninitializedCapacity: range.count * width) { buffer, count in
      try read(range, into: UnsafeMutableRawBufferPointer(buffer))
      count = range.count * width
    }
    return SheetRows(range: range, width: width, indexes: indexes)
  }

  /// Decodes whole rows into existing memory.
  func read(_ range: Range<Int>, into buffer: UnsafeMutableRawBufferPointer) throws {
    do {
      try dataset.readBytes(
        band: 1, window: PixelWindow(column: 0, row: range.lowerBound, width: width, height: range.count),
        into: buffer)
    } catch {
      // GDAL's message names an in-memory file that the user does not know. It is kept as the cause.
      throw files.userError(files.tifName, "the image is damaged or cut short", causes: [error])
    }
  }
}

/// Decoded rows of a sheet: one byte for each pixel, shared by all workers.
struct SheetRows: Sendable {
  let range: Range<Int>
  let width: Int
  let indexes: [UInt8]
}

/// Decodes a sheet in bands of rows, from north to south, for one thread at a time. Rows that two bands share are decoded once.
final class SheetBands: Sendable {
  private let decoder: Mutex<BandDecoder>

  init(_ image: sending SheetImage) {
    decoder = Mutex(BandDecoder(image))
  }

  /// The data collected from the rows decoded since `fill`.
  var gathered: (reference: ReferenceGrid?, inks: InkPatches?) {
    decoder.withLock { ($0.reference, $0.inks) }
  }

  /// How often each index occurs in every eighth row decoded before `fill`.
  var population: [Int] { decoder.withLock { $0.population } }

  /// Collects the reference grid and the ink positions from all rows decoded from now on.
  func fill(_ reference: ReferenceGrid, _ inks: InkPatches) {
    decoder.withLock { ($0.reference, $0.inks) = (reference, inks) }
  }

  func rows(_ range: Range<Int>) throws -> SheetRows { try decoder.withLock { try $0.rows(range) } }
}

private struct BandDecoder {
  private let image: SheetImage
  private var last: SheetRows?
  var reference: ReferenceGrid?
  var inks: InkPatches?
  private(set) var population = [Int](repeating: 0, count: 256)

  init(_ image: sending SheetImage) {
    self.image = image
  }

  mutating func rows(_ range: Range<Int>) throws -> SheetRows {
    let known = last.map { $0.range.clamped(to: range) } ?? range.lowerBound..<range.lowerBound
    // Only the end of the last band is useful to a band below it.
    let shared = known.lowerBound == range.lowerBound ? known : range.lowerBound..<range.lowerBound
    var indexes = [UInt8](repeating: 0, count: range.count * image.width)
    try indexes.withUnsafeMutableBytes { bytes in
      copy(shared, to: bytes)
      let rest = shared.upperBound..<range.upperBound
      let start = shared.count * image.width
      if !rest.isEmpty {
        try image.read(rest, into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
      }
    }
    let rows = SheetRows(range: range, width: image.width, indexes: indexes)
    last = rows
    if reference == nil { tally(rows) }
    reference?.add(rows)
    inks?.add(rows)
    return rows
  }

  private mutating func tally(_ rows: SheetRows) {
    rows.indexes.withUnsafeBufferPointer { indexes in
      population.withUnsafeMutableBufferPointer { population in
        for row in stride(from: 0, to: rows.range.count, by: 8) {
          for index in indexes[row * rows.width..<(row + 1) * rows.width] { population[Int(index)] += 1 }
        }
      }
    }
  }

  private func copy(_ shared: Range<Int>, to bytes: UnsafeMutableRawBufferPointer) {
    guard let last, !shared.isEmpty else { return }
    let start = (shared.lowerBound - last.range.lowerBound) * last.width
    last.indexes.withUnsafeBytes {
      bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + shared.count * last.width]))
    }
  }
}
