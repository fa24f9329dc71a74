/// The CRC-32 of ARINC 665, in which the most significant bit comes first, over the lines of a file.
struct CIFPChecksum {
  private static let polynomial: UInt32 = 0x04C1_1DB7
  /// Eight tables, one for each byte of a step.
  private static let tables: [[UInt32]] = {
    let first = (0..<256).map { byte in
      (0..<8).reduce(UInt32(byte) << 24) { crc, _ in crc << 1 ^ (crc >> 31 == 1 ? polynomial : 0) }
    }
    return (1..<8).reduce(into: [first]) { tables, index in
      tables.append(tables[index - 1].map { $0 << 8 ^ first[Int($0 >> 24)] })
    }
  }()

  private var crc: UInt32 = .max
  private static let flat = Array(tables.joined())

  var value: UInt32 { ~crc }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    Self.flat.withUnsafeBufferPointer { table in
      var (crc, at) = (crc, 0)
      while at + 8 <= bytes.count {
        let high = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)) ^ crc
        let low = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self))
        var sum: UInt32 = 0
        for place in 0..<4 {
          let shift = UInt32(24 - 8 * place)
          sum ^= table[(7 - place) << 8 | Int(high >> shift & 0xFF)]
          sum ^= table[(3 - place) << 8 | Int(low >> shift & 0xFF)]
        }
        crc = sum
        at += 8
      }
      while at < bytes.count {
        crc = crc << 8 ^ table[Int(crc >> 24) ^ Int(bytes[at])]
        at += 1
      }
      self.crc = crc
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
