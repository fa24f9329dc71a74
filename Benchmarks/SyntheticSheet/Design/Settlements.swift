internal import Core

/// A fictional town.
struct Town: Sendable {
  var spot: Terrain.Spot
  /// Degrees of latitude.
  var radius: Double
  var name: String
  var cell: (column: Int, row: Int)
}

/// The towns of an area and the roads between them. They are hashed from cells, so that all sheets show the same.
struct Settlements: Sendable {
  static let cellSize = 0.085

  let towns: [Town]
  private let grid: [Town?]
  private let columns: ClosedRange<Int>
  private let rows: ClosedRange<Int>

  init(from low: Terrain.Spot, to high: Terrain.Spot, terrain: Terrain) {
    let size = Settlements.cellSize
    // One more cell on all sides, since a town beyond the edge may reach in.
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

  /// How built-up a point is: above zero it gets the yellow tint.
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

/// Fictional names in the style of the coast.
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

/// A line on the ground: a road, a railway or a stream.
struct Route: Sendable {
  enum Kind: Sendable {
    case highway
    case road
    case railway
    case stream
  }

  var kind: Kind
  var spots: [Terrain.Spot]
}

extension Settlements {
  /// Roads to the next towns east and north, unless water lies between them.
  func roads(terrain: Terrain) -> [Route] {
    let neighbours = [(1, 0), (0, 1), (1, 1), (2, 0), (1, -1)]
    return towns.flatMap { town in
      neighbours.compactMap { step -> Route? in
        let column = town.cell.column + step.0
        let row = town.cell.row + step.1
        guard let other = self.town(column: column, row: row) else { return nil }
        var random = SplitMix64(seed: 0x80AD ^ UInt64(step.0 + 2 * step.1 + 8), column: column, row: row)
        let chance = random.unit()
        guard chance < 0.5 else { return nil }
        let kind: Route.Kind = chance < 0.14 ? .highway : chance < 0.22 ? .railway : .road
        let spots = path(from: town.spot, to: other.spot, terrain: terrain)
        return spots.contains { terrain.inland($0) < 0.002 } ? nil : Route(kind: kind, spots: spots)
      }
    }
  }

  private func path(
    from start: Terrain.Spot, to end: Terrain.Spot, terrain: Terrain
  ) -> [Terrain.Spot] {
    let steps = 20
    let du = end.u - start.u
    let dv = end.v - start.v
    return (0...steps).map { step in
      let part = Double(step) / Double(steps)
      var spot = Terrain.Spot(u: start.u + du * part, v: start.v + dv * part)
      // The bend vanishes at both ends, so that roads meet in the towns.
      let bend = terrain.texture(spot, scale: 14) * 0.5 * part * (1 - part) * 2
      spot = Terrain.Spot(u: spot.u - dv * bend, v: spot.v + du * bend)
      return spot
    }
  }
}

/// Water that runs downhill from the heights to a shore or a hollow.
struct Streams: Sendable {
  static let cellSize = 0.042
  private static let step = 0.0022

  static func routes(
    columns: ClosedRange<Int>, rows: ClosedRange<Int>, terrain: Terrain
  ) -> [Route] {
    rows.flatMap { row in
      columns.compactMap { column -> Route? in
        var random = SplitMix64(seed: 0x57E4, column: column, row: row)
        let spring = Terrain.Spot(
          u: (Double(column) + random.unit()) * cellSize, v: (Double(row) + random.unit()) * cellSize)
        guard random.unit() < 0.6, terrain.elevation(spring) > 450 else { return nil }
        let spots = descend(from: spring, terrain: terrain)
        return spots.count < 12 ? nil : Route(kind: .stream, spots: spots)
      }
    }
  }

  /// Whether the water runs in circles in a hollow.
  private static func isCircling(_ spots: [Terrain.Spot]) -> Bool {
    guard spots.count > 5, let last = spots.last else { return false }
    let before = spots[spots.count - 6]
    return abs(last.u - before.u) + abs(last.v - before.v) < 3 * step
  }

  private static func descend(from spring: Terrain.Spot, terrain: Terrain) -> [Terrain.Spot] {
    var spots = [spring]
    var spot = spring
    var du = 0.0
    var dv = 0.0
    let eps = 0.0015
    var lowest = Double.infinity
    for _ in 0..<130 {
      let height = terrain.elevation(spot)
      guard height > 0, height < lowest + 60 else { break }
      lowest = min(lowest, height)
      let slopeU = terrain.elevation(Terrain.Spot(u: spot.u + eps, v: spot.v)) - height
      let slopeV = terrain.elevation(Terrain.Spot(u: spot.u, v: spot.v + eps)) - height
      let steepness = max(1e-6, (slopeU * slopeU + slopeV * slopeV).squareRoot())
      // Part of the old direction remains, since water cuts through small hollows.
      du = du * 0.6 - slopeU / steepness * 0.4
      dv = dv * 0.6 - slopeV / steepness * 0.4
      let length = (du * du + dv * dv).squareRoot()
      guard length > 0.12 else { break }
      spot = Terrain.Spot(u: spot.u + du / length * step, v: spot.v + dv / length * step)
      spots.append(spot)
      guard !isCircling(spots) else { break }
    }
    return spots
  }
}

/// The generator by Steele, Lea and Flood: the same numbers on every machine and with every library.
struct SplitMix64: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A generator for one cell of the world, the same for all sheets.
  init(seed: UInt64, column: Int, row: Int) {
    let mixed = SplitMix64.mix(seed &+ UInt64(bitPattern: Int64(column)) &* 0x9E37_79B9_7F4A_7C15)
    state = SplitMix64.mix(mixed ^ UInt64(bitPattern: Int64(row)) &* 0xC2B2_AE3D_27D4_EB4F)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return SplitMix64.mix(state)
  }

  /// From 0 up to, but excluding, 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

  mutating func pick<T>(_ choices: [T]) -> T { choices[Int(next() % UInt64(choices.count))] }

  @inline(__always)
  static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
