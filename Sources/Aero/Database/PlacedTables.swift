/// Fills in the positions of what is made of points in other tables, when these are there.
enum PlacedTables {
  static func fill(_ writer: DatabaseWriter) throws {
    try writer.execute(segments)
    try writer.execute(routes)
  }

  /// A segment goes to the point with which a later row of its airway begins.
  private static let segments = """
    UPDATE airwaySegments SET (fromLatitude, fromLongitude) = (
      SELECT latitude, longitude FROM fixes WHERE id = fromFix) WHERE fromFix IS NOT NULL;
    UPDATE airwaySegments SET (fromLatitude, fromLongitude) = (
      SELECT latitude, longitude FROM navaids WHERE id = fromNavaid) WHERE fromNavaid IS NOT NULL;
    UPDATE airwaySegments SET (toLatitude, toLongitude) = (
      SELECT n.fromLatitude, n.fromLongitude FROM airwaySegments n
      WHERE n.airway = airwaySegments.airway AND n.sequence > airwaySegments.sequence
        AND n.fromPoint = airwaySegments.toPoint
      ORDER BY n.sequence LIMIT 1) WHERE toPoint IS NOT NULL;
    UPDATE airwaySegments SET
      south = min(fromLatitude, toLatitude), north = max(fromLatitude, toLatitude),
      west = CASE WHEN abs(fromLongitude - toLongitude) > 180 THEN -180 ELSE min(fromLongitude, toLongitude) END,
      east = CASE WHEN abs(fromLongitude - toLongitude) > 180 THEN 180 ELSE max(fromLongitude, toLongitude) END
      WHERE fromLatitude IS NOT NULL AND toLatitude IS NOT NULL;
    """

  private static let routes = """
    UPDATE militaryRoutes SET (south, north, west, east) = (
      SELECT min(latitude), max(latitude), min(longitude), max(longitude) FROM militaryRoutePoints
      WHERE route = militaryRoutes.id);
    """
}
