/// The CRC-32 of ARINC 665, in which the most significant bit comes first, over the lines of a file.
struct CIFPChecksum {
  private static let table = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 24) { crc, _ in crc << 1 ^ (crc >> 31 == 1 ? 0x04C1_1DB7 : 0) }
  }

  private var crc: UInt32 = .max

  var value: UInt32 { ~crc }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    crc = Self.table.withUnsafeBufferPointer { [crc] table in
      bytes.reduce(crc) { $0 << 8 ^ table[Int($0 >> 24) ^ Int($1)] }
    }
  }

  /// Which bytes stand for the field of the checksum itself, and which end a line. What the FAA takes is not published.
  struct Form: Sendable {
    let own: [UInt8]
    let lineEnd: [UInt8]

    static let all = ["\n", "\r\n", ""].flatMap { end in
      ["        ", "00000000", ""].map { Form(own: Array($0.utf8), lineEnd: Array(end.utf8)) }
    }
  }

  /// The checksum of lines, of which the first has its own checksum in the columns from 125 on.
  static func of(_ lines: [Range<Int>], in bytes: UnsafeRawBufferPointer, _ form: Form) -> UInt32 {
    var checksum = CIFPChecksum()
    for (number, line) in lines.enumerated() {
      if number == 0, line.count == 132 {
        checksum.add(UnsafeRawBufferPointer(rebasing: bytes[line.prefix(124)]))
        form.own.withUnsafeBytes { checksum.add($0) }
      } else {
        checksum.add(UnsafeRawBufferPointer(rebasing: bytes[line]))
      }
      form.lineEnd.withUnsafeBytes { checksum.add($0) }
    }
    return checksum.value
  }
}
