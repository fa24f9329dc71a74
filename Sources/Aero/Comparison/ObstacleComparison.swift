/// Counts what became of the obstacles, by state: there are far too many to be read one by one.
enum ObstacleComparison {
  private static let selection = TablePair.Selection(
    table: "obstacles", keys: ["oas"], ignored: ["id", "oas", "date", "study"])

  /// The states of the United States first, then other countries.
  static func tallies(_ pair: DatabasePair) throws -> [ObstacleTally] {
    guard let table = try pair.table(selection) else { return [] }
    var tallies: [String: ObstacleTally] = [:]
    let difference = RowDifference(words: FieldWords(), columns: table.columns)
    try table.groups { old, new in
      guard let row = new.first ?? old.first else { return }
      if let before = old.first, let after = new.first, difference.fields(before, after).isEmpty { return }
      let state = row.text("state") ?? row.text("country") ?? ""
      tallies[state, default: ObstacleTally(state: state)].count(old.first, new.first)
    }
    return tallies.values.sorted { $0.state < $1.state }
  }

  static func tally(_ states: [ObstacleTally]) -> ChangeTally {
    let counts: [(Change, Int)] = [
      (.added, states.map(\.added).reduce(0, +)), (.removed, states.map(\.removed).reduce(0, +)),
      (.changed, states.map(\.changed).reduce(0, +)),
    ]
    return ChangeTally(
      table: "obstacles", changes: Dictionary(uniqueKeysWithValues: counts.filter { $0.1 > 0 }), fields: [:])
  }
}

extension ObstacleTally {
  fileprivate mutating func count(_ old: ComparedRow?, _ new: ComparedRow?) {
    guard let new else {
      removed += 1
      return
    }
    guard old == nil else {
      changed += 1
      return
    }
    added += 1
    if let height = new.number("heightAGL").flatMap({ Int(exactly: $0) }) {
      tallestAdded = max(tallestAdded ?? height, height)
    }
  }
}
