/// What kind of tiles are made, and of which zooms.
public struct TileSettings: Codable, Equatable, Sendable {
  public enum Format: String, Codable, Sendable, CaseIterable {
    /// 8 bits a pixel, from one palette for the whole chart, with transparency.
    case png
    /// RGB, or RGBA at the chart's edge.
    case png32
    /// Lossy.
    case webp
    /// The pixels of `png`, in fewer bytes.
    case webpLossless = "webp-lossless"

    /// What the metadata of an archive calls it.
    public var imageType: String {
      switch self {
      case .png, .png32: "png"
      case .webp, .webpLossless: "webp"
      }
    }
  }

  public enum Archive: String, Codable, Sendable, CaseIterable {
    case mbtiles
    case pmtiles
  }

  public var minZoom: Int
  public var maxZoom: Int
  public var format: Format
  /// Pixels a side: 256, or 512 for the same ground in twice the detail.
  public var size: Int
  /// Of lossy WebP, 50 to 100: below, thin print is lost.
  public var quality: Int
  /// How many colours the palette of `png` and `webp-lossless` has, 48 to 255: fewer make smaller tiles, and
  /// still fewer would merge colours of the sheet.
  public var colors: Int
  /// How many levels a pixel may differ so as to be like its neighbour; 0 takes the nearest colour everywhere.
  public var tolerance: Int
  public var archives: [Archive]

  public static let usualQuality = 80
  /// These two together: an error that nobody sees (42 dB), and two thirds of the bytes that exact colours would take.
  public static let usualColors = 192
  public static let usualTolerance = 9

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case minZoom, maxZoom, format, size, quality, colors, tolerance, archives
  }

  /// Settings for archives that exist, whose definition is not at hand.
  public init(zooms: ClosedRange<Int>, format: Format, size: Int) {
    (minZoom, maxZoom) = (zooms.lowerBound, zooms.upperBound)
    (self.format, self.size) = (format, size)
    (quality, colors) = (TileSettings.usualQuality, TileSettings.usualColors)
    (tolerance, archives) = (TileSettings.usualTolerance, [.mbtiles])
  }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    minZoom = try container.decode(Int.self, forKey: .minZoom)
    maxZoom = try container.decode(Int.self, forKey: .maxZoom)
    format = try container.decodeIfPresent(Format.self, forKey: .format) ?? .png
    size = try container.decodeIfPresent(Int.self, forKey: .size) ?? 256
    quality = try container.decodeIfPresent(Int.self, forKey: .quality) ?? TileSettings.usualQuality
    colors = try container.decodeIfPresent(Int.self, forKey: .colors) ?? TileSettings.usualColors
    tolerance = try container.decodeIfPresent(Int.self, forKey: .tolerance) ?? TileSettings.usualTolerance
    archives = try container.decodeIfPresent([Archive].self, forKey: .archives) ?? [.mbtiles]
  }
}
