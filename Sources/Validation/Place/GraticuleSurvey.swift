internal import Core
internal import ImageIO
internal import TileArchive

/// Looks for the printed graticule where the earth has it, far to all sides. In Web Mercator meridians and parallels are
/// columns and rows.
struct GraticuleSurvey {
  /// What was found of the lines of one direction.
  struct Reading {
    /// Pixels of the zoom, eastward or southward.
    let offset: Double
    /// Places along the lines at which they were found.
    let stations: Int
  }

  /// The lines in one ninth of the chart, or in all of it.
  struct Area {
    /// `in the north-west`; nil for the whole chart.
    let name: String?
    /// From meridians, and from parallels; nil where no lines stand out.
    let x: Reading?
    let y: Reading?
  }

  private let painter: TilePainter
  private let grid: PixelGrid
  private let neatline: Neatline
  private let box: GeoBox
  /// Pixels to each side of a line, and from its middle to what lies beside it.
  private let reach: Int
  private let flank: Int

  /// Degrees between lines. Those of other charts are closer, or twice as far apart, and then half of them are looked for
  /// in vain.
  private static let step = 0.5
  /// Pixels of the sheet to each side among which the lines are looked for.
  private static let sheetReach = 64.0
  /// With less room a shift by a few pixels could not be told from the next line.
  private static let leastReach = 12
  /// Pixels of a line that make up a station, and from one to the next.
  private static let length = 64
  private static let gap = 96
  /// Stations of each direction in a ninth of the chart; as many tell all that more could.
  private static let most = 8

  /// Nil for a chart whose largest zoom is too coarse to tell its lines apart.
  ///
  /// - Parameter scale: pixels of the zoom for one of the sheet.
  init?(_ archive: any TileSource, _ neatline: Neatline, box: GeoBox, zoom: Int, scale: Double) throws {
    painter = try TilePainter(archive)
    grid = PixelGrid(zoom: zoom, tileSize: painter.tileSize)
    self.neatline = neatline
    self.box = box
    let spacing = grid.worldSize / 360 * GraticuleSurvey.step
    flank = max(3, Int((2.5 * scale).rounded(.up)))
    reach = min(Int((GraticuleSurvey.sheetReach * scale).rounded(.up)) + 2, Int(spacing / 2) - flank - 2)
    guard reach >= GraticuleSurvey.leastReach else { return nil }
  }

  /// The whole chart first, then its ninths, then its corners, to which the ninths are extended.
  func areas() throws -> [Area] {
    let upright = try profiles(isUpright: true)
    let level = try profiles(isUpright: false)
    let whole = Area(
      name: nil, x: reading(upright.flatMap(\.self), isPart: false),
      y: reading(level.flatMap(\.self), isPart: false))
    let ninths = GraticuleSurvey.names.indices.map { number in
      Area(
        name: "in the \(GraticuleSurvey.names[number])", x: reading(upright[number], isPart: true),
        y: reading(level[number], isPart: true))
    }
    return [whole] + ninths + corners(ninths)
  }

  /// A wrong scale or projection moves the corners most, where few lines are.
  private func corners(_ ninths: [Area]) -> [Area] {
    let (x, y) = (GraticuleTrend(ninths.map(\.x)), GraticuleTrend(ninths.map(\.y)))
    return [
      ("north-western", -1.0, -1.0), ("north-eastern", 1, -1), ("south-western", -1, 1),
      ("south-eastern", 1, 1),
    ]
    .map { name, east, south in
      Area(
        name: "in its \(name) corner", x: x?.reading(east: east, south: south),
        y: y?.reading(east: east, south: south))
    }
  }

  private static let names = [
    "north-west", "north", "north-east", "west", "middle", "east", "south-west", "south", "south-east",
  ]

  private func reading(_ profiles: [LineProfile], isPart: Bool) -> Reading? {
    let stack = LineStack(profiles: profiles, reach: reach, flank: flank)
    let peak =
      isPart
      ? stack.peak(fewest: 4, share: 0.4, lead: 2) : stack.peak(fewest: 4, share: 0.2, lead: 1.6)
    return peak.map { Reading(offset: $0.offset, stations: $0.stations) }
  }

  /// The profiles at the stations of each ninth.
  private func profiles(isUpright: Bool) throws -> [[LineProfile]] {
    try stations(isUpright: isUpright).map { stations in
      try spread(stations.filter { neatline.relation(to: grid.area(view($0, isUpright))) == .inside }).map {
        try CancellationToken.current.check()
        let view = view($0, isUpright)
        let place = grid.place($0)
        return LineProfile(
          try painter.picture(zoom: grid.zoom, view),
          line: isUpright ? place.x - Double(view.column) : place.y - Double(view.row),
          isUpright: isUpright, reach: reach, flank: flank)
      }
    }
  }

  private func view(_ station: (x: Double, y: Double), _ isUpright: Bool) -> PixelBox {
    let place = grid.place(station)
    let (across, along) = (reach + flank + 1, GraticuleSurvey.length / 2)
    let (width, height) = isUpright ? (across, along) : (along, across)
    return PixelBox(
      column: Int(place.x.rounded(.down)) - width, row: Int(place.y.rounded(.down)) - height,
      width: 2 * width + 1, height: 2 * height + 1)
  }

  private func spread<T>(_ all: [T]) -> [T] {
    let count = min(all.count, GraticuleSurvey.most)
    return (0..<count).map { all[$0 * all.count / count] }
  }

  /// Of each ninth of the chart, in metres of Web Mercator.
  private func stations(isUpright: Bool) -> [[(x: Double, y: Double)]] {
    let northWest = grid.place(WebMercator.project(GeoPoint(longitude: box.west, latitude: box.north)))
    let southEast = grid.place(WebMercator.project(GeoPoint(longitude: box.east, latitude: box.south)))
    let meridians = lines(box.west, box.east).map {
      grid.place(WebMercator.project(GeoPoint(longitude: $0, latitude: box.south))).x
    }
    let parallels = lines(box.south, box.north).map {
      grid.place(WebMercator.project(GeoPoint(longitude: box.west, latitude: $0))).y
    }
    let (own, crossing) = isUpright ? (meridians, parallels) : (parallels, meridians)
    let range = isUpright ? (northWest.y, southEast.y) : (northWest.x, southEast.x)
    let alongs = between(crossing, range.0, range.1)
    var ninths = [[(x: Double, y: Double)]](repeating: [], count: 9)
    func third(_ value: Double, _ low: Double, _ high: Double) -> Int {
      min(2, max(0, Int(3 * (value - low) / (high - low))))
    }
    for line in own {
      for along in alongs {
        let place = isUpright ? (x: line, y: along) : (x: along, y: line)
        let ninth =
          third(place.y, northWest.y, southEast.y) * 3 + third(place.x, northWest.x, southEast.x)
        // A chart across 180 degrees goes on at the other end of the world.
        ninths[ninth].append(
          grid.metres((place.x < grid.worldSize ? place.x : place.x - grid.worldSize, place.y)))
      }
    }
    return ninths
  }

  /// Places along a line that lie off its crossings.
  private func between(_ crossings: [Double], _ low: Double, _ high: Double) -> [Double] {
    let room = Double(GraticuleSurvey.length / 2 + flank + 8)
    let stops = [low] + crossings.sorted() + [high]
    return zip(stops, stops.dropFirst()).flatMap { from, to -> [Double] in
      let length = to - from - 2 * room
      guard length >= 0 else { return [] }
      let count = Int(length / Double(GraticuleSurvey.gap)) + 1
      return (0..<count).map { from + room + length * (Double($0) + 0.5) / Double(count) }
    }
  }

  private func lines(_ low: Double, _ high: Double) -> [Double] {
    let first = Int((low / GraticuleSurvey.step).rounded(.up))
    let last = Int((high / GraticuleSurvey.step).rounded(.down))
    return first <= last ? (first...last).map { Double($0) * GraticuleSurvey.step } : []
  }
}
