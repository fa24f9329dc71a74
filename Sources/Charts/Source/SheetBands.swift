internal import Synchronization

/// Decodes a sheet in bands of rows, from north to south, for one thread at a time. Rows that two bands share are decoded once.
final class SheetBands: Sendable {
  private let decoder: Mutex<BandDecoder>

  init(_ image: sending SheetImage) {
    decoder = Mutex(BandDecoder(image))
  }

  /// What was gathered of the rows that were decoded since `fill`.
  var gathered: (reference: ReferenceGrid?, inks: InkSurvey?) {
    decoder.withLock { ($0.reference, $0.inks) }
  }

  /// How often each index occurs in one row of eight of those that were decoded before `fill`.
  var population: [Int] { decoder.withLock { $0.population } }

  /// Gathers the sheet's cells and the places of its colours from the rows that are decoded from now on.
  func fill(_ reference: ReferenceGrid, _ inks: InkSurvey) {
    decoder.withLock { ($0.reference, $0.inks) = (reference, inks) }
  }

  func rows(_ range: Range<Int>) throws -> SheetRows { try decoder.withLock { try $0.rows(range) } }
}

private struct BandDecoder {
  private let image: SheetImage
  private var last: SheetRows?
  var reference: ReferenceGrid?
  var inks: InkSurvey?
  private(set) var population = [Int](repeating: 0, count: 256)

  init(_ image: sending SheetImage) {
    self.image = image
  }

  mutating func rows(_ range: Range<Int>) throws -> SheetRows {
    let known = last.map { $0.range.clamped(to: range) } ?? range.lowerBound..<range.lowerBound
    // Only what the last band ends with is of use to one that lies below it.
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
