internal import ImageIO

extension RGBAImage {
  /// Half the size: each pixel the mean of four, their colours weighted by their alphas, all rounded to the nearest.
  ///
  /// Where anything is to be seen, something stays to be seen: a tile that exists then always has a parent.
  func halved() -> RGBAImage {
    let (half, down) = (width / 2, height / 2)
    var result = RGBAImage(width: half, height: down)
    pixels.withUnsafeBytes { source in
      result.pixels.withUnsafeMutableBytes { target in
        for row in 0..<down {
          for column in 0..<half {
            let start = (row * 2 * width + column * 2) * 4
            let mean = meanOfFour(source, start, start + 4, start + width * 4, start + width * 4 + 4)
            target.storeBytes(of: mean, toByteOffset: (row * half + column) * 4, as: UInt32.self)
          }
        }
      }
    }
    return result
  }
}

/// The four pixels begin at these bytes; the result is in memory's order.
@inline(__always)
private func meanOfFour(_ bytes: UnsafeRawBufferPointer, _ a: Int, _ b: Int, _ c: Int, _ d: Int) -> UInt32 {
  let (wa, wb, wc, wd) = (
    UInt32(bytes[a + 3]), UInt32(bytes[b + 3]), UInt32(bytes[c + 3]), UInt32(bytes[d + 3])
  )
  let weight = wa + wb + wc + wd
  guard weight > 0 else { return 0 }
  var mean: UInt32 = 0
  for channel in 0..<3 {
    let sum =
      UInt32(bytes[a + channel]) * wa + UInt32(bytes[b + channel]) * wb + UInt32(bytes[c + channel]) * wc
      + UInt32(bytes[d + channel]) * wd
    mean |= ((sum + weight / 2) / weight) << UInt32(channel * 8)
  }
  return (mean | max(1, (weight + 2) / 4) << 24).littleEndian
}
