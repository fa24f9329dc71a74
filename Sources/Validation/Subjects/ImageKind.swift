/// The kinds of images that MBTiles may hold, by their first bytes.
enum ImageKind: String {
  case png
  case jpg
  case webp

  init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpg
    } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      self = .webp
    } else {
      return nil
    }
  }
}

extension ImageKind {
  /// Whether an image gives its colours only about. A WebP without loss has a chunk of another name.
  static func isLossy(_ bytes: [UInt8]) -> Bool {
    ImageKind(bytes) == .webp && !bytes.dropFirst(12).starts(with: Array("VP8L".utf8))
  }
}
