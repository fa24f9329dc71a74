internal import Core
internal import Pipeline

/// Where the lines of the chart's own graticule, whole and half degrees, run over its pixels.
///
/// Positions are whole 256ths of a pixel, so that rounding differs on no machine.
struct HostGraticule {
  static let unit = 256

  /// Meridians are straight on a conic projection.
  struct Meridian {
    private let top: Int
    private let bottom: Int
    private let height: Int

    init?(_ longitude: Double, from south: Double, to north: Double, on projection: SheetProjection) {
      guard let low = projection.pixel(of: GeoPoint(longitude: longitude, latitude: south)),
        let high = projection.pixel(of: GeoPoint(longitude: longitude, latitude: north)), low.row > high.row
      else { return nil }
      let slope = (low.column - high.column) / (low.row - high.row)
      height = projection.height
      let start = high.column - slope * high.row
      let end = start + slope * Double(height)
      guard abs(start) < 1e7, abs(end) < 1e7 else { return nil }
      top = Int((start * Double(HostGraticule.unit)).rounded())
      bottom = Int((end * Double(HostGraticule.unit)).rounded())
    }

    /// The column of the pixel through which it runs.
    @inline(__always)
    func column(atRow row: Int) -> Int { (top + (bottom - top) * row / height) >> 8 }
  }

  /// A parallel as a chain of chords, from west to east, that stay within a tenth of a pixel of it.
  struct Parallel {
    private let points: [(column: Int, row: Int)]

    init(_ latitude: Double, from west: Double, to east: Double, on projection: SheetProjection) {
      let count = max(1, Int(((east - west) / 0.05).rounded(.up)))
      points = (0...count).compactMap { step in
        let longitude = west + (east - west) * Double(step) / Double(count)
        guard let pixel = projection.pixel(of: GeoPoint(longitude: longitude, latitude: latitude)),
          abs(pixel.column) < 1e7, abs(pixel.row) < 1e7
        else { return nil }
        let unit = Double(HostGraticule.unit)
        return (Int((pixel.column * unit).rounded()), Int((pixel.row * unit).rounded()))
      }
    }

    /// The row of the pixel through which it runs; nil beyond its ends.
    func row(atColumn column: Int) -> Int? {
      let place = column * HostGraticule.unit + HostGraticule.unit / 2
      for (a, b) in zip(points, points.dropFirst()) where a.column <= place && place < b.column {
        return (a.row + (b.row - a.row) * (place - a.column) / (b.column - a.column)) >> 8
      }
      return nil
    }
  }

  let meridians: [Meridian]
  let parallels: [Parallel]

  private static let step = 0.5

  init(covering box: GeoBox, on projection: SheetProjection) {
    func multiples(_ low: Double, _ high: Double) -> [Double] {
      let step = HostGraticule.step
      return stride(from: (low / step).rounded(.up), through: (high / step).rounded(.down), by: 1).map {
        $0 * step
      }
    }
    meridians = multiples(box.west, box.east).compactMap {
      Meridian($0, from: box.south, to: box.north, on: projection)
    }
    parallels = multiples(box.south, box.north).map {
      Parallel($0, from: box.west, to: box.east, on: projection)
    }
  }
}

/// Decides whether a thin dark line is printed along a predicted course.
enum PrintedLine {
  /// How many pixels off its predicted course a line is looked for.
  static let reach = 4
  /// How many pixels beside a line its ground is compared with it.
  static let gap = 4
  /// By how many levels a line is darker than the ground on both sides.
  private static let contrast = 24

  /// - Parameters:
  ///   - count: how many places along the course are looked at.
  ///   - light: the lightness of the pixel at a place, so many pixels beside the course: at most `reach` and `gap` and one.
  static func isSeen(_ count: Int, light: (_ place: Int, _ offset: Int) -> Int) -> Bool {
    var hits = [Int](repeating: 0, count: 2 * reach + 1)
    var dark = [Bool](repeating: false, count: 2 * reach + 3)
    for place in 0..<count {
      for index in dark.indices {
        let offset = index - reach - 1
        let ground = min(light(place, offset - gap), light(place, offset + gap))
        dark[index] = light(place, offset) + contrast <= ground
      }
      for index in hits.indices where dark[index] || dark[index + 1] || dark[index + 2] { hits[index] += 1 }
    }
    return (hits.max() ?? 0) * 5 >= count * 3
  }
}

/// Where the chart's own graticule was looked for, and whether it is printed there.
struct InsetSights {
  private struct Place {
    let meridian: Int
    let row: Int
    let column: Int
    let isSeen: Bool
  }

  private let places: [Place]

  /// Around an inset's rim, frames and labels stand in for no line.
  static func margin(ofSide length: Int) -> Int { min(130, length / 5) }

  init(_ bands: [InsetBand]) {
    places = bands.flatMap { band in
      band.sights.map {
        Place(
          meridian: $0.meridian, row: (band.rows.lowerBound + band.rows.upperBound) / 2, column: $0.column,
          isSeen: $0.isSeen)
      }
    }
  }

  /// Of a candidate whose upper and lower sides are not known yet: the sampled bands that show both posts.
  func graticule(of candidate: InsetCandidate, _ bands: [InsetBand], _ map: MapSpans) -> GraticuleCount {
    let (first, last) = (bands[candidate.bands.lowerBound].rows, bands[candidate.bands.upperBound].rows)
    return graticule(rows: first.lowerBound..<last.upperBound) { candidate.columns(atRow: $0, map) }
  }

  /// Along the meridians. Only those count that are visible outside of the inset.
  func graticule(rows: Range<Int>, columns: (_ row: Int) -> Range<Int>?) -> GraticuleCount {
    var known: [Int: Range<Int>] = [:]
    for row in Set(places.map(\.row)) where rows.contains(row) { known[row] = columns(row) }
    func isWithin(_ place: Place, isInner: Bool) -> Bool {
      guard let columns = known[place.row] else { return false }
      let margin = isInner ? InsetSights.margin(ofSide: columns.count) : 0
      return columns.lowerBound + margin <= place.column && place.column < columns.upperBound - margin
    }
    let inside = places.map { isWithin($0, isInner: true) }
    let isNear = places.map { isWithin($0, isInner: false) }
    var count = GraticuleCount()
    for meridian in Set(zip(places, inside).filter(\.1).map(\.0.meridian)).sorted() {
      let own = places.indices.filter { places[$0].meridian == meridian }
      let beside = own.filter { !isNear[$0] }
      count.add(
        inside: own.filter { inside[$0] }.map { places[$0].isSeen }, beside: beside.map { places[$0].isSeen })
    }
    return count
  }
}

/// At how many places the lines of the chart's own graticule are printed, in and beside an inset.
struct GraticuleCount {
  private(set) var (inside, seenInside, beside, seenBeside) = (0, 0, 0, 0)
  /// Lines that are printed beside the inset and within it.
  private var going = 0
  /// Lines that are printed beside it only.
  private var ending = 0

  /// The places of one line. A line that is not visible beside the inset proves nothing.
  mutating func add(inside within: [Bool], beside without: [Bool]) {
    let (seenWithin, seenWithout) = (within.count { $0 }, without.count { $0 })
    guard !within.isEmpty, without.count >= 2, seenWithout * 2 >= without.count else { return }
    inside += within.count
    seenInside += seenWithin
    beside += without.count
    seenBeside += seenWithout
    if seenWithin * 4 >= within.count * 3 { going += 1 }
    if seenWithin * 3 <= within.count { ending += 1 }
  }

  var isKnown: Bool { inside > 0 }
  /// The chart's own map goes on. Of an inset's own lines one may lie where a line of the chart would.
  var continues: Bool { isKnown && ending == 0 && seenInside * 3 > inside }
  /// It goes on for certain, even where only a few places were looked at.
  var surelyContinues: Bool { inside >= 4 && ending == 0 && seenInside * 4 >= inside * 3 }
  /// It is another map.
  var isAbsent: Bool { isKnown && ending > 0 && ending >= 2 * going && seenInside * 2 <= inside }
  /// More speaks for another map than against it.
  var isLikelyAbsent: Bool { isKnown && ending > 0 && ending >= going }

  var record: Product.Cut.Inset.Graticule? {
    isKnown
      ? Product.Cut.Inset.Graticule(
        inside: inside, seenInside: seenInside, beside: beside, seenBeside: seenBeside) : nil
  }
}
