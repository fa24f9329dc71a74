internal import Core
internal import ImageIO

/// Searches for the printed graticule around its true place. In Web Mercator meridians and parallels are columns and rows.
struct GraticuleSurvey {
  /// The measured offset of the lines of one direction.
  struct Reading {
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
      ? stack.peak(fewest: GraticuleSurvey.fewest, share: 0.4, lead: 2)
      : stack.peak(fewest: GraticuleSurvey.fewest, share: 0.2, lead: 1.6)
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

  /// Returns the stations of each ninth of the chart, in metres of Web Mercator.
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
        // A chart across 180 degrees continues at the other end of the world.
        ninths[ninth].append(
          grid.metres((place.x < grid.worldSize ? place.x : place.x - grid.worldSize, place.y)))
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

/// How the graticule's offset changes over a chart: a plane through the offsets of its ninths, by least squares.
struct GraticuleTrend {
  private let middle: Double
  private let perEast: Double
  private let perSouth: Double
  private let stations: Int

  /// Fewer ninths do not show a trend.
  private static let fewest = 5

  /// - Parameter ninths: row by row from the north-west; nil where no lines were found.
  init?(_ ninths: [GraticuleSurvey.Reading?]) {
    // The centres of the ninths; the chart extends from -1 to 1.
    let points = ninths.enumerated().compactMap { number, reading in
      reading.map {
        (east: Double(number % 3 - 1) * 2 / 3, south: Double(number / 3 - 1) * 2 / 3, reading: $0)
      }
    }
    guard points.count >= GraticuleTrend.fewest else { return nil }
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
    perEast = (alongEast * down - alongSouth * both) / determinant
    perSouth = (alongSouth * across - alongEast * both) / determinant
    middle = offset - perEast * east - perSouth * south
    stations = points.reduce(0) { $0 + $1.reading.stations }
  }

  func reading(east: Double, south: Double) -> GraticuleSurvey.Reading {
    GraticuleSurvey.Reading(offset: middle + perEast * east + perSouth * south, stations: stations)
  }
}

/// The dark lines at one station of a meridian or parallel, by their distance from the line's true place.
struct LineProfile {
  /// The share of the station's rows in which a pixel is darker than the ground on both sides, at each whole distance from `-reach` to
  /// `reach`.
  private let shares: [Double]
  private let strip: LineStrip
  private let reach: Int

  /// The least share of the station's rows. A printed line crosses all rows, except where letters cover it.
  private static let leastShare = 0.5

  /// - Parameters:
  ///   - picture: has the line's direction as its columns if `isUpright`, else as its rows.
  ///   - line: the line's true place, in pixels from the picture's western or northern side.
  ///   - reach: pixels searched on each side; the picture has `flank` more.
  ///   - flank: pixels from the middle of a line to the ground beside it.
  init(_ picture: RGBAImage, line: Double, isUpright: Bool, reach: Int, flank: Int) {
    self.reach = reach
    let first = Int(line.rounded(.down)) - reach
    let strip = LineStrip(
      picture, isUpright: isUpright, first: first, flank: flank,
      // The distance from `-reach` to the middle of the first pixel.
      fraction: Double(first + reach) + 0.5 - line)
    shares = (0...2 * reach).map { offset in
      Double((0..<strip.length).count { strip.depth($0, offset) > 0 }) / Double(strip.length)
    }
    self.strip = strip
  }

  /// Returns the strength of a line within one pixel of a distance: 0 for nearly none, up to 1.
  func strength(at offset: Int) -> Double {
    let near = (offset - 1...offset + 1).clamped(to: -reach...reach)
    let best = near.map { shares[$0 + reach] }.max() ?? 0
    return best >= LineProfile.leastShare ? best : 0
  }

  /// Returns the median of the rows' line middles near a distance, which letters on the line do not move; nil for no line.
  func middle(near offset: Int) -> Double? {
    guard strength(at: offset) > 0 else { return nil }
    let near = (offset - 1...offset + 1).clamped(to: -reach...reach)
    let middles = (0..<strip.length).compactMap { row -> Double? in
      let darkest = near.max { strip.depth(row, $0 + reach) < strip.depth(row, $1 + reach) } ?? offset
      return strip.middle(row, darkest + reach).map { $0 - Double(reach) }
    }
    return middles.isEmpty ? nil : middles.median + strip.fraction
  }
}

/// The lightness of a station, row by row along the line.
private struct LineStrip {
  let length: Int
  let fraction: Double
  private let lights: [Int]
  private let along: Int
  private let across: Int
  private let breadth: Int
  private let first: Int
  private let flank: Int

  /// The least depth of a line, of 255.
  private static let leastDepth = 12

  init(_ picture: RGBAImage, isUpright: Bool, first: Int, flank: Int, fraction: Double) {
    (self.first, self.flank, self.fraction) = (first, flank, fraction)
    (length, breadth) = isUpright ? (picture.height, picture.width) : (picture.width, picture.height)
    (along, across) = isUpright ? (picture.width, 1) : (1, picture.width)
    lights = picture.pixels.withUnsafeBufferPointer { pixels in
      (0..<picture.width * picture.height).map { index in
        let start = index * 4
        // Transparent pixels count as white.
        guard pixels[start + 3] == 255 else { return 255 }
        return (2 * Int(pixels[start]) + 5 * Int(pixels[start + 1]) + Int(pixels[start + 2])) / 8
      }
    }
  }

  /// Returns how much darker a pixel is than the ground on both sides; 0 for a small difference.
  func depth(_ row: Int, _ offset: Int) -> Int {
    let at = first + offset
    guard at >= flank, at + flank < breadth else { return 0 }
    let index = row * along + at * across
    let depth = beside(index) - lights[index]
    return depth >= LineStrip.leastDepth ? depth : 0
  }

  /// Returns the middle of the ink around a dark pixel; nil for a light one.
  func middle(_ row: Int, _ offset: Int) -> Double? {
    guard depth(row, offset) > 0 else { return nil }
    let index = row * along + (first + offset) * across
    let beside = beside(index)
    var (weight, sum) = (0, 0)
    for step in 1 - flank...flank - 1 {
      let ink = max(0, beside - lights[index + step * across])
      (weight, sum) = (weight + ink, sum + ink * step)
    }
    return Double(offset) + Double(sum) / Double(max(1, weight))
  }

  private func beside(_ index: Int) -> Int {
    min(lights[index - flank * across], lights[index + flank * across])
  }
}

/// The sum of the profiles of many stations. Other print differs between them, but the lines stay.
struct LineStack {
  let profiles: [LineProfile]
  let reach: Int
  let flank: Int

  struct Peak {
    /// Pixels from the true place of the lines.
    let offset: Double
    /// Stations at which the line was found.
    let stations: Int
  }

  /// - Parameters:
  ///   - share: the least sum of the strengths, as a share of all stations.
  ///   - lead: the least ratio to the sum at any other distance.
  func peak(fewest: Int, share: Double, lead: Double) -> Peak? {
    guard profiles.count >= fewest else { return nil }
    let offsets = Array(-reach...reach)
    let sums = offsets.map { offset in profiles.reduce(0) { $0 + $1.strength(at: offset) } }
    guard let best = sums.indices.max(by: { sums[$0] < sums[$1] }) else { return nil }
    let rival = sums.indices.filter { abs($0 - best) > 2 * flank + 2 }.map { sums[$0] }.max() ?? 0
    let middles = profiles.compactMap { $0.middle(near: offsets[best]) }
    guard sums[best] >= share * Double(profiles.count), sums[best] >= lead * rival, middles.count >= fewest
    else { return nil }
    return Peak(offset: middles.median, stations: middles.count)
  }
}
