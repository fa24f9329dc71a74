internal import Core
internal import Foundation
internal import RasterIO

/// The rows of an image of any kind: indexes of up to 256 colours, or colours.
final class RasterRows {
  private let pixelBytes: Int
  private let dataset: RasterDataset
  private let bands: RasterBands
  private let columns: RasterColumns
  private let file: URL
  /// How samples that are not bytes become bytes; nil for bytes.
  private let scale: SampleScale?

  /// Pixels that are read at a time where the samples must be converted.
  private static let pieceLimit = 1 << 22

  /// - Parameter range: the samples that become black and white; nil for the least and the greatest of the image.
  init(
    _ dataset: RasterDataset, _ bands: RasterBands, _ columns: RasterColumns, _ file: URL,
    range: ClosedRange<Double>?
  ) throws {
    (self.dataset, self.bands, self.columns, self.file) = (dataset, bands, columns, file)
    pixelBytes = bands.isIndexed ? 1 : 4
    if bands.hasPalette || (bands.isByte && range == nil) {
      scale = nil
    } else if let range {
      scale = SampleScale(range)
    } else {
      scale = try RasterRows.measured(dataset, bands, file)
    }
  }

  func read(_ range: Range<Int>, into buffer: UnsafeMutableRawBufferPointer) throws {
    let rowBytes = columns.width * pixelBytes
    try RasterRows.pieces(range, width: dataset.width) { rows in
      let start = (rows.lowerBound - range.lowerBound) * rowBytes
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[start..<start + rows.count * rowBytes])
      guard columns.isCyclic else {
        try readFile(rows, into: part)
        return
      }
      var own = [UInt8](repeating: 0, count: rows.count * dataset.width * pixelBytes)
      try own.withUnsafeMutableBytes { try readFile(rows, into: $0) }
      own.withUnsafeBytes { arrange($0, rows.count, into: part) }
    }
  }

  private static func pieces(_ range: Range<Int>, width: Int, _ body: (Range<Int>) throws -> Void) throws {
    let step = max(1, pieceLimit / width)
    for first in stride(from: range.lowerBound, to: range.upperBound, by: step) {
      try CancellationToken.current.check()
      try body(first..<min(first + step, range.upperBound))
    }
  }

  /// Copies the file's columns in the order in which the warp sees them.
  private func arrange(
    _ own: UnsafeRawBufferPointer, _ rows: Int, into buffer: UnsafeMutableRawBufferPointer
  ) {
    var target = 0
    for row in 0..<rows {
      let start = row * dataset.width * pixelBytes
      for run in columns.runs {
        let source = start + run.lowerBound * pixelBytes..<start + run.upperBound * pixelBytes
        UnsafeMutableRawBufferPointer(rebasing: buffer[target..<target + source.count])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: own[source]))
        target += source.count
      }
    }
  }

  private func readFile(_ rows: Range<Int>, into buffer: UnsafeMutableRawBufferPointer) throws {
    let window = PixelWindow(
      column: 0, row: rows.lowerBound, width: dataset.width, height: rows.count)
    try RasterRows.reading(file) {
      if pixelBytes == 1 {
        try readBytes(window, into: buffer, pixelBytes: 1)
      } else {
        try readColors(window, into: buffer)
      }
    }
  }

  private static func reading(_ file: URL, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as GDALError {
      throw UserError.ofRaster(
        file, "it is damaged or cut short",
        "Copy or download it again; `gdalinfo -checksum` finds the damage.",
        causes: [error])
    }
  }

  /// The samples of the colour bands, interleaved by pixel.
  private static func samples(
    _ dataset: RasterDataset, _ bands: RasterBands, _ window: PixelWindow
  ) throws -> [Float] {
    let count = bands.colorBands.count
    var samples = [Float](repeating: 0, count: window.width * window.height * count)
    try samples.withUnsafeMutableBytes {
      try dataset.read(
        bands: bands.colorBands, window: window, asFloats: true, into: $0, pixelBytes: 4 * count)
    }
    return samples
  }

  private func readColors(_ window: PixelWindow, into buffer: UnsafeMutableRawBufferPointer) throws {
    for start in stride(from: 3, to: buffer.count, by: 4) { buffer[start] = 255 }
    if bands.colorBands.count == 3 {
      try readBytes(window, into: buffer, pixelBytes: 4)
    } else {
      var indexes = [UInt8](repeating: 0, count: window.width * window.height)
      // The alphas are kept: they are 0 for samples that are no number.
      try indexes.withUnsafeMutableBytes { bytes in
        if scale != nil {
          try readBytes(window, into: buffer, pixelBytes: 4)
          for pixel in 0..<bytes.count { bytes[pixel] = buffer[4 * pixel] }
        } else {
          try readBytes(window, into: bytes, pixelBytes: 1)
        }
      }
      paint(indexes, into: buffer)
    }
    guard !bands.maskBands.isEmpty else { return }
    // A pixel is as visible as in the band where it is most visible.
    let masks = try RasterRows.mask(dataset, bands, window)
    for pixel in masks.indices { buffer[4 * pixel + 3] = min(buffer[4 * pixel + 3], masks[pixel]) }
  }

  private func paint(_ indexes: [UInt8], into buffer: UnsafeMutableRawBufferPointer) {
    bands.colors.withUnsafeBytes { colors in
      for pixel in indexes.indices {
        let color = Int(indexes[pixel]) * 4
        for channel in 0..<3 { buffer[4 * pixel + channel] = colors[color + channel] }
        buffer[4 * pixel + 3] = min(buffer[4 * pixel + 3], colors[color + 3])
      }
    }
  }

  /// Reads the colour bands as bytes.
  private func readBytes(
    _ window: PixelWindow, into buffer: UnsafeMutableRawBufferPointer, pixelBytes: Int
  ) throws {
    guard let scale else {
      try dataset.read(
        bands: bands.colorBands, window: window, asFloats: false, into: buffer, pixelBytes: pixelBytes)
      return
    }
    let count = bands.colorBands.count
    try RasterRows.samples(dataset, bands, window).withUnsafeBufferPointer { samples in
      for pixel in 0..<window.width * window.height {
        for channel in 0..<count {
          let sample = samples[pixel * count + channel]
          buffer[pixel * pixelBytes + channel] = scale.byte(sample)
          if bands.isFloat, !sample.isFinite { buffer[pixel * pixelBytes + 3] = 0 }
        }
      }
    }
  }

  private static func mask(
    _ dataset: RasterDataset, _ bands: RasterBands, _ window: PixelWindow
  ) throws -> [UInt8] {
    var merged = [UInt8](repeating: 0, count: window.width * window.height)
    for band in bands.maskBands {
      var mask = merged
      try mask.withUnsafeMutableBytes { try dataset.readMask(band: band, window: window, into: $0) }
      for pixel in merged.indices { merged[pixel] = max(merged[pixel], mask[pixel]) }
    }
    return merged
  }

  /// The scale from the least to the greatest visible sample of all colour bands.
  private static func measured(
    _ dataset: RasterDataset, _ bands: RasterBands, _ file: URL
  ) throws -> SampleScale {
    var (least, greatest) = (Float.infinity, -Float.infinity)
    let count = bands.colorBands.count
    try reading(file) {
      try pieces(0..<dataset.height, width: dataset.width) { rows in
        let window = PixelWindow(
          column: 0, row: rows.lowerBound, width: dataset.width, height: rows.count)
        let samples = try samples(dataset, bands, window)
        let masks = bands.maskBands.isEmpty ? nil : try mask(dataset, bands, window)
        for pixel in 0..<window.width * window.height where masks.map({ $0[pixel] > 0 }) ?? true {
          for sample in samples[pixel * count..<(pixel + 1) * count] where sample.isFinite {
            (least, greatest) = (min(least, sample), max(greatest, sample))
          }
        }
      }
    }
    guard least <= greatest else {
      throw UserError.ofRaster(file, "no pixel of it has data", "Give another image.")
    }
    return SampleScale(Double(least)...Double(greatest))
  }
}

/// The linear scale from samples to bytes.
struct SampleScale {
  private let least: Float
  private let factor: Float

  /// The lower end becomes 0 and the upper end 255. If both are the same, all samples become 0.
  init(_ range: ClosedRange<Double>) {
    least = Float(range.lowerBound)
    let width = range.upperBound - range.lowerBound
    factor = width > 0 ? Float(255 / width) : 0
  }

  /// Rounded to nearest. 0 for a sample that is no number.
  func byte(_ sample: Float) -> UInt8 {
    let value = ((sample - least) * factor + 0.5).rounded(.down)
    return value > 0 ? value < 255 ? UInt8(value) : 255 : 0
  }
}
