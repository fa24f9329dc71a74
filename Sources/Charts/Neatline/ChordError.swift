internal import Core

extension SheetProjection {
  /// How far the middle of an edge is from its chord: on the sheet, and on a map of longitudes and latitudes.
  func chordError(
    _ start: Neatline.Vertex, _ middle: Neatline.Vertex, _ end: Neatline.Vertex
  ) -> Double? {
    let onSheet = foot(
      (start.pixel.column, start.pixel.row), (middle.pixel.column, middle.pixel.row),
      (end.pixel.column, end.pixel.row))
    let onEarth = foot(
      (start.place.longitude, start.place.latitude), (middle.place.longitude, middle.place.latitude),
      (end.place.longitude, end.place.latitude))
    guard let earthly = pixel(of: GeoPoint(longitude: onEarth.0, latitude: onEarth.1))
    else { return nil }
    return max(
      PixelPoint(column: onSheet.0, row: onSheet.1).distance(to: middle.pixel),
      earthly.distance(to: middle.pixel))
  }
}

/// The point of a chord that is nearest to a point.
private func foot(
  _ a: (Double, Double), _ point: (Double, Double), _ b: (Double, Double)
) -> (Double, Double) {
  let (dx, dy) = (b.0 - a.0, b.1 - a.1)
  let square = dx * dx + dy * dy
  guard square > 0 else { return a }
  let share = ((point.0 - a.0) * dx + (point.1 - a.1) * dy) / square
  return (a.0 + share * dx, a.1 + share * dy)
}
