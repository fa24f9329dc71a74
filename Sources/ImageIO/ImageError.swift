internal import CImage

/// Why an image could not be written or read, in the library's own words where it has any.
public struct ImageError: Error, Equatable, CustomStringConvertible {
  public let message: String

  public var description: String { message }
}

extension ImageError {
  init(_ stream: chartpipe_png_stream) {
    let text = withUnsafeBytes(of: stream.message) { raw in
      String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    }
    message = text.isEmpty ? "out of memory" : text
  }
}
