/// Divides work among machines so that each has about the same amount.
///
/// The longest unit goes first, each to the machine with the least work so far. No machine then has more than 4/3 of the best
/// possible share. Times are whole milliseconds, and ties have a fixed order, so every machine finds the same division.
struct ShardDivision {
  struct Unit {
    /// Names the unit where two take equally long.
    let name: String
    let milliseconds: Int
  }

  /// The indexes of each machine's units in their order, and its milliseconds.
  private(set) var shares: [(units: [Int], milliseconds: Int)]

  init(_ units: [Unit], among count: Int) {
    shares = Array(repeating: ([], 0), count: count)
    let longestFirst = units.indices.sorted {
      (units[$1].milliseconds, units[$0].name) < (units[$0].milliseconds, units[$1].name)
    }
    for unit in longestFirst {
      let least = shares.indices.min { shares[$0].milliseconds < shares[$1].milliseconds } ?? 0
      shares[least].units.append(unit)
      shares[least].milliseconds += units[unit].milliseconds
    }
    for share in shares.indices { shares[share].units.sort() }
  }
}
