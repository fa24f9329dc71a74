internal import Core
internal import Foundation
internal import ImageIO
internal import SQLiteIO

/// Compares the airports printed on each chart, or its navaids and fixes, with those of the cycle's database: two FAA products
/// with independent origins.
struct PlaceAirports: Rule {
  let name = "place-airports"
  let protects = "An airport's or a navaid's symbol on the chart and its place in the database agree."

  /// Pixels of the largest zoom that make a warning, and an error.
  private static let oddity = 2.0
  private static let limit = 6.0
  /// The error that runways in place of a disc, and letters beside it, can add among few airports.
  private static func slack(_ airports: Int) -> Double { 12 / Double(airports) }
  private static let fewest = 6
  /// More airports add no precision.
  private static let most = 400
  /// The radius of a symbol in pixels of the sheet, and its least radius in pixels of the tiles.
  private static let radius = 11.0
  private static let leastRadius = 4
  /// How far from an airport its symbol is searched for, in pixels of the sheet, and at most in pixels of the tiles.
  private static let sheetReach = 64.0
  private static let mostReach = 160

  func check(_ cycle: CycleUnderTest) throws -> RuleResult {
    // A database that cannot be read is reported by its own rules.
    let database = cycle.all.first { $0.product.hasAirports }?.file(role: .database)
    let kinds = Set(cycle.products.flatMap(\.product.symbols))
    guard let places = database.flatMap({ try? PlaceAirports.places(kinds, in: $0) }) else {
      return cycle.products.filter { $0.product.control != nil }.reduce(into: RuleResult()) {
        $0 += RuleResult(
          missing: .airports, of: $1, "no aviation database of the cycle was validated with it")
      }
    }
    return try cycle.products.reduce(into: RuleResult()) { result, subject in
      result += try self.result(of: subject, subject.product.symbols.flatMap { places[$0] ?? [] })
    }
  }

  /// Returns the severity of a distance in pixels; nil for a small one. No real enroute chart was compared yet, and names beside
  /// their symbols pull the middle of the ink by some pixels: there a large distance is neither an error nor evidence.
  static func severity(of excess: Double, isEnroute: Bool) -> Finding.Severity? {
    guard excess > (isEnroute ? limit : oddity) else { return nil }
    return excess > limit && !isEnroute ? .error : .warning
  }

  private func result(
    of subject: ProductUnderTest, drawnAt center: (x: Double, y: Double), _ count: Int, _ strays: [Stray]
  ) -> RuleResult {
    let distance = hypot(center.x, center.y)
    let (names, isEnroute) = (subject.product.symbols.names, subject.product.isEnroute)
    let severity = PlaceAirports.severity(of: distance - PlaceAirports.slack(count), isEnroute: isEnroute)
    let findings = [severity].compactMap(\.self).map {
      finding(
        $0, subject, "",
        "its \(names) are drawn \(offsetText(center.x, center.y)) of where the database has them; check which of the two is right"
      )
    }
    if isEnroute, !findings.isEmpty {
      var result = RuleResult(missing: .airports, of: subject, "the printed \(names) are not in their places")
      result.findings = findings
      return result
    }
    let facts = ProductFacts(
      airports: .init(points: count, median: distance.hundredths, worst: distance.hundredths))
    return RuleResult(findings + displaced(strays, subject), facts: [subject.product.id: facts])
  }

  /// Reports airports that are drawn elsewhere although the others are in their places. One may be a mistake of this search, but two
  /// with the same shift show that a part of the sheet is displaced.
  private func displaced(_ strays: [Stray], _ subject: ProductUnderTest) -> [Finding] {
    guard let first = strays.first else { return [] }
    let isShared = strays.enumerated().contains { number, stray in
      strays.dropFirst(number + 1).contains { hypot($0.x - stray.x, $0.y - stray.y) <= PlaceAirports.limit }
    }
    return [
      finding(
        isShared ? .error : .warning, subject, "",
        "\(first.name) is drawn \(offsetText(first.x, first.y)) of where the database has it\(strays.count > 1 ? ", the first of \(strays.count) such airports" : "")"
          + "; compare the chart around it with another map")
    ]
  }

  private typealias Stray = (name: String, x: Double, y: Double)

  private struct PlacedSymbol {
    let name: String
    let place: GeoPoint
    /// Whether every chart of its region shows it.
    let isCharted: Bool
    /// Whether its symbol is a disc: a hard runway of 1,500 to 8,069 feet. Longer ones are drawn as they lie, softer ones as a ring.
    let isDisc: Bool
  }

  private static func places(
    _ kinds: Set<Product.Symbol>, in database: URL
  ) throws -> [Product.Symbol: [PlacedSymbol]] {
    let connection = try SQLiteConnection(database.path, mode: .readOnly)
    return try Dictionary(
      uniqueKeysWithValues: kinds.map { kind in
        let places = try connection.prepare(query(of: kind)).map {
          PlacedSymbol(
            name: $0.text(2) ?? "a symbol", place: GeoPoint(longitude: $0.double(0), latitude: $0.double(1)),
            isCharted: $0.int(3) == 1, isDisc: $0.int(4) == 1)
        }
        return (kind, places)
      })
  }

  /// Longitude, latitude, a name, and whether a symbol is charted and a disc.
  private static func query(of kind: Product.Symbol) -> String {
    switch kind {
    case .airports:
      """
      SELECT longitude, latitude, icao, type = 'airport' AND use = 'public' AND status = 'operational',
        coalesce((SELECT max(length) FROM runways r WHERE r.airport = airports.icao
          AND (surface LIKE 'asphalt%' OR surface LIKE 'concrete%')) BETWEEN 1500 AND 8069, 0)
      FROM airports ORDER BY icao
      """
    case .navaids: "SELECT longitude, latitude, identifier, type LIKE 'VOR%', 0 FROM navaids ORDER BY id"
    case .fixes:
      """
      SELECT longitude, latitude, identifier, coalesce(charts LIKE '%ENROUTE%' OR charts LIKE '%AREA%', 0), 0
      FROM fixes ORDER BY id
      """
    }
  }

  private func result(of subject: ProductUnderTest, _ airports: [PlacedSymbol]) throws -> RuleResult {
    let names = subject.product.symbols.names
    let isEnroute = subject.product.isEnroute
    func missing(_ reason: String) -> RuleResult { RuleResult(missing: .airports, of: subject, reason) }
    guard let control = subject.product.control, let zoom = subject.product.maxZoom, (0...24).contains(zoom),
      let box = subject.product.boundingBox, let archive = subject.tiles,
      let neatline = try MercatorNeatline(metadata: archive.metadata())
    else { return RuleResult() }
    let painter = try TilePainter(archive)
    let grid = PixelGrid(zoom: zoom, tileSize: painter.tileSize)
    let near = airports.filter { box.contains($0.place) }
    guard let first = near.first(where: \.isCharted), let map = SheetMap(control, on: grid) else {
      return missing("none of the database's \(names) lies on it")
    }
    let scale = map.scale(at: map.sheet(grid.place(first.place.mercator)))
    guard scale.isFinite, scale > 0.1, let radius = radius(scale) else {
      return missing("its largest zoom is too coarse to distinguish \(names) from other print")
    }
    let reach = min(Int(PlaceAirports.sheetReach / scale), PlaceAirports.mostReach) + radius
    let views = near.filter(\.isCharted).compactMap { airport in
      view(around: airport.place, reach, grid, neatline).map { (airport: airport, box: $0) }
    }
    guard views.count >= PlaceAirports.fewest else {
      return missing(
        "\(views.isEmpty ? "none" : "only \(views.count)") of the database's \(names) \(views.count == 1 ? "lies" : "lie") well within it"
      )
    }
    var stack = SymbolStack(reach: reach)
    var strays: [Stray] = []
    let places = near.map { grid.place($0.place.mercator) }
    for (airport, box) in views.spread(PlaceAirports.most) {
      try CancellationToken.current.check()
      let ink = SymbolInk(try painter.picture(zoom: zoom, box), reach: reach, ofAnyColor: isEnroute)
      stack.add(ink)
      guard airport.isDisc else { continue }
      let own = grid.place(airport.place.mercator)
      let others = places.map { (x: $0.x - own.x, y: $0.y - own.y) }
        .filter { hypot($0.x, $0.y) > 1 && max(abs($0.x), abs($0.y)) <= Double(reach + 3 * radius) }
      ink.stray(radius: radius, others: others).map {
        strays.append((airport.name, $0.x, $0.y))
      }
    }
    if let center = stack.center(radius: radius) {
      return result(of: subject, drawnAt: center, stack.count, strays)
    }
    var result = missing("the printed \(names) do not stand out")
    result.findings = [
      finding(
        .warning, subject, "",
        "nothing stands out where the database has \(stack.count) \(names); compare the chart with another map"
      )
    ]
    return result
  }

  /// The square around an airport; nil where it reaches beyond the neatline.
  private func view(
    around airport: GeoPoint, _ reach: Int, _ grid: PixelGrid, _ neatline: MercatorNeatline
  ) -> PixelBox? {
    let view = grid.box(around: airport.mercator, side: 2 * reach + 1)
    return neatline.relation(to: grid.area(view)) == .inside ? view : nil
  }

  /// The radius of a symbol in pixels of the tiles; nil where symbols are too small to distinguish from other print.
  private func radius(_ scale: Double) -> Int? {
    let radius = min(Int(PlaceAirports.radius / scale), PlaceAirports.mostReach / 3)
    return radius >= PlaceAirports.leastRadius ? radius : nil
  }

}
