internal import Synchronization

/// What the build of a chart or raster collects from the rows as they are decoded.
struct SheetEvidence: Sendable {
  var reference: ReferenceGrid?
  var inks: InkPatches?
  var samples: SampleCollector?

  mutating func add(_ rows: SheetRows) throws {
    samples?.add(rows)
    try reference?.add(rows)
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

  /// Returns at least these rows: all of an image in memory.
  func rows(_ range: Range<Int>) throws -> SheetRows { try decoder.withLock { try $0.rows(range) } }
}

private struct BandDecoder {
  private let image: SheetImage
  private var last: SheetRows?
  var evidence: SheetEvidence?
  private(set) var population = [Int](repeating: 0, count: 256)

  init(_ image: sending SheetImage) { self.image = image }

  mutating func rows(_ range: Range<Int>) throws -> SheetRows {
    let rows = try image.whole ?? decoded(range)
    if evidence == nil { tally(rows) }
    try evidence?.add(rows)
    return rows
  }

  private mutating func decoded(_ range: Range<Int>) throws -> SheetRows {
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
    return rows
  }

  private mutating func tally(_ rows: SheetRows) {
    rows.indexes.withUnsafeBufferPointer { indexes in
      population.withUnsafeMutableBufferPointer { population in
        guard !indexes.isEmpty else { return }
        for row in stride(from: 0, to: rows.range.count, by: 8) {
          for place in row * rows.width..<(row + 1) * rows.width { population[Int(indexes[place])] += 1 }
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
