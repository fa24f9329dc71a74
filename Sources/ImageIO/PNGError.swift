internal import CImage

/// What libpng said when an image could not be written or read.
public struct PNGError: Error, Equatable, CustomStringConvertible {
  public let message: String

  public var description: String { message }
}

extension PNGError {
  init(_ stream: chartpipe_png_stream) {
    let text = withUnsafeBytes(of: stream.message) { raw in
      String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    }
    message = text.isEmpty ? "out of memory" : text
  }
}
