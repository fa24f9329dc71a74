internal import Aero
internal import SQLiteIO

/// The boxes by which the app finds what is near, against the places themselves, of every table that has such boxes.
struct DatabaseRTree: DatabaseRule {
  let name = "database-rtree"
  let protects = "An airport that is near is on the map, and in the list of the nearest."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    try database.known.filter { $0.extent != nil }.flatMap { table -> [Finding] in
      let sides =
        table.extent == .point ? "latitude, latitude, longitude, longitude" : "south, north, west, east"
      let comparison = TreeComparison(
        table: table.name, label: table.label,
        boxes: "SELECT rowid, \(sides) FROM \(table.name) ORDER BY rowid")
      return try comparison.problems(database).map { error($0.place, $0.text) }
    }
  }
}
