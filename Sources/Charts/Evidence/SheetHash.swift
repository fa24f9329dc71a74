internal import CPixels
internal import Core
internal import CryptoIO

/// The hash of the colours in the middle rows of a sheet. The same sheet has the same hash in any file, family or zoom.
struct SheetHash: Sendable {
  private let rows: [Int]
  private let width: Int
  /// Red, green, blue and alpha of each of 256 indexes.
  private let palette: [UInt8]
  private var seen = 0
  private var chain: SHA256Hex?

  /// No letter is lower than this number of rows.
  private static let step = 4
  private static let numbers = (0...255).map { UInt8($0) }

  init(_ sheet: ChartSheet, palette: [UInt8]) {
    rows = Array(stride(from: sheet.height / 4, to: sheet.height * 3 / 4, by: SheetHash.step))
    width = sheet.width
    self.palette = palette
  }

  /// Nil if not all of these rows were added.
  var found: SHA256Hex? { seen == rows.count ? chain : nil }

  /// Adds a row. Rows are added from north to south.
  mutating func add(_ pixels: UnsafePointer<UInt8>, _ row: Int) throws {
    guard seen < rows.count, rows[seen] == row else { return }
    seen += 1
    let digest = try Digest(.sha256)
    try digest.update(chain?.text ?? "")
    try digest.update(
      [UInt8](unsafeUninitializedCapacity: width * 4) { bytes, count in
        guard let start = bytes.baseAddress else { return }
        chartpipe_paint_indexes(
          pixels, width, SheetHash.numbers, palette, start)
        count = width * 4
      })
    chain = try SHA256Hex(finishing: digest)
  }
}
