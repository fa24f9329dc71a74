internal import CPixels

/// An image as numbers of the palette's colours that it uses; where any pixel is transparent, 0 stands for that.
struct IndexedImage {
  let width: Int
  let height: Int
  /// Those that are used, in the palette's order, after the transparent entry where there is one.
  let entries: [RGB]
  let hasTransparency: Bool
  /// Of the whole palette; `numbers` gives each its place among the entries.
  private let indexes: [UInt8]
  private let numbers: [UInt8]

  /// Nil when there is nothing to see.
  init?(_ image: RGBAImage, _ palette: Palette) {
    guard let leastAlpha = image.leastVisibleAlpha else { return nil }
    let (width, height) = (image.width, image.height)
    (self.width, self.height) = (width, height)
    let slack = UInt32(palette.tolerance * palette.tolerance)
    var used = [UInt8](repeating: 0, count: 256)
    indexes = [UInt8](unsafeUninitializedCapacity: width * height) { buffer, count in
      chartpipe_map_colors(
        image.pixels, width, height, leastAlpha, palette.table, palette.channels, slack,
        buffer.baseAddress, &used)
      count = width * height
    }
    var entries: [RGB] = []
    var numbers = [UInt8](repeating: 0, count: 256)
    for index in used.indices where used[index] != 0 {
      numbers[index] = UInt8(entries.count)
      entries.append(index == 0 ? RGB(red: 0, green: 0, blue: 0) : palette.colors[index - 1])
    }
    (self.entries, self.numbers, hasTransparency) = (entries, numbers, used[0] != 0)
  }

  /// The smallest number of bits that PNG can spend on a pixel.
  var bitDepth: UInt8 {
    switch entries.count {
    case ...2: 1
    case ...4: 2
    case ...16: 4
    default: 8
    }
  }

  /// As PNG has them, without a filter: differences between numbers of colours mean nothing.
  var pngRows: [UInt8] {
    let depth = Int(bitDepth)
    let count = height * (1 + (width * depth + 7) / 8)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      chartpipe_pack_indexes(indexes, width, height, numbers, Int32(depth), buffer.baseAddress)
      initialized = count
    }
  }
}

extension IndexedImage {
  /// The pixels as they will be seen.
  var image: RGBAImage {
    var colors: [UInt8] = entries.flatMap { [$0.red, $0.green, $0.blue, 255] }
    if hasTransparency { colors[3] = 0 }
    return RGBAImage(
      width: width, height: height,
      pixels: [UInt8](unsafeUninitializedCapacity: indexes.count * 4) { buffer, count in
        chartpipe_paint_indexes(indexes, indexes.count, numbers, colors, buffer.baseAddress)
        count = indexes.count * 4
      })
  }
}
