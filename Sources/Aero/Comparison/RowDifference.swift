internal import Core
internal import Foundation
internal import SQLiteIO

extension FieldFormatter {
  /// The minimum displacement in degrees: half of a hundredth of an arc second, 15 cm. The FAA writes most positions to a hundredth or a
  /// thousandth of an arc second, and the degrees that it computes from them differ in the eighth decimal between cycles.
  private static let minimumDisplacement = 0.005 / 3600

  /// The different fields of two matching rows.
  func differences(_ columns: [String], _ old: NamedRow, _ new: NamedRow) -> [FieldDifference] {
    columns.compactMap { column in
      guard old[column] != new[column] || hasMoved(column, old, new) else { return nil }
      if column.lowercased().hasSuffix("latitude") {
        return isSamePlace(column, old, new) ? nil : position(column, old, new)
      }
      // Longitudes are reported with their latitudes.
      if column.lowercased().hasSuffix("longitude") { return nil }
      return FieldDifference(
        field: column, text: text(column, old[column], new[column]), old: FieldDifference.stored(old[column]),
        new: FieldDifference.stored(new[column]))
    }
  }

  private func longitude(of latitude: String) -> String? {
    if latitude == "latitude" { return "longitude" }
    guard latitude.hasSuffix("Latitude") else { return nil }
    return latitude.dropLast("Latitude".count) + "Longitude"
  }

  private func hasMoved(_ column: String, _ old: NamedRow, _ new: NamedRow) -> Bool {
    longitude(of: column).map { old[$0] != new[$0] } ?? false
  }

  private func isSamePlace(_ latitude: String, _ old: NamedRow, _ new: NamedRow) -> Bool {
    guard let before = point(latitude, old), let after = point(latitude, new) else { return false }
    let turn = (after.longitude - before.longitude).remainder(dividingBy: 360)
    return abs(after.latitude - before.latitude) < FieldFormatter.minimumDisplacement
      && abs(turn) < FieldFormatter.minimumDisplacement
  }

  private func position(_ latitude: String, _ old: NamedRow, _ new: NamedRow) -> FieldDifference {
    let prefix = String(latitude.dropLast("latitude".count))
    let end = ends[prefix].map { "end \($0) " } ?? ""
    let (before, after) = (point(latitude, old), point(latitude, new))
    let text =
      switch (before, after) {
      case (let before?, let after?): FieldFormatter.displacement(from: before, to: after)
      case (nil, .some): "position given"
      default: "position withdrawn"
      }
    return FieldDifference(
      field: prefix.isEmpty ? "position" : prefix + "Position", text: end + text,
      old: before.map { .text("\($0.latitude) \($0.longitude)") },
      new: after.map { .text("\($0.latitude) \($0.longitude)") })
  }

  private func point(_ latitude: String, _ row: NamedRow) -> GeoPoint? {
    guard let north = row.real(latitude), let east = longitude(of: latitude).flatMap(row.real) else {
      return nil
    }
    return GeoPoint(longitude: east, latitude: north)
  }
}

extension FieldFormatter {
  private static let earthRadius = 6_371_008.8
  private static let directions = [
    "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
  ]

  /// The distance and direction between two positions: `moved 35 m NNE`.
  private static func displacement(from: GeoPoint, to: GeoPoint) -> String {
    let middle = (from.latitude + to.latitude) / 2 * .pi / 180
    let turn = (to.longitude - from.longitude).remainder(dividingBy: 360)
    let north = (to.latitude - from.latitude) * .pi / 180 * earthRadius
    let east = turn * .pi / 180 * earthRadius * cos(middle)
    let metres = (north * north + east * east).squareRoot()
    guard metres.isFinite, metres < 1e8 else { return "moved" }
    if metres < 1 { return "moved less than 1 m" }
    let sixteenth = Int((atan2(east, north) * 180 / .pi / 22.5).rounded())
    let direction = directions[(sixteenth + 16) % 16]
    if metres < 2000 { return "moved \(Counts.grouped(Int(metres.rounded()))) m \(direction)" }
    let tenths = Int((metres / 185.2).rounded())
    return "moved \(Counts.grouped(tenths / 10)).\(tenths % 10) NM \(direction)"
  }
}

/// The displacement of an airspace boundary: the maximum distance of any corner of both shapes from the boundary of the other.
enum BoundaryShift {
  /// Smaller displacements are invisible, and come from rounding in the sources.
  static let minimumMetres = 10.0
  private static let metresPerDegree = 111_195.0
  /// Larger shapes are reported as changed without a distance, since the comparison would take minutes.
  private static let mostComparisons = 20_000_000

  /// Nil for a smaller displacement.
  @Sendable static func difference(_ old: NamedRow, _ new: NamedRow) -> FieldDifference? {
    let text: String
    if let before = rings(old), let after = rings(new), let metres = metres(before, after) {
      guard metres >= minimumMetres else { return nil }
      text = "boundary moved by up to \(Counts.grouped(Int(min(metres, 1e8)))) m"
    } else {
      text = "boundary changed"
    }
    return FieldDifference(field: "geometry", text: text, old: nil, new: nil)
  }

  private static func metres(_ old: [[GeoPoint]], _ new: [[GeoPoint]]) -> Double? {
    let counts = [old, new].map { $0.map(\.count).reduce(0, +) }
    guard counts[0] > 0, counts[1] > 0, counts[0] * counts[1] <= mostComparisons else { return nil }
    return max(farthest(of: old, from: new), farthest(of: new, from: old))
  }

  private static func farthest(of corners: [[GeoPoint]], from rings: [[GeoPoint]]) -> Double {
    let common = Set(rings.joined())
    return corners.joined().reduce(0) { farthest, corner in
      common.contains(corner) ? farthest : max(farthest, distance(corner, rings))
    }
  }

  /// The distance in metres on a plane around the corner, which is exact enough for near boundaries.
  private static func distance(_ corner: GeoPoint, _ rings: [[GeoPoint]]) -> Double {
    let squeeze = cos(corner.latitude * .pi / 180)
    var least = Double.infinity
    for ring in rings {
      for (start, end) in zip(ring, ring.dropFirst()) {
        let from = offset(start, corner, squeeze)
        let to = offset(end, corner, squeeze)
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        let length = dx * dx + dy * dy
        let along = length > 0 ? min(1, max(0, -(from.x * dx + from.y * dy) / length)) : 0
        let (x, y) = (from.x + along * dx, from.y + along * dy)
        least = min(least, x * x + y * y)
      }
    }
    return least.squareRoot() * metresPerDegree
  }

  private static func offset(_ point: GeoPoint, _ corner: GeoPoint, _ squeeze: Double) -> (
    x: Double, y: Double
  ) {
    ((point.longitude - corner.longitude) * squeeze, point.latitude - corner.latitude)
  }

  /// The rings of a GeoJSON geometry; nil for an invalid text.
  private static func rings(_ row: NamedRow) -> [[GeoPoint]]? {
    row.text("geometry").flatMap(GeoJSONPolygons.init(text:))?.polygons.joined().map { ring in
      ring.map { GeoPoint(longitude: $0[0], latitude: $0[1]) }
    }
  }
}
