internal import SQLiteIO

/// An R-tree compared with the places of the rows that it is about.
struct TreeComparison {
  let table: String
  /// What names a row, in SQL.
  let label: String
  /// The query for each row's number and box: south, north, west, east.
  let boxes: String

  /// Degrees. The tree keeps 32-bit numbers, rounded outwards.
  private static let slack = 0.0001

  func problems(_ database: DatabaseUnderTest) throws -> [(place: String, text: String)] {
    let tree = table + "_rtree"
    guard database.tables.contains(tree) else {
      return [("\(database.place) \(table)", "there is no R-tree over it")]
    }
    do {
      return try problems(try RTreeUnderTest(tree, in: database.connection), database)
    } catch let damage as RTreeUnderTest.Damage {
      return [("\(database.place) table \(tree)", damage.reason)]
    }
  }

  private func problems(
    _ tree: RTreeUnderTest, _ database: DatabaseUnderTest
  ) throws -> [(place: String, text: String)] {
    var boxes = Dictionary(tree.entries.map { ($0.row, $0.box) }) { first, _ in first }
    var astray: [(row: Int, isMissing: Bool)] = []
    try database.connection.prepare(self.boxes).rows { row in
      guard !row.isNull(1), !row.isNull(3) else { return }
      let box = boxes.removeValue(forKey: row.int(0))
      if !TreeComparison.fits(box, row) { astray.append((row.int(0), box == nil)) }
    }
    let names = try labels(astray.map(\.row), database)
    return zip(astray, names).map { entry, name in
      (
        "\(database.place) \(table) \(name)",
        entry.isMissing
          ? "it is not in \(table)_rtree" : "its box in \(table)_rtree is not where it lies"
      )
    }
      + boxes.keys.sorted().map {
        ("\(database.place) \(table)_rtree row \($0)", "there is no such row in \(table)")
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

  private func labels(_ rows: [Int], _ database: DatabaseUnderTest) throws -> [String] {
    let names = try database.connection.prepare("SELECT \(label) FROM \(table) WHERE rowid = ?")
    return try rows.map { try names.map([.integer($0)]) { $0.text(0) ?? "" }.first ?? "" }
  }
}
