internal import Core

/// A made-up town.
struct Town: Sendable {
  var spot: Terrain.Spot
  /// Degrees of latitude.
  var radius: Double
  var name: String
  var cell: (column: Int, row: Int)
}

/// The towns of a stretch of the world, and the roads between them: hashed from cells, so that any sheet finds the same.
struct Settlements: Sendable {
  static let cellSize = 0.085

  let towns: [Town]
  private let grid: [Town?]
  private let columns: ClosedRange<Int>
  private let rows: ClosedRange<Int>

  init(from low: Terrain.Spot, to high: Terrain.Spot, terrain: Terrain) {
    let size = Settlements.cellSize
    // One cell more all round: a town beyond the edge may reach in.
    columns = (Int((low.u / size).rounded(.down)) - 1)...(Int((high.u / size).rounded(.down)) + 1)
    rows = (Int((low.v / size).rounded(.down)) - 1)...(Int((high.v / size).rounded(.down)) + 1)
    var grid: [Town?] = []
    for row in rows {
      for column in columns {
        grid.append(Settlements.town(column: column, row: row, terrain: terrain))
      }
    }
    self.grid = grid
    towns = grid.compactMap { $0 }
  }

  func town(column: Int, row: Int) -> Town? {
    guard columns.contains(column), rows.contains(row) else { return nil }
    return grid[(row - rows.lowerBound) * columns.count + column - columns.lowerBound]
  }

  /// How built-up a place is: above zero it gets the yellow tint.
  func urbanness(_ spot: Terrain.Spot, terrain: Terrain) -> Double {
    let column = Int((spot.u / Settlements.cellSize).rounded(.down))
    let row = Int((spot.v / Settlements.cellSize).rounded(.down))
    var sum = terrain.urbanPull(spot)
    for near in row - 1...row + 1 {
      for beside in column - 1...column + 1 {
        guard let town = town(column: beside, row: near) else { continue }
        let du = spot.u - town.spot.u
        let dv = spot.v - town.spot.v
        sum += max(0, 1 - (du * du + dv * dv) / (town.radius * town.radius))
      }
    }
    guard sum > 0.05 else { return -1 }
    return sum - 0.62 + terrain.texture(spot, scale: 34) * 1.1
  }

  private static func town(column: Int, row: Int, terrain: Terrain) -> Town? {
    var random = SplitMix64(seed: 0x7035, column: column, row: row)
    let spot = Terrain.Spot(
      u: (Double(column) + random.between(0.15, 0.85)) * cellSize,
      v: (Double(row) + random.between(0.15, 0.85)) * cellSize)
    let elevation = terrain.elevation(spot)
    let radius = random.between(0.008, 0.03) * (random.unit() < 0.15 ? 1.7 : 1)
    guard elevation > 2, random.unit() < (elevation < 900 ? 0.8 : 0.3) else { return nil }
    return Town(
      spot: spot, radius: radius, name: TownName.make(&random), cell: (column, row))
  }
}

/// Names that sound like the coast but stand on no map of it.
enum TownName {
  private static let first = [
    "Mira", "Cala", "Sola", "Lume", "Vela", "Tor", "Alda", "Bel", "Cor", "Monte", "Pala", "Rio", "Ser",
    "Ova", "Quin", "Est", "Del", "Ama", "Nor", "Fal",
  ]
  private static let last = [
    "vista", "mora", "dena", "luna", "rosa", "bado", "cito", "lino", "tera", "mar", "nado", "villa",
    "gate", "field", "ton", "dale", "brook", "mere",
  ]

  static func make(_ random: inout SplitMix64) -> String {
    let name = (random.pick(first) + random.pick(last)).uppercased()
    return random.unit() < 0.12 ? "PORT " + name : name
  }
}
