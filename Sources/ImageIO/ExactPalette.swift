/// An image of at most 256 colours as numbers of these colours.
struct ExactPalette {
  /// Red, green, blue and alpha in memory's order; those with transparency first, so that their alphas are few.
  let colors: [[UInt8]]
  let indexes: [UInt8]

  /// Nil for an image of more colours. All fully transparent pixels have one.
  init?(_ image: RGBAImage) {
    let pixels = stride(from: 0, to: image.pixels.count, by: 4).map { start -> UInt32 in
      let alpha = image.pixels[start + 3]
      if alpha == 0 { return 0 }
      return image.pixels[start..<start + 3].reduce(UInt32(alpha)) { $0 << 8 | UInt32($1) }
    }
    var distinct: Set<UInt32> = []
    for pixel in pixels {
      distinct.insert(pixel)
      if distinct.count > 256 { return nil }
    }
    // The alpha is the upper byte.
    let sorted = distinct.sorted()
    var numbers: [UInt32: UInt8] = [:]
    for (number, color) in sorted.enumerated() { numbers[color] = UInt8(number) }
    colors = sorted.map { color in [16, 8, 0, 24].map { UInt8(truncatingIfNeeded: color >> $0) } }
    indexes = pixels.map { numbers[$0] ?? 0 }
  }
}
