internal import Core
internal import TileArchive

/// Where an archive says that it lies.
struct ToldExtent {
  /// Nil where it does not say so, or not in numbers that are a box on the earth.
  let bounds: GeoBox?
  /// Of a chart across 180 degrees, with an east beyond 180.
  let adjusted: GeoBox?

  init(_ metadata: [String: String]) {
    bounds = metadata["bounds"].flatMap { GeoBox(metadata: $0) }
    adjusted = GeoBox(adjustedIn: metadata)
  }

  /// The boxes that do not wrap.
  var windows: [GeoBox] { (adjusted ?? bounds)?.windows ?? [] }
}
