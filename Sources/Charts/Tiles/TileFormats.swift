internal import ImageIO
internal import Pipeline

extension TileSettings {
  /// The encoder's view of the settings; only some formats use the palette.
  func tileFormat(_ palette: Palette) -> TileFormat {
    switch format {
    case .png: .png8(palette)
    case .png32: .png32
    case .webp: .webp(quality: quality)
    case .webpLossless: .webpLossless(palette)
    }
  }
}

extension TileSettings.Format {
  /// Whether the tiles are made of a limited number of colours.
  var hasPalette: Bool { self == .png || self == .webpLossless }

  var isWebP: Bool { self == .webp || self == .webpLossless }
}
