internal import Geo
internal import TileArchive

/// Looks for the printed graticule where the earth has it. In Web Mercator meridians and parallels are columns and rows, so
/// the darkness along all of them can be laid on top of each other: what is printed beside them fades, and they stay.
struct GraticuleSurvey {
  /// How far the printed lines lie from the true ones, in pixels, eastward and southward.
  struct Offset {
    let x: Double
    let y: Double
    let crossings: Int
  }

  private let painter: TilePainter
  private let grid: PixelGrid
  private let neatline: Neatline

  /// Degrees between lines.
  private static let step = 0.5
  /// Pixels to each side of a crossing that are looked at.
  private static let reach = 64
  /// As many tell all that more could.
  private static let crossingLimit = 40
  private static let fewest = 4

  init(_ archive: any TileSource, _ neatline: Neatline, zoom: Int) throws {
    painter = try TilePainter(archive)
    grid = PixelGrid(zoom: zoom, tileSize: painter.tileSize)
    self.neatline = neatline
  }

  /// Nil where no lines stand out, one way or the other.
  func offset(in box: GeoBox) throws -> Offset? {
    let crossings = self.crossings(in: box)
    guard crossings.count >= GraticuleSurvey.fewest else { return nil }
    var (meridians, parallels) = (LineProfile(), LineProfile())
    for crossing in crossings {
      try Task.checkCancellation()
      let place = grid.place((crossing.x, crossing.y))
      let view = grid.box(around: (crossing.x, crossing.y), side: 2 * GraticuleSurvey.reach)
      let picture = PieceView(try painter.picture(zoom: grid.zoom, view), box: view)
      let (x, y) = (place.x - Double(view.column), place.y - Double(view.row))
      meridians.add(picture, at: x, along: \.width, avoiding: y)
      parallels.add(picture, at: y, along: \.height, avoiding: x)
    }
    guard let x = meridians.peak, let y = parallels.peak else { return nil }
    return Offset(x: x, y: y, crossings: crossings.count)
  }

  /// Metres of Web Mercator; those around which all is map.
  private func crossings(in box: GeoBox) -> [PlanePoint] {
    let all = multiples(box.south, box.north).flatMap { latitude in
      multiples(box.west, box.east).compactMap { longitude -> PlanePoint? in
        let (x, y) = WebMercator.project(GeoPoint(longitude: longitude, latitude: latitude))
        let view = grid.area(grid.box(around: (x, y), side: 2 * GraticuleSurvey.reach))
        return neatline.relation(to: view) == .inside ? PlanePoint(x: x, y: y) : nil
      }
    }
    let stride = (all.count + GraticuleSurvey.crossingLimit - 1) / GraticuleSurvey.crossingLimit
    return stride > 1 ? all.indices.filter { $0.isMultiple(of: stride) }.map { all[$0] } : all
  }

  private func multiples(_ low: Double, _ high: Double) -> [Double] {
    let first = Int((low / GraticuleSurvey.step).rounded(.up))
    let last = Int((high / GraticuleSurvey.step).rounded(.down))
    return first <= last ? (first...last).map { Double($0) * GraticuleSurvey.step } : []
  }
}

/// The darkness across many lines, as it is in the mean at each whole pixel from where they should be.
private struct LineProfile {
  private var sums = [Double](repeating: 0, count: 2 * LineProfile.reach + 1)
  private var count = 0.0

  private static let reach = 12
  /// Pixels beside the line's crossing with another one, which is as dark as itself.
  private static let crossing = 8.0
  /// Of 255: a line that is fainter, or that stands out less from what lies beside it, may be none.
  private static let leastDarkness = 10.0
  private static let leastStanding = 5.0

  /// - Parameter length: along which the line's place is counted: the width of a picture for an upright line.
  mutating func add(
    _ view: PieceView, at place: Double, along length: KeyPath<PixelBox, Int>, avoiding other: Double
  ) {
    let isUpright = length == \.width
    let width = view.box.width
    let lines = isUpright ? view.box.height : width
    for line in 0..<lines where abs(Double(line) + 0.5 - other) > LineProfile.crossing {
      for offset in -LineProfile.reach...LineProfile.reach {
        let at = place + Double(offset) - 0.5
        let first = Int(at.rounded(.down))
        let share = at - Double(first)
        let (one, next) =
          isUpright
          ? (line * width + first, line * width + first + 1)
          : (first * width + line, (first + 1) * width + line)
        sums[offset + LineProfile.reach] -= view.light[one] * (1 - share) + view.light[next] * share
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
