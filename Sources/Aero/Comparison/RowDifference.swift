internal import Core
internal import SQLiteIO

/// The fields in which two rows about the same thing differ.
struct RowDifference {
  /// Degrees: half of a hundredth of an arc second, 15 cm. The FAA writes most positions to a hundredth or a thousandth of an arc
  /// second, and the degrees that it computes of them differ in the eighth decimal between cycles.
  static let leastMove = 0.005 / 3600

  let words: FieldWords
  let columns: [String]

  func fields(_ old: ComparedRow, _ new: ComparedRow) -> [FieldDifference] {
    var fields: [FieldDifference] = []
    for column in columns where old[column] != new[column] || hasMoved(column, old, new) {
      if column.lowercased().hasSuffix("latitude") {
        guard !isSamePlace(column, old, new) else { continue }
        fields.append(position(String(column.dropLast("latitude".count)), column, old, new))
      } else if !isLongitude(column) {
        fields.append(difference(column, column, old, new, words.text(column, old[column], new[column])))
      }
    }
    return fields
  }

  private func difference(
    _ name: String, _ column: String, _ old: ComparedRow, _ new: ComparedRow, _ text: String
  ) -> FieldDifference {
    FieldDifference(
      field: name, text: text, old: StoredValue(old[column]), new: StoredValue(new[column]))
  }

  /// A longitude is told with its latitude.
  private func isLongitude(_ column: String) -> Bool { column.lowercased().hasSuffix("longitude") }

  private func longitude(of latitude: String) -> String? {
    if latitude == "latitude" { return "longitude" }
    guard latitude.hasSuffix("Latitude") else { return nil }
    return latitude.dropLast("Latitude".count) + "Longitude"
  }

  private func hasMoved(_ column: String, _ old: ComparedRow, _ new: ComparedRow) -> Bool {
    longitude(of: column).map { old[$0] != new[$0] } ?? false
  }

  private func isSamePlace(_ latitude: String, _ old: ComparedRow, _ new: ComparedRow) -> Bool {
    guard let before = point(latitude, old), let after = point(latitude, new) else { return false }
    let turn = (after.longitude - before.longitude).remainder(dividingBy: 360)
    return abs(after.latitude - before.latitude) < RowDifference.leastMove
      && abs(turn) < RowDifference.leastMove
  }

  private func position(
    _ prefix: String, _ latitude: String, _ old: ComparedRow, _ new: ComparedRow
  ) -> FieldDifference {
    let end = words.ends[prefix].map { "end \($0) " } ?? ""
    let (before, after) = (point(latitude, old), point(latitude, new))
    let text =
      switch (before, after) {
      case (let before?, let after?): Move(from: before, to: after).text
      case (nil, .some): "position given"
      default: "position withdrawn"
      }
    return FieldDifference(
      field: prefix.isEmpty ? "position" : prefix + "Position", text: end + text,
      old: before.map { .text("\($0.latitude) \($0.longitude)") },
      new: after.map { .text("\($0.latitude) \($0.longitude)") })
  }

  private func point(_ latitude: String, _ row: ComparedRow) -> GeoPoint? {
    guard let north = row.number(latitude), let east = longitude(of: latitude).flatMap(row.number) else {
      return nil
    }
    return GeoPoint(longitude: east, latitude: north)
  }
}
