internal import Core
internal import Foundation
internal import ImageIO
internal import Pipeline
internal import SQLiteIO
internal import TileArchive

/// Compares the airports printed on each chart with those of the cycle's database: two FAA products with independent origins.
struct PlaceAirports: Rule {
  let name = "place-airports"
  let protects = "An airport's symbol on the chart and its place in the database agree."

  /// Pixels of the largest zoom that make a warning, and an error.
  private static let oddity = 2.0
  private static let limit = 6.0
  /// The error that runways in place of a disc, and letters beside it, can add among few airports.
  private static func slack(_ airports: Int) -> Double { 12 / Double(airports) }
  private static let fewest = 6
  /// More airports add no precision.
  private static let most = 100
  /// The radius of a symbol in pixels of the sheet, and its least radius in pixels of the tiles.
  private static let radius = 11.0
  private static let leastRadius = 4
  /// How far from an airport its symbol is searched for, in pixels of the sheet, and at most in pixels of the tiles.
  private static let sheetReach = 64.0
  private static let mostReach = 160

  func check(_ cycle: CycleUnderTest) throws -> RuleResult {
    // A database that cannot be read is reported by its own rules.
    let database = cycle.all.first { $0.product.hasAirports }?.file(role: "database")
    guard let airports = database.flatMap({ try? PlaceAirports.airports($0) }) else {
      return cycle.products.filter { $0.product.control != nil }.reduce(into: RuleResult()) {
        $0 += RuleResult(
          missing: .airports, of: $1, "no aviation database of the cycle was validated with it")
      }
    }
    return try cycle.products.reduce(into: RuleResult()) { $0 += try result(of: $1, airports) }
  }

  private func result(of subject: ProductUnderTest, _ airports: [GeoPoint]) throws -> RuleResult {
    switch try measure(subject, airports) {
    case .notAChart: return RuleResult()
    case .missing(let reason): return RuleResult(missing: .airports, of: subject, reason)
    case .found(let center, let count):
      let distance = hypot(center.x, center.y)
      var facts = ProductFacts()
      facts.airports = .init(points: count, median: distance.hundredths, worst: distance.hundredths)
      let excess = distance - PlaceAirports.slack(count)
      let findings =
        excess <= PlaceAirports.oddity
        ? []
        : [
          finding(
            excess > PlaceAirports.limit ? .error : .warning, subject, "",
            "its airports are drawn \(center.x.hundredths) pixels east and \(center.y.hundredths) pixels south of where "
              + "the database has them; check which of the two is right")
        ]
      return RuleResult(findings, facts: [subject.product.id: facts])
    }
  }

  private enum Measurement {
    /// A database, or a chart that was not made from a single sheet.
    case notAChart
    case missing(String)
    case found(center: (x: Double, y: Double), count: Int)
  }

  /// The airports that every chart of their region shows.
  private static func airports(_ database: URL) throws -> [GeoPoint] {
    let connection = try SQLiteConnection(database.path, mode: .readOnly)
    return try connection.prepare(
      """
      SELECT longitude, latitude FROM airports WHERE type = 'airport' AND use = 'public' AND status = 'operational'
      ORDER BY icao
      """
    ).map { GeoPoint(longitude: $0.double(0), latitude: $0.double(1)) }
  }

  private func measure(_ subject: ProductUnderTest, _ airports: [GeoPoint]) throws -> Measurement {
    guard let control = subject.product.control, let zoom = subject.product.maxZoom, (0...24).contains(zoom),
      let box = subject.product.boundingBox, let archive = subject.tiles,
      let neatline = try archive.metadata()["chartpipe:neatline"].flatMap({ MercatorNeatline(geoJSON: $0) })
    else { return .notAChart }
    let painter = try TilePainter(archive)
    let grid = PixelGrid(zoom: zoom, tileSize: painter.tileSize)
    let near = airports.filter(box.contains)
    guard let first = near.first, let map = SheetMap(control, on: grid) else {
      return .missing("no airport of the database lies on it")
    }
    let place = grid.place(WebMercator.project(first))
    let scale = map.scale(at: map.sheet(PlanePoint(x: place.x, y: place.y)))
    guard scale.isFinite, scale > 0.1, let radius = radius(scale) else {
      return .missing("its largest zoom is too coarse to distinguish airports from other print")
    }
    let reach = min(Int(PlaceAirports.sheetReach / scale), PlaceAirports.mostReach) + radius
    let views = near.compactMap { view(around: $0, reach, grid, neatline) }
    guard views.count >= PlaceAirports.fewest else {
      return .missing(
        "only \(Counts.of(views.count, "airport")) of the database \(views.count == 1 ? "lies" : "lie") well within it"
      )
    }
    var stack = AirportStack(reach: reach)
    for view in spread(views) {
      try CancellationToken.current.check()
      stack.add(try painter.picture(zoom: zoom, view))
    }
    return stack.center(radius: radius).map { .found(center: $0, count: stack.count) }
      ?? .missing("the printed airports do not stand out")
  }

  /// The square around an airport; nil where it reaches beyond the neatline.
  private func view(
    around airport: GeoPoint, _ reach: Int, _ grid: PixelGrid, _ neatline: MercatorNeatline
  ) -> PixelBox? {
    let view = grid.box(around: WebMercator.project(airport), side: 2 * reach + 1)
    return neatline.relation(to: grid.area(view)) == .inside ? view : nil
  }

  /// The radius of a symbol in pixels of the tiles; nil where symbols are too small to distinguish from other print.
  private func radius(_ scale: Double) -> Int? {
    let radius = min(Int(PlaceAirports.radius / scale), PlaceAirports.mostReach / 3)
    return radius >= PlaceAirports.leastRadius ? radius : nil
  }

  private func spread(_ views: [PixelBox]) -> [PixelBox] {
    let count = min(views.count, PlaceAirports.most)
    return (0..<count).map { views[$0 * views.count / count] }
  }
}

/// The sum of the surroundings of many airports: other print averages out, and the symbols remain.
struct AirportStack {
  /// The sum of blue and magenta ink, up to 1 for each airport, in a square around the airports.
  private var ink: [Double]
  private(set) var count = 0
  /// Pixels to each side of an airport.
  private let reach: Int
  private var side: Int { 2 * reach + 1 }

  /// Of 255. Water and the tints of land have less than `tint`; the inks of symbols exceed it by `full`.
  private static let tint = 20.0
  private static let full = 40.0
  /// The least ink in the symbols' square: that of one airport in seven, and half more than at any other place.
  private static let leastInk = 0.15
  private static let leastLead = 1.5

  init(reach: Int) {
    self.reach = reach
    ink = [Double](repeating: 0, count: (2 * reach + 1) * (2 * reach + 1))
  }

  /// - Parameter view: a square of `reach` pixels to each side around an airport.
  mutating func add(_ view: RGBAImage) {
    let pixels = view.pixels
    for index in ink.indices {
      let (green, blue) = (Double(pixels[index * 4 + 1]), Double(pixels[index * 4 + 2]))
      ink[index] += min(max((blue - green - AirportStack.tint) / AirportStack.full, 0), 1)
    }
    count += 1
  }

  /// Returns the common centre of the symbols, eastward and southward; nil where they are not prominent.
  ///
  /// - Parameter radius: the radius of a symbol, in pixels.
  func center(radius: Int) -> (x: Double, y: Double)? {
    let side = side
    let squares = squares(radius)
    guard let best = squares.max(by: { $0.ink < $1.ink }) else { return nil }
    let ground = squares.map(\.ink).median
    let other =
      squares.filter { max(abs($0.column - best.column), abs($0.row - best.row)) > 3 * radius }
      .map(\.ink).max() ?? ground
    guard best.ink - ground > AirportStack.leastInk,
      best.ink - ground > AirportStack.leastLead * (other - ground)
    else { return nil }
    var (weight, x, y) = (0.0, 0.0, 0.0)
    for row in best.row - radius...best.row + radius {
      for column in best.column - radius...best.column + radius {
        let own = max(0, ink[row * side + column] / Double(count) - ground)
        (weight, x, y) = (weight + own, x + own * Double(column), y + own * Double(row))
      }
    }
    guard weight > 0 else { return nil }
    let middle = Double(reach)
    return (x / weight - middle, y / weight - middle)
  }

  /// Returns the mean ink of all squares with this half side.
  private func squares(_ radius: Int) -> [(column: Int, row: Int, ink: Double)] {
    let side = side
    var sums = [Double](repeating: 0, count: (side + 1) * (side + 1))
    for row in 0..<side {
      var line = 0.0
      for column in 0..<side {
        line += ink[row * side + column]
        sums[(row + 1) * (side + 1) + column + 1] = sums[row * (side + 1) + column + 1] + line
      }
    }
    let area = Double((2 * radius + 1) * (2 * radius + 1) * count)
    let places = radius..<side - radius
    return places.flatMap { row in
      places.map { column in
        let (top, bottom) = ((row - radius) * (side + 1), (row + radius + 1) * (side + 1))
        let (left, right) = (column - radius, column + radius + 1)
        let sum = sums[bottom + right] - sums[bottom + left] - sums[top + right] + sums[top + left]
        return (column, row, sum / area)
      }
    }
  }
}
