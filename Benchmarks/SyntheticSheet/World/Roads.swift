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
  /// Roads to the next towns east and north, unless water lies between.
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
      // The bend dies away at both ends, so that roads meet in the towns.
      let bend = terrain.texture(spot, scale: 14) * 0.5 * part * (1 - part) * 2
      spot = Terrain.Spot(u: spot.u - dv * bend, v: spot.v + du * bend)
      return spot
    }
  }
}

/// Water running downhill from the heights until it reaches a shore or a hollow.
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

  /// Whether the water runs round and round in a hollow.
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
      // Some of the old direction stays: water cuts through small hollows.
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
