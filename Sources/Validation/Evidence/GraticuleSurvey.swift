internal import Core
internal import ImageIO

/// Searches for the printed graticule around its true place. In Web Mercator meridians and parallels are columns and rows.
struct GraticuleSurvey {
  /// The measured offset of the lines of one direction.
  struct Reading: Equatable {
    /// Pixels of the zoom, eastward or southward.
    let offset: Double
    /// The number of places along the lines where they were found.
    let stations: Int
  }

  /// The readings in one ninth of the chart, or in all of it.
  struct Area {
    /// `in the north-west`; nil for the whole chart.
    let name: String?
    /// The readings of meridians, and of parallels; nil where no lines stand out.
    let x: Reading?
    let y: Reading?
    /// Whether so few meridians, or parallels, cross the chart that none can stand out.
    var lacks: (x: Bool, y: Bool) = (false, false)
  }

  private let painter: TilePainter
  private let grid: PixelGrid
  private let neatline: MercatorNeatline
  private let box: GeoBox
  /// Pixels searched on each side of a line, and from the middle of a line to the ground beside it.
  private let reach: Int
  private let flank: Int

  /// Degrees between lines. Other charts have closer lines, or lines twice as far apart, of which half are not found.
  private static let step = 0.5
  /// Pixels of the sheet searched on each side of a line.
  private static let sheetReach = 64.0
  /// With a smaller reach a shift by a few pixels could be confused with the next line.
  private static let leastReach = 12
  /// Pixels of a line that make up a station, and from one to the next.
  private static let length = 64
  private static let gap = 96
  /// With fewer stations no lines stand out.
  private static let fewest = 4
  /// The most stations of each direction in a ninth of the chart; more add no precision.
  private static let most = 8

  /// Nil for a chart whose largest zoom is too coarse to distinguish its lines.
  ///
  /// - Parameter scale: pixels of the zoom for one of the sheet.
  init?(_ archive: any TileSource, _ neatline: MercatorNeatline, box: GeoBox, zoom: Int, scale: Double) throws
  {
    painter = try TilePainter(archive)
    grid = PixelGrid(zoom: zoom, tileSize: painter.tileSize)
    (self.neatline, self.box) = (neatline, box)
    let spacing = grid.worldSize / 360 * GraticuleSurvey.step
    flank = max(3, Int((2.5 * scale).rounded(.up)))
    reach = min(Int((GraticuleSurvey.sheetReach * scale).rounded(.up)) + 2, Int(spacing / 2) - flank - 2)
    guard reach >= GraticuleSurvey.leastReach else { return nil }
  }

  /// Returns the whole chart, then its ninths, then its corners, extrapolated from the ninths.
  func areas() throws -> [Area] {
    let upright = try profiles(isUpright: true)
    let level = try profiles(isUpright: false)
    let whole = Area(
      name: nil, x: reading(upright.flatMap(\.self), isPart: false),
      y: reading(level.flatMap(\.self), isPart: false),
      lacks: (
        upright.joined().count < GraticuleSurvey.fewest, level.joined().count < GraticuleSurvey.fewest
      ))
    let ninths = GraticuleSurvey.names.indices.map { number in
      Area(
        name: "in the \(GraticuleSurvey.names[number])", x: reading(upright[number], isPart: true),
        y: reading(level[number], isPart: true))
    }
    return [whole] + ninths + corners(ninths)
  }

  /// A wrong scale or projection moves the corners most, which have few lines.
  private func corners(_ ninths: [Area]) -> [Area] {
    let (x, y) = (Self.trend(ninths.map(\.x)), Self.trend(ninths.map(\.y)))
    return [
      ("north-western", -1.0, -1.0), ("north-eastern", 1, -1), ("south-western", -1, 1),
      ("south-eastern", 1, 1),
    ]
    .map { name, east, south in
      Area(name: "in its \(name) corner", x: x?(east, south), y: y?(east, south))
    }
  }

  private static let names = [
    "north-west", "north", "north-east", "west", "middle", "east", "south-west", "south", "south-east",
  ]

  private func reading(_ profiles: [LineProfile], isPart: Bool) -> Reading? {
    Self.peak(of: profiles, share: isPart ? 0.4 : 0.2, lead: isPart ? 2 : 1.6)
  }

  /// The profiles at the stations of each ninth.
  private func profiles(isUpright: Bool) throws -> [[LineProfile]] {
    try stations(isUpright: isUpright).map { stations in
      try stations.filter { neatline.relation(to: grid.area(view($0, isUpright))) == .inside }
        .spread(GraticuleSurvey.most).map {
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

  private func view(_ station: PlanePoint, _ isUpright: Bool) -> PixelBox {
    let place = grid.place(station)
    let (across, along) = (reach + flank + 1, GraticuleSurvey.length / 2)
    let (width, height) = isUpright ? (across, along) : (along, across)
    return PixelBox(
      column: Int(place.x.rounded(.down)) - width, row: Int(place.y.rounded(.down)) - height,
      width: 2 * width + 1, height: 2 * height + 1)
  }

  /// Returns the stations of each ninth of the chart, in metres of Web Mercator.
  private func stations(isUpright: Bool) -> [[PlanePoint]] {
    let (northWest, southEast) = grid.corners(of: box)
    let meridians = lines(box.west, box.east).map {
      grid.place(GeoPoint(longitude: $0, latitude: box.south).mercator).x
    }
    let parallels = lines(box.south, box.north).map {
      grid.place(GeoPoint(longitude: box.west, latitude: $0).mercator).y
    }
    let (own, crossing) = isUpright ? (meridians, parallels) : (parallels, meridians)
    let range = isUpright ? (northWest.y, southEast.y) : (northWest.x, southEast.x)
    let alongs = between(crossing, range.0, range.1)
    var ninths = [[PlanePoint]](repeating: [], count: 9)
    func third(_ value: Double, _ low: Double, _ high: Double) -> Int {
      min(2, max(0, Int(3 * (value - low) / (high - low))))
    }
    for line in own {
      for along in alongs {
        var place = isUpright ? PlanePoint(x: line, y: along) : PlanePoint(x: along, y: line)
        let ninth =
          third(place.y, northWest.y, southEast.y) * 3 + third(place.x, northWest.x, southEast.x)
        // A chart across 180 degrees continues at the other end of the world.
        if place.x >= grid.worldSize { place.x -= grid.worldSize }
        ninths[ninth].append(grid.metres(place))
      }
    }
    return ninths
  }

  /// Returns places along a line away from its crossings.
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

extension GraticuleSurvey {
  /// Fewer ninths do not show a trend.
  private static let fewestNinths = 5

  /// Returns how the graticule's offset changes over a chart, which extends from -1 to 1: a plane through the offsets of its
  /// ninths, by least squares.
  ///
  /// - Parameter ninths: row by row from the north-west; nil where no lines were found.
  static func trend(_ ninths: [Reading?]) -> ((_ east: Double, _ south: Double) -> Reading)? {
    let points = ninths.enumerated().compactMap { number, reading in
      reading.map {
        (east: Double(number % 3 - 1) * 2 / 3, south: Double(number / 3 - 1) * 2 / 3, reading: $0)
      }
    }
    guard points.count >= fewestNinths else { return nil }
    func mean(_ value: (Double, Double, Double) -> Double) -> Double {
      points.reduce(0) { $0 + value($1.east, $1.south, $1.reading.offset) } / Double(points.count)
    }
    let (east, south, offset) = (mean { x, _, _ in x }, mean { _, y, _ in y }, mean { _, _, o in o })
    let across = mean { x, _, _ in (x - east) * (x - east) }
    let down = mean { _, y, _ in (y - south) * (y - south) }
    let both = mean { x, y, _ in (x - east) * (y - south) }
    let alongEast = mean { x, _, o in (x - east) * (o - offset) }
    let alongSouth = mean { _, y, o in (y - south) * (o - offset) }
    let determinant = across * down - both * both
    guard determinant > 0.01 else { return nil }
    let perEast = (alongEast * down - alongSouth * both) / determinant
    let perSouth = (alongSouth * across - alongEast * both) / determinant
    let middle = offset - perEast * east - perSouth * south
    let stations = points.reduce(0) { $0 + $1.reading.stations }
    return { Reading(offset: middle + perEast * $0 + perSouth * $1, stations: stations) }
  }

  /// Adds the profiles of many stations. Other print differs between them, but the lines stay.
  ///
  /// - Parameters:
  ///   - share: the least sum of the strengths, as a share of all stations.
  ///   - lead: the least ratio to the sum at any other distance.
  static func peak(of profiles: [LineProfile], share: Double, lead: Double) -> Reading? {
    guard let first = profiles.first, profiles.count >= fewest else { return nil }
    let offsets = Array(-first.reach...first.reach)
    let sums = offsets.map { offset in profiles.reduce(0) { $0 + $1.strength(at: offset) } }
    guard let best = sums.indices.max(by: { sums[$0] < sums[$1] }) else { return nil }
    let rival = sums.indices.filter { abs($0 - best) > 2 * first.flank + 2 }.map { sums[$0] }.max() ?? 0
    // The median of the rows' lines, which letters on the line do not move.
    let middles = profiles.map { ($0.middles(near: offsets[best]), $0.fraction) }.filter { !$0.0.isEmpty }
      .map { $0.median + $1 }
    guard sums[best] >= share * Double(profiles.count), sums[best] >= lead * rival, middles.count >= fewest
    else { return nil }
    return Reading(offset: middles.median, stations: middles.count)
  }
}
