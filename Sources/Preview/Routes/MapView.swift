internal import Core

/// The part of the earth that the page shows, and how much of what lies in it the page wants to draw.
struct MapView: Equatable, Sendable {
  private static let mostItems = 1000

  /// One, or two where it reaches over 180 degrees.
  let windows: [GeoBox]
  let limit: Int

  /// - Parameter query: with `box=west,south,east,north`. A map that was dragged on and on has longitudes far beyond 180.
  init(_ query: [String: String]) throws(Refusal) {
    let numbers = (query["box"] ?? "").split(separator: ",", omittingEmptySubsequences: false).compactMap {
      Double($0)
    }
    guard numbers.count == 4, numbers.allSatisfy({ abs($0) < 100_000 }), numbers[0] <= numbers[2],
      numbers[1] <= numbers[3]
    else { throw Refusal(.badRequest, "the box should be west,south,east,north") }
    let limit = query["limit"] ?? "300"
    guard let count = Int(limit), (1...MapView.mostItems).contains(count) else {
      throw Refusal(.badRequest, "the limit should be a number from 1 to \(MapView.mostItems)")
    }
    self.limit = count
    windows = MapView.turned(numbers).windows
  }

  /// With its west between -180 and 180.
  private static func turned(_ numbers: [Double]) -> GeoBox {
    let width = numbers[2] - numbers[0]
    guard width < 360 else { return GeoBox(west: -180, south: numbers[1], east: 180, north: numbers[3]) }
    let west = numbers[0] - ((numbers[0] + 180) / 360).rounded(.down) * 360
    return GeoBox(west: west, south: numbers[1], east: west + width, north: numbers[3])
  }
}
