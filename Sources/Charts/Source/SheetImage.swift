internal import Core
internal import RasterIO
internal import Synchronization

/// Decodes whole rows of an image.
protocol RowReader {
  /// The number of bytes for each pixel: 1 for indexes, 4 for red, green, blue and alpha.
  var pixelBytes: Int { get }
  func read(_ range: Range<Int>, into buffer: UnsafeMutableRawBufferPointer) throws
}

/// An open image: checked, not yet decoded. It is read in bands of whole rows, so that memory does not grow with the
/// sheet. One thread uses it at a time.
final class SheetImage {
  /// The properties of the image without its pixels.
  let sheet: ChartSheet
  /// The number of rows that are always decoded together.
  let blockRows: Int
  /// How the files beside the image agree with its georeference.
  let placement: [Product.Placement]
  private let reader: any RowReader

  var width: Int { sheet.width }
  var height: Int { sheet.height }
  var colors: [UInt32] { sheet.colors }
  var placing: GeoTransform { sheet.placing }
  var projection: String { sheet.projection }

  init(_ sheet: ChartSheet, reader: any RowReader, blockRows: Int, placement: [Product.Placement] = []) {
    (self.sheet, self.reader, self.blockRows, self.placement) = (sheet, reader, blockRows, placement)
  }

  /// Decodes whole rows. All of them must be in the image.
  func rows(_ range: Range<Int>) throws -> SheetRows {
    try rows(range) { try read(range, into: $0) }
  }

  fileprivate func rows(
    _ range: Range<Int>, fill: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws -> SheetRows {
    let size = range.count * width * reader.pixelBytes
    let bytes = try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      try fill(UnsafeMutableRawBufferPointer(buffer))
      count = size
    }
    return reader.pixelBytes == 1
      ? SheetRows(range: range, width: width, indexes: bytes)
      : SheetRows(range: range, width: width, colors: bytes)
  }

  /// Decodes whole rows into existing memory.
  func read(_ range: Range<Int>, into buffer: UnsafeMutableRawBufferPointer) throws {
    try reader.read(range, into: buffer)
  }
}

/// The rows of a chart: palette indexes.
struct ChartRows: RowReader {
  let dataset: RasterDataset
  let files: ChartFiles

  let pixelBytes = 1

  func read(_ range: Range<Int>, into buffer: UnsafeMutableRawBufferPointer) throws {
    // GDAL's message names an in-memory file that the user does not know. It is kept as the cause.
    try explaining({ files.userError(files.tifName, "the image is damaged or cut short", causes: [$0]) }) {
      try dataset.readBytes(
        band: 1,
        window: PixelWindow(column: 0, row: range.lowerBound, width: dataset.width, height: range.count),
        into: buffer)
    }
  }
}

/// Decoded rows of a sheet, shared by all workers.
struct SheetRows: Sendable {
  let range: Range<Int>
  let width: Int
  /// One byte for each pixel. Empty for an image without palette.
  var indexes: [UInt8] = []
  /// Red, green, blue and alpha of each pixel, not premultiplied. Empty for an image with a palette.
  var colors: [UInt8] = []

  fileprivate var bytes: [UInt8] { indexes.isEmpty ? colors : indexes }
}

/// What the build of a chart or raster collects from the rows as they are decoded.
struct SheetEvidence: Sendable {
  var reference: ReferenceGrid?
  var inks: InkPatches?
  var samples: SampleCollector?

  mutating func add(_ rows: SheetRows) {
    samples?.add(rows)
    reference?.add(rows)
    inks?.add(rows)
  }
}

/// Decodes a sheet in bands of rows, from north to south, for one thread at a time. Rows that two bands share are decoded once.
final class SheetBands: Sendable {
  private let decoder: Mutex<BandDecoder>

  init(_ image: sending SheetImage) { decoder = Mutex(BandDecoder(image)) }

  /// The evidence with all rows decoded since `collect`.
  var evidence: SheetEvidence? { decoder.withLock { $0.evidence } }

  /// How often each index occurs in every eighth row decoded before `collect`.
  var population: [Int] { decoder.withLock { $0.population } }

  /// Collects evidence from all rows decoded from now on.
  func collect(_ evidence: SheetEvidence) { decoder.withLock { $0.evidence = evidence } }

  func rows(_ range: Range<Int>) throws -> SheetRows { try decoder.withLock { try $0.rows(range) } }
}

private struct BandDecoder {
  private let image: SheetImage
  private var last: SheetRows?
  var evidence: SheetEvidence?
  private(set) var population = [Int](repeating: 0, count: 256)

  init(_ image: sending SheetImage) { self.image = image }

  mutating func rows(_ range: Range<Int>) throws -> SheetRows {
    let known = last.map { $0.range.clamped(to: range) } ?? range.lowerBound..<range.lowerBound
    // Only the end of the last band is useful to a band below it.
    let shared = known.lowerBound == range.lowerBound ? known : range.lowerBound..<range.lowerBound
    let rows = try image.rows(range) { bytes in
      let copied = copy(shared, to: bytes)
      let rest = shared.upperBound..<range.upperBound
      if !rest.isEmpty {
        try image.read(rest, into: UnsafeMutableRawBufferPointer(rebasing: bytes[copied...]))
      }
    }
    last = rows
    if evidence == nil { tally(rows) }
    evidence?.add(rows)
    return rows
  }

  private mutating func tally(_ rows: SheetRows) {
    rows.indexes.withUnsafeBufferPointer { indexes in
      population.withUnsafeMutableBufferPointer { population in
        guard !indexes.isEmpty else { return }
        for row in stride(from: 0, to: rows.range.count, by: 8) {
          for index in indexes[row * rows.width..<(row + 1) * rows.width] { population[Int(index)] += 1 }
        }
      }
    }
  }

  /// Returns the number of bytes copied.
  private func copy(_ shared: Range<Int>, to bytes: UnsafeMutableRawBufferPointer) -> Int {
    guard let last, !shared.isEmpty else { return 0 }
    let rowBytes = last.bytes.count / last.range.count
    let start = (shared.lowerBound - last.range.lowerBound) * rowBytes
    let count = shared.count * rowBytes
    last.bytes.withUnsafeBytes {
      bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count]))
    }
    return count
  }
}
