internal import Geo
internal import TileArchive

/// Where an archive says that it lies.
struct ToldExtent {
  /// Nil where it does not say so, or not in numbers that are a box on the earth.
  let bounds: GeoBox?
  /// Of a chart across 180 degrees, with an east beyond 180.
  let adjusted: GeoBox?

  init(_ metadata: [String: String]) {
    bounds = metadata["bounds"].flatMap { GeoBox(metadata: $0) }
    adjusted = metadata[ArchiveMetadata.adjustedBoundsKey].flatMap {
      GeoBox(metadata: $0, easternLimit: 540)
    }
  }

  /// The boxes that do not wrap.
  var windows: [GeoBox] { (adjusted ?? bounds)?.windows ?? [] }
}

extension GeoBox {
  /// `W,S,E,N` in degrees, without blanks. Nil for anything that is no box on the earth.
  init?(metadata text: String, easternLimit: Double = 180) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { Double($0) }
    guard numbers.count == 4, text.filter({ $0 == "," }).count == 3 else { return nil }
    self.init(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
    guard -180 <= west, west < min(east, 180), east <= min(easternLimit, west + 360), -90 <= south,
      south < north, north <= 90
    else { return nil }
  }
}
