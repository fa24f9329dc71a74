public import Core

/// Pixels of an image from before the warp, with their places. Validation compares the tiles with them.
public struct RasterSamples: Codable, Equatable, Sendable {
  public struct Sample: Codable, Equatable, Sendable {
    public var place: GeoPoint
    /// Red, green and blue.
    public var color: [UInt8]
    /// The largest difference from one of the eight squares around it, in levels, as the mean of the channels.
    public var contrast: UInt8
  }

  /// Opaque pixels only.
  public var samples: [Sample]
}
