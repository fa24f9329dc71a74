internal import CPixels
internal import CWebP

/// Encodes and decodes WebP files in memory.
enum WebP {
  /// Lossy in colour, lossless in alpha.
  static func encode(_ image: RGBAImage, quality: Int) throws(ImageError) -> [UInt8] {
    try write(image, import: image.isOpaque ? importLuma : importColors) { config in
      config.quality = Float(min(max(quality, 1), 100))
      config.method = 2
      // Keeps thin coloured lettering sharp where `importLuma` does not: chroma is subsampled with respect to edges. Other
      // settings for photographs would blur busy ground.
      config.use_sharp_yuv = 1
      config.sns_strength = 0
    }
  }

  static func encodeLossless(_ image: RGBAImage) throws(ImageError) -> [UInt8] {
    try write(image, import: importColors) { config in
      config.lossless = 1
      config.quality = 25
      config.method = 4
    }
  }

  static func matches(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
  }

  /// The size is checked before decoding: a small file can claim a picture that fills the memory.
  static func decode(_ bytes: [UInt8], sideLimit: UInt32) throws(ImageError) -> RGBAImage {
    var features = WebPBitstreamFeatures()
    guard WebPGetFeatures(bytes, bytes.count, &features) == VP8_STATUS_OK else {
      throw ImageError(message: "the header of the WebP is damaged")
    }
    guard features.has_animation == 0 else { throw ImageError(message: "the WebP is an animation") }
    let (width, height) = (Int(features.width), Int(features.height))
    guard width > 0, height > 0, width <= sideLimit, height <= sideLimit else {
      throw ImageError(message: "the WebP has \(width) x \(height) pixels, more than allowed")
    }
    var image = RGBAImage(width: width, height: height)
    let isWhole = image.pixels.withUnsafeMutableBufferPointer { pixels in
      WebPDecodeRGBAInto(bytes, bytes.count, pixels.baseAddress, pixels.count, features.width * 4) != nil
    }
    guard isWhole else { throw ImageError(message: "the WebP is damaged or cut short") }
    return image
  }

  private static func importColors(_ image: RGBAImage, to picture: inout WebPPicture) -> Bool {
    picture.use_argb = 1
    return WebPPictureImportRGBA(&picture, image.pixels, Int32(image.width * 4)) != 0
  }

  /// Converts an opaque image as `use_sharp_yuv` does, which takes longer than all the rest of encoding. Images of an odd size,
  /// which tiles never have, are left to libwebp.
  private static func importLuma(_ image: RGBAImage, to picture: inout WebPPicture) -> Bool {
    guard WebPPictureAlloc(&picture) != 0 else { return false }
    let isSplit = chartpipe_split_luma(
      image.pixels, image.width, image.height, picture.y, Int(picture.y_stride), picture.u, picture.v,
      Int(picture.uv_stride))
    return isSplit != 0 || importColors(image, to: &picture)
  }

  private static func write(
    _ image: RGBAImage, import fill: (RGBAImage, inout WebPPicture) -> Bool,
    _ configure: (inout WebPConfig) -> Void
  ) throws(ImageError) -> [UInt8] {
    var config = WebPConfig()
    var picture = WebPPicture()
    guard WebPConfigInit(&config) != 0, WebPPictureInit(&picture) != 0 else {
      throw ImageError(message: "the installed libwebp does not match the version of the build")
    }
    configure(&config)
    var writer = WebPMemoryWriter()
    WebPMemoryWriterInit(&writer)
    defer {
      WebPPictureFree(&picture)
      WebPMemoryWriterClear(&writer)
    }
    picture.width = Int32(image.width)
    picture.height = Int32(image.height)
    picture.writer = WebPMemoryWrite
    let isWritten = withUnsafeMutablePointer(to: &writer) { writer in
      picture.custom_ptr = UnsafeMutableRawPointer(writer)
      return fill(image, &picture) && WebPEncode(&config, &picture) != 0
    }
    guard isWritten else {
      throw ImageError(message: "libwebp cannot write the image (error \(picture.error_code.rawValue))")
    }
    return Array(UnsafeBufferPointer(start: writer.mem, count: writer.size))
  }
}
