extension Product {
  /// What a file beside the image says about where the image lies, compared with the image's own georeference.
  /// A disagreement stops the build, so a product holds only agreements and missing evidence.
  public struct Placement: Codable, Equatable, Sendable {
    public enum Source: String, Codable, Sendable {
      /// The bounding coordinates in the `.htm`.
      case htmBounds = "htm-bounds"
      /// The projection in the `.htm`.
      case htmProjection = "htm-projection"
      /// The row and column counts and the pixel size in the `.htm`.
      case htmSize = "htm-size"
      /// The world file.
      case tfw
    }

    public enum Outcome: String, Codable, Sendable {
      case agrees
      /// The file or the fields are not there, so they prove nothing.
      case missing
    }

    public var source: Source
    public var outcome: Outcome
    /// The largest distance between the two placements, in pixels of the sheet; nil if the evidence is missing.
    public var pixels: Double?

    public init(source: Source, outcome: Outcome, pixels: Double? = nil) {
      (self.source, self.outcome, self.pixels) = (source, outcome, pixels)
    }
  }
}
