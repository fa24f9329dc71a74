internal import CDeflate

/// The chunks of a PNG. Neither a time nor a text is among them: the same pixels give the same bytes.
struct PNGFile {
  enum Colors: UInt8 {
    case rgb = 2
    case palette = 3
    case rgba = 6
  }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private(set) var bytes = signature

  init(width: Int, height: Int, bitDepth: UInt8, colors: Colors) {
    append("IHDR", bigEndian(width) + bigEndian(height) + [bitDepth, colors.rawValue, 0, 0, 0])
  }

  mutating func append(_ kind: StaticString, _ content: [UInt8]) {
    bytes += bigEndian(content.count)
    let start = bytes.count
    kind.withUTF8Buffer { bytes += $0 }
    bytes += content
    let checksum = bytes.withUnsafeBytes { raw in
      libdeflate_crc32(0, raw.baseAddress?.advanced(by: start), raw.count - start)
    }
    bytes += bigEndian(Int(checksum))
  }

  private func bigEndian(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { Array($0) }
  }
}
