internal import Core

/// The addresses of the server. No part of an address becomes a path of the file system.
enum Route: Equatable, Sendable {
  case page(PageFile)
  case module(MapModule)
  case site
  case tile(cycle: String, product: String, TileID)
  case airports(cycle: String, MapView, runways: Bool)
  case airport(cycle: String, icao: String)
  /// The places of all airports of a cycle.
  case dots(cycle: String)
  case airspace(cycle: String, MapView, classes: [AirspaceClass])
  case search(cycle: String, words: String)

  init(_ target: Target) throws(RequestError) {
    let path = target.path
    if path.count == 1, let route = try Route(named: path[0], target.query) {
      self = route
    } else if path.count == 2, path[0] == "page", let file = PageFile(rawValue: path[1]) {
      self = .page(file)
    } else if path.count == 2, path[0] == "page", let module = MapModule(rawValue: path[1]) {
      self = .module(module)
    } else if path.count >= 6, path[0] == "tiles", let tile = TileID(path.suffix(3)) {
      self = .tile(
        cycle: path[1], product: path[2..<path.count - 3].joined(separator: "/"), tile)
    } else {
      throw RequestError(.notFound, "there is no such address")
    }
  }

  private init?(named name: String, _ query: [String: String]) throws(RequestError) {
    let cycle = query["cycle"] ?? ""
    switch name {
    case "": self = .page(.page)
    case "site.json": self = .site
    case "airports.json": self = .airports(cycle: cycle, try MapView(query), runways: query["runways"] == "1")
    case "dots.json": self = .dots(cycle: cycle)
    case "airport.json": self = .airport(cycle: cycle, icao: query["icao"] ?? "")
    case "airspace.json":
      let names = (query["classes"] ?? "").split(separator: ",").map(String.init)
      self = .airspace(
        cycle: cycle, try MapView(query),
        classes: AirspaceClass.allCases.filter { names.contains($0.rawValue) })
    case "search.json": self = .search(cycle: cycle, words: query["q"] ?? "")
    default: return nil
    }
  }
}

/// The values of `airspaces.class`. The first is drawn on top; the last is left out first where there are too many.
enum AirspaceClass: String, CaseIterable, Sendable {
  case bravo, charlie, delta, prohibited, restricted, warning, alert, moa, nationalSecurity, other, echo
}

extension TileID {
  /// Parses zoom, column and row; nil where they are not a tile.
  init?(_ texts: ArraySlice<String>) {
    let numbers = texts.compactMap { text in text.utf8.count <= 9 ? Int(text) : nil }
    guard numbers.count == 3, (0...24).contains(numbers[0]) else { return nil }
    let side = 0..<(1 << numbers[0])
    guard side.contains(numbers[1]), side.contains(numbers[2]) else { return nil }
    self.init(zoom: numbers[0], column: numbers[1], row: numbers[2])
  }
}

/// The part of the earth that the page shows, and the largest number of items to draw in it.
struct MapView: Equatable, Sendable {
  private static let mostItems = 1000

  /// One box, or two where the view crosses 180 degrees.
  let windows: [GeoBox]
  let limit: Int

  /// - Parameter query: with `box=west,south,east,north`. Longitudes may be far beyond 180, since the map can be dragged around
  ///   the earth.
  init(_ query: [String: String]) throws(RequestError) {
    let numbers = (query["box"] ?? "").split(separator: ",", omittingEmptySubsequences: false).compactMap {
      Double($0)
    }
    guard numbers.count == 4, numbers.allSatisfy({ abs($0) < 100_000 }), numbers[0] <= numbers[2],
      numbers[1] <= numbers[3]
    else { throw RequestError(.badRequest, "the box should be west,south,east,north") }
    let limit = query["limit"] ?? "300"
    guard let count = Int(limit), (1...MapView.mostItems).contains(count) else {
      throw RequestError(.badRequest, "the limit should be a number from 1 to \(MapView.mostItems)")
    }
    self.limit = count
    windows = MapView.turned(numbers).windows
  }

  /// Returns the box with its west between -180 and 180.
  private static func turned(_ numbers: [Double]) -> GeoBox {
    let width = numbers[2] - numbers[0]
    guard width < 360 else { return GeoBox(west: -180, south: numbers[1], east: 180, north: numbers[3]) }
    let west = numbers[0] - ((numbers[0] + 180) / 360).rounded(.down) * 360
    return GeoBox(west: west, south: numbers[1], east: west + width, north: numbers[3])
  }
}
