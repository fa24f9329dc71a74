internal import Geo
internal import TileArchive

/// Looks for the printed graticule where the earth has it. In Web Mercator meridians and parallels are columns and rows, so
/// the darkness along all of them can be laid on top of each other: what is printed beside them fades, and they stay.
struct GraticuleSurvey {
  /// How far the printed lines lie from the true ones, in pixels, eastward and southward.
  struct Offset {
    let x: Double
    let y: Double
    /// Places along the lines that were looked at.
    let stations: Int
  }

  private let painter: TilePainter
  private let grid: PixelGrid
  private let neatline: Neatline

  /// Degrees between lines, and between the places along a line that are looked at, which lie off the crossings.
  private static let step = 0.5
  private static let stationStep = 0.1
  /// Pixels to each side of a station.
  private static let reach = 64
  /// As many tell all that more could.
  private static let most = 32
  private static let fewest = 4

  init(_ archive: any TileSource, _ neatline: Neatline, zoom: Int) throws {
    painter = try TilePainter(archive)
    grid = PixelGrid(zoom: zoom, tileSize: painter.tileSize)
    self.neatline = neatline
  }

  /// Nil where no lines stand out, one way or the other.
  func offset(in box: GeoBox) throws -> Offset? {
    let latitudes = GraticuleSurvey.stations(box.south, box.north)
    let longitudes = GraticuleSurvey.stations(box.west, box.east)
    let onMeridians = GraticuleSurvey.lines(box.west, box.east).flatMap { longitude in
      latitudes.map { GeoPoint(longitude: longitude, latitude: $0) }
    }
    let onParallels = GraticuleSurvey.lines(box.south, box.north).flatMap { latitude in
      longitudes.map { GeoPoint(longitude: $0, latitude: latitude) }
    }
    let (upright, level) = (inside(onMeridians), inside(onParallels))
    guard min(upright.count, level.count) >= GraticuleSurvey.fewest,
      let x = try profile(upright, isUpright: true).peak, let y = try profile(level, isUpright: false).peak
    else { return nil }
    return Offset(x: x, y: y, stations: upright.count + level.count)
  }

  /// Those around which all is map, in metres of Web Mercator; some from all over the chart, where there are many.
  private func inside(_ places: [GeoPoint]) -> [(x: Double, y: Double)] {
    let all = places.map(WebMercator.project).filter {
      neatline.relation(to: grid.area(grid.box(around: $0, side: 2 * GraticuleSurvey.reach))) == .inside
    }
    let count = min(all.count, GraticuleSurvey.most)
    return (0..<count).map { all[$0 * all.count / count] }
  }

  private func profile(_ stations: [(x: Double, y: Double)], isUpright: Bool) throws -> LineProfile {
    var profile = LineProfile()
    for station in stations {
      try Task.checkCancellation()
      let box = grid.box(around: station, side: 2 * GraticuleSurvey.reach)
      let view = PieceView(try painter.picture(zoom: grid.zoom, box), box: box)
      let place = grid.place(station)
      let at = isUpright ? place.x - Double(box.column) : place.y - Double(box.row)
      profile.add(view, at: at, isUpright: isUpright)
    }
    return profile
  }

  private static func lines(_ low: Double, _ high: Double) -> [Double] { multiples(low, high, step, 0) }
  private static func stations(_ low: Double, _ high: Double) -> [Double] {
    multiples(low, high, stationStep, stationStep / 2)
  }

  private static func multiples(_ low: Double, _ high: Double, _ step: Double, _ offset: Double) -> [Double] {
    let first = Int(((low - offset) / step).rounded(.up))
    let last = Int(((high - offset) / step).rounded(.down))
    return first <= last ? (first...last).map { Double($0) * step + offset } : []
  }
}

/// The darkness across many lines, as it is in the mean at each whole pixel from where they should be.
private struct LineProfile {
  private var sums = [Double](repeating: 0, count: 2 * LineProfile.reach + 1)
  private var count = 0.0

  private static let reach = 12
  /// Of 255: a line that is fainter, or that stands out less from what lies beside it, may be none.
  private static let leastDarkness = 10.0
  private static let leastStanding = 5.0

  /// - Parameter place: of the line, counted from the view's left or upper side.
  mutating func add(_ view: PieceView, at place: Double, isUpright: Bool) {
    let (along, across) = isUpright ? (view.box.width, 1) : (1, view.box.width)
    for line in 0..<(isUpright ? view.box.height : view.box.width) {
      for offset in -LineProfile.reach...LineProfile.reach {
        let at = place + Double(offset) - 0.5
        let first = Int(at.rounded(.down))
        let share = at - Double(first)
        let index = line * along + first * across
        sums[offset + LineProfile.reach] -=
          view.light[index] * (1 - share) + view.light[index + across] * share
      }
      count += 1
    }
  }

  /// Where the lines are, if they stand out.
  var peak: Double? {
    guard count > 0 else { return nil }
    let values = sums.map { $0 / count }
    let best = values.indices.max { values[$0] < values[$1] } ?? 0
    guard (1..<values.count - 1).contains(best) else { return nil }
    let beside = values.indices.filter { abs($0 - best) > 3 }.map { values[$0] }
    let ground = beside.median
    let noise = beside.map { abs($0 - ground) }.median
    let height = values[best] - ground
    guard height > LineProfile.leastDarkness, height > LineProfile.leastStanding * noise else { return nil }
    let fall = 2 * values[best] - values[best - 1] - values[best + 1]
    return Double(best - LineProfile.reach) + (values[best + 1] - values[best - 1]) / (2 * fall)
  }
}
