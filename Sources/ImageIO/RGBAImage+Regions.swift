extension RGBAImage {
  /// A rectangle of the image, which must lie inside it.
  public func cropped(column: Int, row: Int, width: Int, height: Int) -> RGBAImage {
    var part: [UInt8] = []
    part.reserveCapacity(width * height * 4)
    for line in row..<row + height {
      let start = (line * self.width + column) * 4
      part += pixels[start..<start + width * 4]
    }
    return RGBAImage(width: width, height: height, pixels: part)
  }

  /// Replaces the pixels from this place on; the part must fit.
  public mutating func paste(_ part: RGBAImage, column: Int, row: Int) {
    for line in 0..<part.height {
      let start = ((row + line) * width + column) * 4
      let from = line * part.width * 4
      pixels.replaceSubrange(start..<start + part.width * 4, with: part.pixels[from..<from + part.width * 4])
    }
  }
}
