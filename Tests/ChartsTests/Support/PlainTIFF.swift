import Foundation

/// Writes an uncompressed TIFF of 16 bits, which has no georeference of its own.
struct PlainTIFF {
  let width: Int
  let height: Int
  /// 1 for grey, 2 for grey and alpha, 3 for red-green-blue, 4 for all of them.
  let channels: Int

  /// - Parameter samples: row by row, the channels of a pixel together.
  func write(_ samples: [UInt16], to file: URL) throws {
    let pixels = samples.withUnsafeBytes { Data($0) }
    let entries = entries(byteCount: pixels.count)
    // The header, the bits of each channel, and the pixels come before the directory.
    let start = PlainTIFF.headerBytes + pixels.count
    var data = Data("II*\0".utf8) + bytes(UInt32(start))
    for _ in 0..<PlainTIFF.mostChannels { data += bytes(UInt16(16)) }
    data += pixels + bytes(UInt16(entries.count))
    for entry in entries { data += entry }
    try (data + bytes(UInt32(0))).write(to: file)
  }

  private static let mostChannels = 4
  private static let headerBytes = 8 + 2 * mostChannels

  private func entries(byteCount: Int) -> [Data] {
    let alpha = channels % 2 == 0 ? [short(338, 2)] : []
    return [
      short(256, width), short(257, height), bits, short(259, 1), short(262, channels < 3 ? 1 : 2),
      long(273, PlainTIFF.headerBytes), short(277, channels), short(278, height), long(279, byteCount),
    ] + alpha
  }

  /// Up to four bytes are in the entry itself; more are at an offset.
  private var bits: Data {
    let head = bytes(UInt16(258)) + bytes(UInt16(3)) + bytes(UInt32(channels))
    return channels > 2 ? head + bytes(UInt32(8)) : head + bytes(UInt16(16)) + bytes(UInt16(16))
  }

  private func short(_ tag: UInt16, _ value: Int) -> Data {
    bytes(tag) + bytes(UInt16(3)) + bytes(UInt32(1)) + bytes(UInt16(value)) + bytes(UInt16(0))
  }

  private func long(_ tag: UInt16, _ value: Int) -> Data {
    bytes(tag) + bytes(UInt16(4)) + bytes(UInt32(1)) + bytes(UInt32(value))
  }

  private func bytes(_ number: some FixedWidthInteger) -> Data {
    withUnsafeBytes(of: number.littleEndian) { Data($0) }
  }
}
