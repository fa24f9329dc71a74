/// What one ring of places encloses, as GeoJSON: in one piece, or cut where it crosses the antimeridian.
struct MapShape {
  /// Rings against the sun, in which no point is repeated.
  let pieces: [[MapPoint]]

  /// Nil where the points enclose nothing.
  init?(_ ring: [MapPoint]) {
    var pieces = [MapShape.unrolled(ring)]
    let lines = pieces[0].map(\.x)
    let (west, east) = (lines.min() ?? 0, lines.max() ?? 0)
    for meridian in [-3, -1, 1, 3].map({ $0 * MapPoint.halfTurn }) where west < meridian && meridian < east {
      pieces = pieces.flatMap { MeridianCut(meridian).cut($0) }
    }
    self.pieces = pieces.compactMap { MapShape.tidy(MapShape.rolled($0)) }
    if self.pieces.isEmpty { return nil }
  }

  /// South, west, north and east in degrees; a shape in pieces goes all the way around.
  var box: (south: Double, west: Double, north: Double, east: Double) {
    let points = pieces.joined()
    let (xs, ys) = (points.map(\.x), points.map(\.y))
    let isCut =
      pieces.contains { $0.contains { $0.x == MapPoint.halfTurn } }
      && pieces.contains { $0.contains { $0.x == -MapPoint.halfTurn } }
    let west = isCut ? -MapPoint.halfTurn : xs.min() ?? 0
    let east = isCut ? MapPoint.halfTurn : xs.max() ?? 0
    return (
      MapPoint.degrees(ys.min() ?? 0), MapPoint.degrees(west), MapPoint.degrees(ys.max() ?? 0),
      MapPoint.degrees(east)
    )
  }

  /// RFC 7946: a Polygon, or a MultiPolygon of the pieces.
  var geoJSON: String {
    let polygons = pieces.map { "[[" + ($0 + $0.prefix(1)).map(\.json).joined(separator: ",") + "]]" }
    return polygons.count == 1
      ? #"{"type":"Polygon","coordinates":\#(polygons[0])}"#
      : #"{"type":"MultiPolygon","coordinates":[\#(polygons.joined(separator: ","))]}"#
  }

  /// The ring with longitudes that run on past the antimeridian instead of jumping; around a pole it is led over it.
  private static func unrolled(_ ring: [MapPoint]) -> [MapPoint] {
    guard let first = ring.first else { return [] }
    var result = [first]
    for point in ring.dropFirst() + [first] {
      var step = point.x - (result.last?.x ?? 0)
      while step > MapPoint.halfTurn { step -= 2 * MapPoint.halfTurn }
      while step < -MapPoint.halfTurn { step += 2 * MapPoint.halfTurn }
      result.append(MapPoint(x: (result.last?.x ?? 0) + step, y: point.y))
    }
    let end = result[result.count - 1]
    guard end.x != first.x else { return result.dropLast() }
    let pole = ring.reduce(0) { $0 + $1.y } < 0 ? -MapPoint.pole : MapPoint.pole
    return result + [MapPoint(x: end.x, y: pole), MapPoint(x: first.x, y: pole)]
  }

  /// Back to between 180 west and 180 east; a piece lies within one turn.
  private static func rolled(_ piece: [MapPoint]) -> [MapPoint] {
    let turn = 2 * MapPoint.halfTurn
    let xs = piece.map(\.x)
    let middle = ((xs.min() ?? 0) + (xs.max() ?? 0)) / 2
    let shift = middle > MapPoint.halfTurn ? -turn : middle < -MapPoint.halfTurn ? turn : 0
    return piece.map { MapPoint(x: $0.x + shift, y: $0.y) }
  }

  /// Without points that stand still, and turned against the sun; nil where nothing is enclosed.
  private static func tidy(_ ring: [MapPoint]) -> [MapPoint]? {
    var points: [MapPoint] = []
    for point in ring where point != points.last { points.append(point) }
    if points.count > 1, points.first == points.last { points.removeLast() }
    let area = zip(points, points.dropFirst() + points.prefix(1)).reduce(Int128(0)) {
      $0 + Int128($1.0.x) * Int128($1.1.y) - Int128($1.1.x) * Int128($1.0.y)
    }
    guard area != 0 else { return nil }
    return area > 0 ? points : points.reversed()
  }
}
