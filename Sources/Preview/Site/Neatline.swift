internal import Core

/// The cut of a chart, as it stands in the archive's metadata.
enum Neatline {
  /// To some ten metres, which is finer than anybody sees; none where there is no sound shape.
  static func rings(_ geoJSON: String) -> [[[Double]]] {
    (GeoJSONPolygons(text: geoJSON)?.polygons ?? []).joined().map { ring in
      ring.map { place in place.prefix(2).map { ($0 * 10_000).rounded() / 10_000 } }
    }
  }
}
