/// The colours of an image that has at most 256 of them, and the image as numbers of these colours.
///
/// Colours that are not opaque come first, since a PNG lists the alphas of its first entries only; within that
/// the order is by value, so the same pixels always give the same palette.
struct ExactPalette {
  private(set) var colors: [UInt32] = []
  private(set) var indexes: [UInt8] = []

  /// Nil when there are more than 256 colours; most busy images are given up on after a few rows.
  init?(_ image: RGBAImage) {
    var table = ColorTable()
    let found = image.pixels.withUnsafeBytes { raw in
      stride(from: 0, to: raw.count, by: 4).allSatisfy {
        table.number(of: raw.loadUnaligned(fromByteOffset: $0, as: UInt32.self).bigEndian) != nil
      }
    }
    guard found else { return nil }
    let order = table.colors.indices.sorted {
      ExactPalette.rank(table.colors[$0]) < ExactPalette.rank(table.colors[$1])
    }
    colors = order.map { table.colors[$0] }
    var place = [UInt8](repeating: 0, count: order.count)
    for (new, old) in order.enumerated() { place[old] = UInt8(new) }
    indexes = image.pixels.withUnsafeBytes { raw in
      stride(from: 0, to: raw.count, by: 4).map {
        place[table.number(of: raw.loadUnaligned(fromByteOffset: $0, as: UInt32.self).bigEndian) ?? 0]
      }
    }
  }

  var transparentCount: Int { colors.prefix { $0 & 255 < 255 }.count }

  /// The smallest number of bits that PNG can spend on a pixel.
  var bitDepth: Int32 {
    switch colors.count {
    case ...2: 1
    case ...4: 2
    case ...16: 4
    default: 8
    }
  }

  /// Alpha above the colour: the transparent ones sort to the front.
  private static func rank(_ color: UInt32) -> UInt32 { color << 24 | color >> 8 }
}

/// Numbers colours (0xRRGGBBAA) in the order they appear in, up to 256; open addressing, since this is asked per pixel.
private struct ColorTable {
  private(set) var colors: [UInt32] = []
  private var slots = [Int16](repeating: -1, count: 1024)

  mutating func number(of color: UInt32) -> Int? {
    var slot = Int((color &* 2_654_435_769) >> 22)
    while slots[slot] >= 0 {
      let number = Int(slots[slot])
      if colors[number] == color { return number }
      slot = (slot + 1) & 1023
    }
    guard colors.count < 256 else { return nil }
    slots[slot] = Int16(colors.count)
    colors.append(color)
    return colors.count - 1
  }
}
