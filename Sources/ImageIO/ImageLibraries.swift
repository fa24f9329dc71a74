internal import CDeflate
internal import CWebP

/// The libraries that images are written with. Another version may write other bytes.
public enum ImageLibraries {
  /// By their names.
  public static var versions: [String: String] {
    ["libdeflate": LIBDEFLATE_VERSION_STRING, "libwebp": webpVersion]
  }

  private static var webpVersion: String {
    let number = WebPGetEncoderVersion()
    return [16, 8, 0].map { "\(number >> $0 & 255)" }.joined(separator: ".")
  }
}
