/// Why compressed bytes cannot be unpacked.
struct InflateError: Error, Equatable, CustomStringConvertible {
  let description: String

  static let endsEarly = InflateError(description: "the compressed data end early")
  static let damaged = InflateError(description: "the compressed data are damaged")
}

/// A decoder of DEFLATE (RFC 1951) that keeps 32 kB of output at a time.
///
/// No system library with a streaming decoder exists on all platforms of this module, so this one is the same on all of them.
struct Inflate {
  private var bits: BitReader
  private var output: SlidingOutput

  /// - Parameters:
  ///   - source: The compressed bytes, valid until the end of `run`.
  ///   - write: Receives the unpacked bytes in order.
  init(_ source: UnsafeRawBufferPointer, write: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    bits = BitReader(source)
    output = SlidingOutput(write)
  }

  /// Decodes one stream, and returns the number of its compressed bytes.
  mutating func run() throws -> Int {
    var isLast = false
    while !isLast {
      isLast = try bits.take(1) == 1
      switch try bits.take(2) {
      case 0: try copyStored()
      case 1: try decode(HuffmanCode.fixedLiterals, HuffmanCode.fixedDistances)
      case 2:
        let (literals, distances) = try readCodes()
        try decode(literals, distances)
      default: throw InflateError.damaged
      }
    }
    try output.flush()
    return bits.alignToByte()
  }

  private mutating func copyStored() throws {
    _ = bits.alignToByte()
    let (count, complement) = (try bits.take(16), try bits.take(16))
    guard count == complement ^ 0xffff else { throw InflateError.damaged }
    for _ in 0..<count { try output.append(UInt8(truncatingIfNeeded: try bits.take(8))) }
  }

  /// The order in which the lengths of the code of code lengths are stored.
  private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  private mutating func readCodes() throws -> (literals: HuffmanCode, distances: HuffmanCode) {
    let literals = Int(try bits.take(5)) + 257
    let distances = Int(try bits.take(5)) + 1
    let stored = Int(try bits.take(4)) + 4
    var codeLengths = [UInt8](repeating: 0, count: 19)
    for place in Inflate.lengthOrder.prefix(stored) {
      codeLengths[place] = UInt8(truncatingIfNeeded: try bits.take(3))
    }
    let code = try HuffmanCode(lengths: codeLengths)
    var lengths: [UInt8] = []
    while lengths.count < literals + distances {
      switch try code.symbol(&bits) {
      case 16:
        guard let last = lengths.last else { throw InflateError.damaged }
        lengths += [UInt8](repeating: last, count: Int(try bits.take(2)) + 3)
      case 17: lengths += [UInt8](repeating: 0, count: Int(try bits.take(3)) + 3)
      case 18: lengths += [UInt8](repeating: 0, count: Int(try bits.take(7)) + 11)
      case let length: lengths.append(UInt8(truncatingIfNeeded: length))
      }
    }
    guard lengths.count == literals + distances else { throw InflateError.damaged }
    return (
      try HuffmanCode(lengths: Array(lengths[..<literals])),
      try HuffmanCode(lengths: Array(lengths[literals...]))
    )
  }

  private static let endOfBlock = 256
  /// The base and the extra bits of the lengths 257 to 285.
  private static let lengths: [(base: Int, bits: Int)] = [
    (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0), (11, 1), (13, 1), (15, 1), (17, 1),
    (19, 2),
    (23, 2), (27, 2), (31, 2), (35, 3), (43, 3), (51, 3), (59, 3), (67, 4), (83, 4), (99, 4), (115, 4),
    (131, 5),
    (163, 5), (195, 5), (227, 5), (258, 0),
  ]
  private static let distances: [(base: Int, bits: Int)] = (0..<30).map { code in
    let bits = max(0, code / 2 - 1)
    return code < 4 ? (code + 1, 0) : ((2 + code % 2) << bits + 1, bits)
  }

  private mutating func decode(_ literals: HuffmanCode, _ distances: HuffmanCode) throws {
    while true {
      let symbol = try literals.symbol(&bits)
      if symbol < Inflate.endOfBlock {
        try output.append(UInt8(truncatingIfNeeded: symbol))
        continue
      }
      guard symbol > Inflate.endOfBlock else { return }
      let place = symbol - Inflate.endOfBlock - 1
      guard place < Inflate.lengths.count else { throw InflateError.damaged }
      let length = Inflate.lengths[place].base + Int(try bits.take(Inflate.lengths[place].bits))
      let code = try distances.symbol(&bits)
      guard code < Inflate.distances.count else { throw InflateError.damaged }
      let distance = Inflate.distances[code].base + Int(try bits.take(Inflate.distances[code].bits))
      try output.copy(length, from: distance)
    }
  }
}

/// Bits from the lowest of each byte.
private struct BitReader {
  private let source: UnsafeRawBufferPointer
  private var place = 0
  private var held: UInt64 = 0
  private var count = 0

  init(_ source: UnsafeRawBufferPointer) { self.source = source }

  /// The next bits without taking them; zeros after the end.
  mutating func peek(_ wanted: Int) -> UInt64 {
    while count < wanted, place < source.count {
      held |= UInt64(source[place]) << UInt64(count)
      place += 1
      count += 8
    }
    return held & (1 << UInt64(wanted) - 1)
  }

  mutating func drop(_ taken: Int) throws {
    guard taken <= count else { throw InflateError.endsEarly }
    held >>= UInt64(taken)
    count -= taken
  }

  mutating func take(_ wanted: Int) throws -> UInt64 {
    let value = peek(wanted)
    try drop(wanted)
    return value
  }

  /// Drops the rest of a byte, and returns the number of bytes that were taken.
  mutating func alignToByte() -> Int {
    held >>= UInt64(count % 8)
    count -= count % 8
    return place - count / 8
  }
}

/// A canonical Huffman code. A table finds the symbols of the short codes, a search those of the long ones.
private struct HuffmanCode {
  private static let longest = 15
  private static let tableBits = 10

  /// By the next bits: the symbol and the length of its code; 0 for a longer code.
  private var table = [UInt16](repeating: 0, count: 1 << tableBits)
  /// The number of codes by length, and the symbols in the order of their codes.
  private var counts = [Int](repeating: 0, count: longest + 1)
  private var symbols: [UInt16] = []

  /// - Parameter lengths: The length of each symbol's code; 0 for a symbol without one.
  init(lengths: [UInt8]) throws {
    self.init(valid: lengths)
    var free = 1
    for length in 1...HuffmanCode.longest {
      free = free * 2 - counts[length]
      guard free >= 0 else { throw InflateError.damaged }
    }
  }

  private init(valid lengths: [UInt8]) {
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    for length in 1...HuffmanCode.longest {
      symbols += lengths.indices.filter { lengths[$0] == length }.map { UInt16($0) }
    }
    fillTable()
  }

  /// The codes of blocks that store none.
  static let fixedLiterals = HuffmanCode(
    valid: [(8, 144), (9, 112), (7, 24), (8, 8)].flatMap { [UInt8](repeating: $0, count: $1) })
  static let fixedDistances = HuffmanCode(valid: [UInt8](repeating: 5, count: 30))

  private mutating func fillTable() {
    var (code, place) = (0, 0)
    for length in 1...HuffmanCode.tableBits {
      for _ in 0..<counts[length] {
        let entry = symbols[place] << 4 | UInt16(length)
        let first = HuffmanCode.reversed(code, length)
        for bits in stride(from: first, to: table.count, by: 1 << length) { table[bits] = entry }
        code += 1
        place += 1
      }
      code <<= 1
    }
  }

  /// Codes are stored from their highest bit.
  private static func reversed(_ code: Int, _ length: Int) -> Int {
    (0..<length).reduce(0) { $0 | (code >> $1 & 1) << (length - 1 - $1) }
  }

  func symbol(_ bits: inout BitReader) throws -> Int {
    let next = bits.peek(HuffmanCode.longest)
    let entry = table[Int(next & UInt64(table.count - 1))]
    if entry != 0 {
      try bits.drop(Int(entry & 15))
      return Int(entry >> 4)
    }
    var (code, first, place) = (0, 0, 0)
    for length in 1...HuffmanCode.longest {
      code |= Int(next >> UInt64(length - 1) & 1)
      if code - first < counts[length] {
        try bits.drop(length)
        return Int(symbols[place + code - first])
      }
      place += counts[length]
      first = (first + counts[length]) << 1
      code <<= 1
    }
    throw InflateError.damaged
  }
}

/// The output, of which the last 32 kB can be repeated.
private struct SlidingOutput {
  private static let windowBytes = 1 << 15
  private static let bufferBytes = 1 << 17

  private let write: (UnsafeRawBufferPointer) throws -> Void
  private var buffer = [UInt8](repeating: 0, count: bufferBytes)
  private var count = 0
  /// The bytes of the buffer that were written.
  private var written = 0

  init(_ write: @escaping (UnsafeRawBufferPointer) throws -> Void) { self.write = write }

  mutating func append(_ byte: UInt8) throws {
    if count == buffer.count { try slide() }
    buffer[count] = byte
    count += 1
  }

  mutating func copy(_ length: Int, from distance: Int) throws {
    if count + length > buffer.count { try slide() }
    guard distance <= count else { throw InflateError.damaged }
    for _ in 0..<length {
      buffer[count] = buffer[count - distance]
      count += 1
    }
  }

  mutating func flush() throws {
    try buffer.withUnsafeBytes { try write(UnsafeRawBufferPointer(rebasing: $0[written..<count])) }
    written = count
  }

  private mutating func slide() throws {
    try flush()
    let kept = min(count, SlidingOutput.windowBytes)
    buffer.withUnsafeMutableBytes { bytes in
      let tail = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[(count - kept)..<count])
      bytes.copyMemory(from: tail)
    }
    (count, written) = (kept, kept)
  }
}
