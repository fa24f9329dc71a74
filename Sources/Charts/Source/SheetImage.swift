internal import RasterIO

/// An open image. It is usually not decoded, but read in bands of whole rows, so that memory does not grow with the sheet. One
/// thread uses it at a time.
final class SheetImage {
  /// The properties of the image without its pixels.
  let sheet: ChartSheet
  /// The number of rows that are always decoded together.
  let blockRows: Int
  /// How the files beside the image agree with its georeference.
  let placement: [Product.Placement]
  /// All rows, if they are in memory.
  let whole: SheetRows?
  /// Decodes whole rows.
  private let decode: (_ rows: Range<Int>, UnsafeMutableRawBufferPointer) throws -> Void

  var width: Int { sheet.width }
  var height: Int { sheet.height }
  var colors: [UInt32] { sheet.colors }
  var placing: GeoTransform { sheet.placing }
  var projection: String { sheet.projection }

  init(
    _ sheet: ChartSheet, blockRows: Int, placement: [Product.Placement] = [],
    decode: @escaping (_ rows: Range<Int>, UnsafeMutableRawBufferPointer) throws -> Void
  ) {
    (self.sheet, self.blockRows, self.placement, self.decode) = (sheet, blockRows, placement, decode)
    whole = nil
  }

  private init(_ image: SheetImage, _ sheet: ChartSheet, whole: SheetRows) {
    (self.sheet, blockRows, placement) = (sheet, image.blockRows, image.placement)
    self.whole = whole
    decode = { rows, buffer in
      whole.bytes.withUnsafeBytes {
        let bytes = image.sheet.rowBytes
        buffer.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: $0[rows.lowerBound * bytes..<rows.upperBound * bytes]))
      }
    }
  }

  /// The same image with all of its rows decoded.
  ///
  /// - Parameter hasChosenColors: whether the palette was chosen, so that it has mixes beside inks.
  func held(hasChosenColors: Bool) throws -> SheetImage {
    let whole = try rows(0..<height)
    var sheet = sheet
    if hasChosenColors { sheet.mixes = whole.mixes }
    return SheetImage(self, sheet, whole: whole)
  }

  /// Decodes whole rows. All of them must be in the image.
  func rows(_ range: Range<Int>) throws -> SheetRows {
    try rows(range) { try read(range, into: $0) }
  }

  func rows(
    _ range: Range<Int>, fill: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws -> SheetRows {
    let size = range.count * sheet.rowBytes
    let bytes = try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      try fill(UnsafeMutableRawBufferPointer(buffer))
      count = size
    }
    return sheet.pixelBytes == 1
      ? SheetRows(range: range, width: width, indexes: bytes)
      : SheetRows(range: range, width: width, colors: bytes)
  }

  /// Decodes whole rows into existing memory.
  func read(_ range: Range<Int>, into buffer: UnsafeMutableRawBufferPointer) throws {
    try decode(range, buffer)
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

  var bytes: [UInt8] { indexes.isEmpty ? colors : indexes }

  /// Fewer pixels inside an area are chance.
  private static let leastArea = 16

  /// The indexes that fill no area: fewer than a few pixels have four neighbours of the same index. Empty if that holds for all.
  fileprivate var mixes: Set<Int> {
    guard width > 2 else { return [] }
    var areas = [Int](repeating: 0, count: 256)
    indexes.withUnsafeBufferPointer { indexes in
      areas.withUnsafeMutableBufferPointer { areas in
        for row in stride(from: 1, to: range.count - 1, by: 2) {
          for place in row * width + 1..<(row + 1) * width - 1 {
            let index = indexes[place]
            if indexes[place - 1] == index, indexes[place + 1] == index, indexes[place - width] == index,
              indexes[place + width] == index
            {
              areas[Int(index)] += 1
            }
          }
        }
      }
    }
    let mixes = areas.indices.filter { areas[$0] < SheetRows.leastArea }
    return mixes.count < areas.count ? Set(mixes) : []
  }
}
