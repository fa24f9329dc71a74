internal import SQLiteIO

/// The airspaces of `openefb.sqlite` against those of the database, polygon by polygon.
extension OpenEFBAgreement {
  /// The floor and the ceiling of a polygon.
  private struct Limits {
    let classification: String
    /// Feet above mean sea level; nil where the database does not know it.
    let floor: Int?
    let ceiling: Int?
    let ceilingDatum: String?

    /// What the export may say of it: nothing but what the database knows, and two ceilings that docs/FORMATS.md names.
    func allows(_ other: Limits) -> Bool {
      guard classification == other.classification, let floor, floor == other.floor else { return false }
      if let ceiling { return other.ceiling == ceiling }
      if ceilingDatum == "unlimited" { return other.ceiling == 99_999 }
      return ceilingDatum == nil && classification == "echo" && other.ceiling == 18_000
    }

    var isExpressible: Bool {
      guard let floor, let ceiling else { return false }
      return floor < ceiling && !["nationalSecurity", "other"].contains(classification)
    }
  }

  func airspaces() throws -> [Disagreement] {
    var polygons: [String: [Limits]] = [:]
    try pair.connection.prepare(
      """
      SELECT geometry, class, floorFeet, ceilingFeet, ceilingDatum FROM base.airspaces
      WHERE geometry NOT LIKE '{"type":"MultiPolygon"%'
      UNION ALL
      SELECT '{"type":"Polygon","coordinates":' || part.value || '}', class, floorFeet, ceilingFeet, ceilingDatum
      FROM base.airspaces, json_each(geometry, '$.coordinates') part WHERE geometry LIKE '{"type":"MultiPolygon"%'
      """
    ).rows { polygons[$0.text(0) ?? "", default: []].append(OpenEFBAgreement.limits($0)) }
    var found: [Disagreement] = []
    try pair.connection.prepare(
      "SELECT geometry, classification, floor, ceiling, NULL, name FROM main.airspaces ORDER BY rowid"
    ).rows { row in
      let limits = OpenEFBAgreement.limits(row)
      guard let index = polygons[row.text(0) ?? ""]?.firstIndex(where: { $0.allows(limits) }) else {
        let feet = "\(limits.floor ?? 0) to \(limits.ceiling ?? 0) feet above the sea"
        found.append(
          Disagreement(
            "airspaces \(row.text(5) ?? "")", "the database has no such area of its class from \(feet)"))
        return
      }
      polygons[row.text(0) ?? ""]?.remove(at: index)
    }
    let missing = polygons.values.joined().count(where: \.isExpressible)
    guard missing > 0 else { return found }
    return found + [
      Disagreement("airspaces", "\(missing) with known limits are in the database, and missing here")
    ]
  }

  private static func limits(_ row: SQLiteRow) -> Limits {
    Limits(
      classification: row.text(1) ?? "", floor: row.isNull(2) ? nil : row.int(2),
      ceiling: row.isNull(3) ? nil : row.int(3), ceilingDatum: row.text(4))
  }
}
