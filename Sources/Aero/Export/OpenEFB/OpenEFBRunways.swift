internal import SQLiteIO

/// An airport's runways as the JSON that the app decodes.
struct OpenEFBRunways {
  let reader: RowsOfAirports
  private let problems: ProblemLog

  private static let ends = ["baseEnd", "reciprocalEnd"]

  init(database: SQLiteConnection, problems: ProblemLog) throws {
    self.problems = problems
    let columns = OpenEFBRunways.ends.flatMap { end in
      ["ID", "Latitude", "Longitude", "TouchdownElevation"].map { end + $0 }
    }
    reader = try RowsOfAirports(
      database, ["id", "length", "width", "surface", "lighting"] + columns, of: "runways", order: "id")
  }

  func json(of airport: String) throws -> (text: String, count: Int) {
    var objects: [JSONObject] = []
    try reader.forEach(of: airport) { row in
      if let object = object(row, at: airport) { objects.append(object) }
    }
    return (JSONObject.array(objects), objects.count)
  }

  /// Nil where one of the app's properties that are not optional has no value.
  private func object(_ row: SQLiteRow, at airport: String) -> JSONObject? {
    let id = row.text(0) ?? ""
    let name = airport + " " + id
    func leaveOut(_ column: String, _ value: String, _ reason: String) -> JSONObject? {
      problems.leaveOut(name, of: "runways", column: column, value: value, reason)
      return nil
    }
    guard row.text(9) != nil else { return leaveOut("reciprocalEndID", id, "it has one end only") }
    for (column, end) in zip([5, 9], OpenEFBRunways.ends)
    where row.isNull(column + 1) || row.isNull(column + 2) {
      return leaveOut(end + "Latitude", "", "the position of its end \(row.text(column) ?? "") is not known")
    }
    for (column, property) in [(1, "length"), (2, "width")] where row.isNull(column) {
      return leaveOut(property, "", "it has no \(property)")
    }
    let words = row.text(3) ?? ""
    guard let surface = OpenEFBWords.surface(words) else {
      return leaveOut("surface", words, "the app has no such surface")
    }
    guard let lighting = OpenEFBWords.lightings[row.text(4) ?? ""] else {
      return leaveOut("lighting", row.text(4) ?? "", "whether it is lighted is not known")
    }
    if surface != words { problems.map(name, of: "runways", column: "surface", value: words, to: surface) }
    var object = JSONObject()
    object.add("id", id)
    object.add("length", row.int(1))
    object.add("width", row.int(2))
    object.add("surface", surface)
    object.add("lighting", lighting)
    for (column, end) in zip([5, 9], OpenEFBRunways.ends) {
      object.add(end + "ID", row.text(column) ?? "")
      object.add(end + "Latitude", row.double(column + 1))
      object.add(end + "Longitude", row.double(column + 2))
      object.add(end + "Elevation", row.real(column + 3))
    }
    return object
  }
}
