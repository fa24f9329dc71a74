internal import Core

/// The course of the chart's own graticule, whole and half degrees, over its pixels.
///
/// Positions are integer 256ths of a pixel, so that rounding is the same on all machines.
struct HostGraticule {
  static let unit = 256

  /// A meridian, which is straight on a conic projection.
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

    /// The column of the pixel that the meridian crosses in a row.
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

    /// The row of the pixel that the parallel crosses in a column; nil beyond its ends.
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

/// Detects whether a thin dark line is printed along a predicted course.
enum PrintedLine {
  /// How many pixels from its predicted course a line is searched for.
  static let reach = 4
  /// The distance from a line to the ground with which it is compared, in pixels.
  static let gap = 4
  /// How many levels a line is darker than the ground on both sides, at least.
  private static let contrast = 24

  /// - Parameters:
  ///     - count: how many positions along the course are read.
  ///     - light: returns the lightness at a position and an offset from the course, which is at most `reach` + `gap` + 1.
  static func isPrinted(_ count: Int, light: (_ place: Int, _ offset: Int) -> Int) -> Bool {
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

/// The positions where the chart's own graticule was searched for, and whether it is printed there.
struct GraticuleSearch {
  private struct Place {
    let meridian: Int
    let row: Int
    let column: Int
    let isSeen: Bool
  }

  private let places: [Place]

  /// Positions this near to an inset's rim are skipped, since frames and labels look like lines.
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

  /// Counts in the sampled bands that show both borders of a candidate, whose upper and lower sides are not known yet.
  func graticule(of candidate: InsetCandidate, _ bands: [InsetBand], _ map: MapSpans) -> GraticuleCount {
    let (first, last) = (bands[candidate.bands.lowerBound].rows, bands[candidate.bands.upperBound].rows)
    return graticule(rows: first.lowerBound..<last.upperBound) { candidate.columns(atRow: $0, map) }
  }

  /// Counts along the meridians. Only meridians that are visible outside the inset count.
  func graticule(rows: Range<Int>, columns: (_ row: Int) -> Range<Int>?) -> GraticuleCount {
    var known: [Int: Range<Int>] = [:]
    for row in Set(places.map(\.row)) where rows.contains(row) { known[row] = columns(row) }
    func isWithin(_ place: Place, isInner: Bool) -> Bool {
      guard let columns = known[place.row] else { return false }
      let margin = isInner ? GraticuleSearch.margin(ofSide: columns.count) : 0
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

/// At how many positions the lines of the chart's own graticule are printed inside and beside an inset.
struct GraticuleCount {
  private(set) var (inside, seenInside, beside, seenBeside) = (0, 0, 0, 0)
  /// Lines that are printed beside the inset and inside it.
  private var going = 0
  /// Lines that are printed beside the inset only.
  private var ending = 0

  /// Adds the positions of one line. A line that is not visible beside the inset is no evidence.
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
  /// Whether the chart's own map continues in the rectangle. One of an inset's own lines may coincide with a line of the chart.
  var continues: Bool { isKnown && ending == 0 && seenInside * 3 > inside }
  /// Whether it certainly continues, even if only a few positions were read.
  var surelyContinues: Bool { inside >= 4 && ending == 0 && seenInside * 4 >= inside * 3 }
  /// Whether the rectangle is another map.
  var isAbsent: Bool { isKnown && ending > 0 && ending >= 2 * going && seenInside * 2 <= inside }
  /// Whether there is more evidence for another map than against it.
  var isLikelyAbsent: Bool { isKnown && ending > 0 && ending >= going }

  var record: Product.Cut.Inset.Graticule? {
    isKnown
      ? Product.Cut.Inset.Graticule(
        inside: inside, seenInside: seenInside, beside: beside, seenBeside: seenBeside) : nil
  }
}
