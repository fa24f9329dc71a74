internal import Aero
internal import SQLiteIO

/// The boxes by which the app finds what is near, against the places themselves, of every table that has such boxes.
struct DatabaseRTree: DatabaseRule {
  let name = "database-rtree"
  let protects = "An airport that is near is on the map, and in the list of the nearest."

  /// Degrees. The tree keeps 32-bit numbers, rounded outwards.
  private static let slack = 0.0001

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    try database.known.filter { $0.extent != nil }.flatMap { table -> [Finding] in
      let tree = table.name + "_rtree"
      guard database.tables.contains(tree) else {
        return [error("\(database.place) \(table.name)", "there is no R-tree over it")]
      }
      do {
        return try findings(table, try RTreeUnderTest(tree, in: database.connection), database)
      } catch let damage as RTreeUnderTest.Damage {
        return [error("\(database.place) table \(tree)", damage.reason)]
      }
    }
  }

  private func findings(
    _ table: TableSchema, _ tree: RTreeUnderTest, _ database: DatabaseUnderTest
  ) throws -> [Finding] {
    var boxes = Dictionary(tree.entries.map { ($0.row, $0.box) }) { first, _ in first }
    var astray: [(row: Int, isMissing: Bool)] = []
    let sides =
      table.extent == .point ? "latitude, latitude, longitude, longitude" : "south, north, west, east"
    try database.connection.prepare("SELECT rowid, \(sides) FROM \(table.name) ORDER BY rowid").rows { row in
      guard !row.isNull(1), !row.isNull(3) else { return }
      let box = boxes.removeValue(forKey: row.int(0))
      if !DatabaseRTree.fits(box, row) { astray.append((row.int(0), box == nil)) }
    }
    let names = try labels(astray.map(\.row), table, database)
    return zip(astray, names).map { entry, name in
      error(
        "\(database.place) \(table.name) \(name)",
        entry.isMissing
          ? "it is not in \(table.name)_rtree" : "its box in \(table.name)_rtree is not where it lies")
    }
      + boxes.keys.sorted().map {
        error("\(database.place) \(table.name)_rtree row \($0)", "there is no such row in \(table.name)")
      }
  }

  /// Whether a box holds the place, and little else.
  private static func fits(_ box: RTreeUnderTest.Box?, _ row: SQLiteRow) -> Bool {
    guard let box else { return false }
    let lows = [(Double(box.south), row.double(1)), (Double(box.west), row.double(3))]
    let highs = [(Double(box.north), row.double(2)), (Double(box.east), row.double(4))]
    return lows.allSatisfy { $0 <= $1 && $1 - $0 <= slack }
      && highs.allSatisfy { $0 >= $1 && $0 - $1 <= slack }
  }

  private func labels(
    _ rows: [Int], _ table: TableSchema, _ database: DatabaseUnderTest
  ) throws -> [String] {
    let label = try database.connection.prepare("SELECT \(table.label) FROM \(table.name) WHERE rowid = ?")
    return try rows.map { try label.map([.integer($0)]) { $0.text(0) ?? "" }.first ?? "" }
  }
}
