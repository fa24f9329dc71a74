internal import Foundation
internal import Geo
internal import Pipeline
internal import SQLiteIO
internal import TileArchive

/// The airports that each chart shows against the airports of the cycle's database: two of the FAA's products that were made
/// on different ways.
struct PlaceAirports: CycleRule {
  let name = "place-airports"
  let protects = "An airport's symbol on the chart and its place in the database are one."

  /// Pixels of the largest zoom: what a person should look at, and what can be no matter of drawing.
  private static let oddity = 2.0
  private static let limit = 6.0
  /// What the runways that are drawn in place of a disc, and the lettering beside it, may add among so few.
  private static func slack(_ airports: Int) -> Double { 12 / Double(airports) }
  private static let fewest = 6
  /// As many tell all that more could.
  private static let most = 100
  /// Of a symbol, in pixels of the sheet, and what it must have of the tiles'.
  private static let radius = 11.0
  private static let leastRadius = 4

  func check(_ cycle: CycleUnderTest) throws -> [Finding] {
    // A database that cannot be asked is told by its own rules.
    guard let database = cycle.all.first(where: { $0.product.kind == .database })?.file(role: "database"),
      let airports = try? PlaceAirports.airports(database)
    else { return [] }
    return try cycle.products.flatMap { subject -> [Finding] in
      guard let (center, count) = try center(subject, airports) else { return [] }
      let distance = hypot(center.x, center.y)
      cycle.note(subject) {
        $0.airports = .init(points: count, median: distance.hundredths, worst: distance.hundredths)
      }
      let excess = distance - PlaceAirports.slack(count)
      guard excess > PlaceAirports.oddity else { return [] }
      return [
        finding(
          excess > PlaceAirports.limit ? .error : .warning, subject, "",
          "its airports are drawn \(center.x.hundredths) pixels east and \(center.y.hundredths) pixels south of where "
            + "the database has them; look which of the two is right")
      ]
    }
  }

  /// Those that every chart of their region shows.
  private static func airports(_ database: URL) throws -> [GeoPoint] {
    let connection = try SQLiteConnection(database.path, mode: .readOnly)
    return try connection.prepare(
      """
      SELECT longitude, latitude FROM airports WHERE type = 'airport' AND use = 'public' AND status = 'operational'
      ORDER BY icao
      """
    ).map { GeoPoint(longitude: $0.double(0), latitude: $0.double(1)) }
  }

  /// Nil where the chart shows too few of them, or none that can be told from what lies around.
  private func center(
    _ subject: ProductUnderTest, _ airports: [GeoPoint]
  ) throws -> (center: (x: Double, y: Double), count: Int)? {
    guard let control = subject.product.control, let zoom = subject.product.maxZoom, (0...24).contains(zoom),
      let box = subject.product.boundingBox, let archive = subject.tiles,
      let neatline = try archive.metadata()["chartpipe:neatline"].flatMap({ Neatline(geoJSON: $0) })
    else { return nil }
    let painter = try TilePainter(archive)
    let grid = PixelGrid(zoom: zoom, tileSize: painter.tileSize)
    let views = airports.filter(box.contains).compactMap { view(around: $0, grid, neatline) }
    guard views.count >= PlaceAirports.fewest, let radius = radius(SheetMap(control, on: grid), views[0])
    else { return nil }
    var stack = AirportStack()
    for view in spread(views) {
      try Task.checkCancellation()
      stack.add(try painter.picture(zoom: zoom, view))
    }
    return stack.center(radius: radius).map { ($0, stack.count) }
  }

  /// Nil where not all around it is map.
  private func view(around airport: GeoPoint, _ grid: PixelGrid, _ neatline: Neatline) -> PixelBox? {
    let view = grid.box(around: WebMercator.project(airport), side: AirportStack.side)
    return neatline.relation(to: grid.area(view)) == .inside ? view : nil
  }

  /// Of a symbol, in the tiles' pixels; nil where that is too small to be told from other print.
  private func radius(_ map: SheetMap?, _ view: PixelBox) -> Int? {
    guard let map else { return nil }
    let scale = map.scale(at: map.sheet(PlanePoint(x: Double(view.column), y: Double(view.row))))
    guard scale.isFinite, scale > 0.1 else { return nil }
    let radius = min(Int(PlaceAirports.radius / scale), AirportStack.reach / 3)
    return radius >= PlaceAirports.leastRadius ? radius : nil
  }

  private func spread(_ views: [PixelBox]) -> [PixelBox] {
    let count = min(views.count, PlaceAirports.most)
    return (0..<count).map { views[$0 * views.count / count] }
  }
}
