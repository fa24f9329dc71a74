internal import ImageIO

/// A part of a zoom as it should look, or as it does: colours and lightness, pixel by pixel.
struct PieceView {
  let box: PixelBox
  private(set) var red: [Double] = []
  private(set) var green: [Double] = []
  private(set) var blue: [Double] = []
  private(set) var light: [Double] = []
  /// Whether each pixel has a colour at all.
  private(set) var isOpaque = true

  init(box: PixelBox) { self.box = box }

  init(_ picture: RGBAImage, box: PixelBox) {
    self.box = box
    let pixels = picture.pixels
    for start in stride(from: 0, to: pixels.count, by: 4) {
      append((Double(pixels[start]), Double(pixels[start + 1]), Double(pixels[start + 2])))
      isOpaque = isOpaque && pixels[start + 3] == 255
    }
  }

  mutating func append(_ color: (red: Double, green: Double, blue: Double)) {
    red.append(color.red)
    green.append(color.green)
    blue.append(color.blue)
    light.append((2 * color.red + 5 * color.green + color.blue) / 8)
  }

  /// A part of it, which must lie inside.
  func part(_ inner: PixelBox) -> PieceView {
    var part = PieceView(box: inner)
    for row in inner.row - box.row..<inner.row - box.row + inner.height {
      let start = row * box.width + inner.column - box.column
      for index in start..<start + inner.width { part.append((red[index], green[index], blue[index])) }
    }
    return part
  }

  /// The largest difference between the mean colours of two views, of the three channels.
  func colorDifference(to other: PieceView) -> Double {
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }
    return zip([red, green, blue], [other.red, other.green, other.blue])
      .map { abs(mean($0) - mean($1)) }.max() ?? 0
  }
}

extension PixelBox {
  func shrunk(by margin: Int) -> PixelBox {
    PixelBox(
      column: column + margin, row: row + margin, width: width - 2 * margin, height: height - 2 * margin)
  }

  /// Its parts in the tiles that it touches.
  func parts(tileSize: Int) -> [PixelBox] {
    func pieces(_ first: Int, _ count: Int) -> [Range<Int>] {
      guard first >= 0, count > 0 else { return [] }
      return (first / tileSize...(first + count - 1) / tileSize).map { tile in
        (tile * tileSize..<(tile + 1) * tileSize).clamped(to: first..<first + count)
      }
    }
    return pieces(row, height).flatMap { rows in
      pieces(column, width).map { columns in
        PixelBox(column: columns.lowerBound, row: rows.lowerBound, width: columns.count, height: rows.count)
      }
    }
  }
}
