internal import CWebP

/// WebP files in memory, written by one thread each.
enum WebP {
  /// Lossy in colour, never in alpha.
  static func encode(_ image: RGBAImage, quality: Int) throws(ImageError) -> [UInt8] {
    try write(image) { config in
      config.quality = Float(min(max(quality, 1), 100))
      config.method = 2
      // Thin coloured type stays crisp: colours are halved in size with a care for edges, and busy ground is not
      // robbed of bits for what the eye forgives in photographs.
      config.use_sharp_yuv = 1
      config.sns_strength = 0
    }
  }

  static func encodeLossless(_ image: RGBAImage) throws(ImageError) -> [UInt8] {
    try write(image) { config in
      config.lossless = 1
      config.quality = 25
      config.method = 4
    }
  }

  static func isBegun(by bytes: [UInt8]) -> Bool {
    bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
  }

  /// The size is looked at before anything is unpacked: a small file can claim a picture that fills the memory.
  static func decode(_ bytes: [UInt8], sideLimit: UInt32) throws(ImageError) -> RGBAImage {
    var features = WebPBitstreamFeatures()
    guard WebPGetFeatures(bytes, bytes.count, &features) == VP8_STATUS_OK else {
      throw ImageError(message: "the header of the WebP is damaged")
    }
    guard features.has_animation == 0 else { throw ImageError(message: "the WebP is an animation") }
    let (width, height) = (Int(features.width), Int(features.height))
    guard width > 0, height > 0, width <= sideLimit, height <= sideLimit else {
      throw ImageError(message: "the WebP has \(width) x \(height) pixels, more than may be read")
    }
    var image = RGBAImage(width: width, height: height)
    let isWhole = image.pixels.withUnsafeMutableBufferPointer { pixels in
      WebPDecodeRGBAInto(bytes, bytes.count, pixels.baseAddress, pixels.count, features.width * 4) != nil
    }
    guard isWhole else { throw ImageError(message: "the WebP is damaged or cut short") }
    return image
  }

  private static func write(
    _ image: RGBAImage, _ configure: (inout WebPConfig) -> Void
  ) throws(ImageError) -> [UInt8] {
    var config = WebPConfig()
    var picture = WebPPicture()
    guard WebPConfigInit(&config) != 0, WebPPictureInit(&picture) != 0 else {
      throw ImageError(message: "libwebp is of another version than it was built against")
    }
    configure(&config)
    var writer = WebPMemoryWriter()
    WebPMemoryWriterInit(&writer)
    defer {
      WebPPictureFree(&picture)
      WebPMemoryWriterClear(&writer)
    }
    picture.use_argb = 1
    picture.width = Int32(image.width)
    picture.height = Int32(image.height)
    picture.writer = WebPMemoryWrite
    let isWritten = withUnsafeMutablePointer(to: &writer) { writer in
      picture.custom_ptr = UnsafeMutableRawPointer(writer)
      return WebPPictureImportRGBA(&picture, image.pixels, Int32(image.width * 4)) != 0
        && WebPEncode(&config, &picture) != 0
    }
    guard isWritten else {
      throw ImageError(message: "libwebp cannot write the image (error \(picture.error_code.rawValue))")
    }
    return Array(UnsafeBufferPointer(start: writer.mem, count: writer.size))
  }
}
