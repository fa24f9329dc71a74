internal import ImageIO

struct TileCodec: Sendable {
  func encode(_ image: RGBAImage) throws -> [UInt8]? { image.isTransparent ? nil : try PNG.encode(image) }
}
