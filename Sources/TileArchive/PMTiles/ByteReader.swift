/// Takes numbers from bytes that a stranger wrote.
struct ByteReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var remaining: Int { rest.count }

  mutating func byte() throws(ArchiveFlaw) -> UInt8 {
    guard let byte = rest.popFirst() else { throw ArchiveFlaw("a directory ends too early") }
    return byte
  }

  /// The least byte first.
  mutating func little(_ count: Int) throws(ArchiveFlaw) -> UInt64 {
    var number: UInt64 = 0
    for shift in 0..<count { number |= UInt64(try byte()) << (8 * shift) }
    return number
  }

  /// Eight bytes.
  mutating func whole() throws(ArchiveFlaw) -> Int { try ByteReader.sensible(little(8)) }

  /// Seven bits a byte, the least first; the eighth one says that more follow.
  mutating func varint() throws(ArchiveFlaw) -> Int {
    var number: UInt64 = 0
    for shift in stride(from: 0, to: 63, by: 7) {
      let byte = try byte()
      number |= UInt64(byte & 127) << shift
      if byte < 128 { return try ByteReader.sensible(number) }
    }
    throw ArchiveFlaw("a directory holds a number that is too large")
  }

  private static func sensible(_ number: UInt64) throws(ArchiveFlaw) -> Int {
    guard let number = Int(exactly: number) else { throw ArchiveFlaw("a number in it is too large") }
    return number
  }
}

extension [UInt8] {
  mutating func append(varint number: Int) {
    var rest = number
    while rest > 127 {
      append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}
