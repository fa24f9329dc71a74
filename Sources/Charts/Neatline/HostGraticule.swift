internal import Core

/// The course of the chart's own graticule, whole and half degrees, over its pixels.
///
/// Positions are integer 256ths of a pixel, so that rounding is the same on all machines.
struct HostGraticule {
  static let unit = 256

  /// For each meridian, the column of the pixel that it crosses in a row; nil beyond its ends. On a sideways sheet these are the
  /// parallels.
  let uprights: [(_ row: Int) -> Int?]
  /// For each parallel, the row of the pixel that it crosses in a column; nil beyond its ends. On a sideways sheet these are the
  /// meridians.
  let levels: [(_ column: Int) -> Int?]

  private static let step = 0.5

  init(covering box: GeoBox, on projection: SheetProjection) {
    func multiples(_ low: Double, _ high: Double) -> [Double] {
      let step = HostGraticule.step
      return stride(from: (low / step).rounded(.up), through: (high / step).rounded(.down), by: 1).map {
        $0 * step
      }
    }
    let longitudes = multiples(box.west, box.east)
    let parallels = multiples(box.south, box.north).map { latitude in
      HostGraticule.spread(box.west, box.east).map { GeoPoint(longitude: $0, latitude: latitude) }
    }
    guard !projection.placing.isUpright else {
      uprights = longitudes.compactMap {
        HostGraticule.meridian($0, from: box.south, to: box.north, on: projection)
      }
      levels = parallels.map { HostGraticule.chain($0, on: projection, \.column, \.row) }
      return
    }
    let meridians = longitudes.map { longitude in
      HostGraticule.spread(box.south, box.north).map { GeoPoint(longitude: longitude, latitude: $0) }
    }
    let isSideways = projection.placing.isSideways
    uprights = (isSideways ? parallels : meridians).map {
      HostGraticule.chain($0, on: projection, \.row, \.column)
    }
    levels = (isSideways ? meridians : parallels).map {
      HostGraticule.chain($0, on: projection, \.column, \.row)
    }
  }

  /// A meridian is straight on a conic projection.
  private static func meridian(
    _ longitude: Double, from south: Double, to north: Double, on projection: SheetProjection
  ) -> ((_ row: Int) -> Int?)? {
    guard let low = projection.pixel(of: GeoPoint(longitude: longitude, latitude: south)),
      let high = projection.pixel(of: GeoPoint(longitude: longitude, latitude: north)), low.row > high.row
    else { return nil }
    let slope = (low.column - high.column) / (low.row - high.row)
    let height = projection.height
    let start = high.column - slope * high.row
    let end = start + slope * Double(height)
    guard abs(start) < 1e7, abs(end) < 1e7 else { return nil }
    let (top, bottom) = (Int((start * Double(unit)).rounded()), Int((end * Double(unit)).rounded()))
    return { (top + (bottom - top) * $0 / height) >> 8 }
  }

  private static func spread(_ low: Double, _ high: Double) -> [Double] {
    let count = max(1, Int(((high - low) / 0.05).rounded(.up)))
    return (0...count).map { low + (high - low) * Double($0) / Double(count) }
  }

  /// A line of the graticule as a chain of chords that stay within a tenth of a pixel of it, by its columns or by its rows.
  private static func chain(
    _ places: [GeoPoint], on projection: SheetProjection, _ along: KeyPath<PixelPoint, Double>,
    _ across: KeyPath<PixelPoint, Double>
  ) -> (_ along: Int) -> Int? {
    var points = places.compactMap { place -> (along: Int, across: Int)? in
      guard let pixel = projection.pixel(of: place), abs(pixel.column) < 1e7, abs(pixel.row) < 1e7 else {
        return nil
      }
      return (
        Int((pixel[keyPath: along] * Double(unit)).rounded()),
        Int((pixel[keyPath: across] * Double(unit)).rounded())
      )
    }
    if let first = points.first, let last = points.last, first.along > last.along { points.reverse() }
    return { [points] position in
      let place = position * unit + unit / 2
      for (a, b) in zip(points, points.dropFirst()) where a.along <= place && place < b.along {
        return (a.across + (b.across - a.across) * (place - a.along) / (b.along - a.along)) >> 8
      }
      return nil
    }
  }
}

/// Detects whether a thin dark line is printed along a predicted course.
extension HostGraticule {
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

  /// Positions this near to an inset's rim are skipped, since frames and labels look like lines.
  static func margin(ofSide length: Int) -> Int { min(130, length / 5) }
}

extension [InsetBand.Sight] {
  /// Counts along the meridians. Only meridians that are visible outside the inset count.
  func graticule(rows: Range<Int>, columns: (_ row: Int) -> Range<Int>?) -> GraticuleCount {
    var known: [Int: Range<Int>] = [:]
    for row in Set(map(\.row)) where rows.contains(row) { known[row] = columns(row) }
    func isWithin(_ place: InsetBand.Sight, isInner: Bool) -> Bool {
      guard let columns = known[place.row] else { return false }
      let margin = isInner ? HostGraticule.margin(ofSide: columns.count) : 0
      return columns.lowerBound + margin <= place.column && place.column < columns.upperBound - margin
    }
    let inside = map { isWithin($0, isInner: true) }
    let isNear = map { isWithin($0, isInner: false) }
    var count = GraticuleCount()
    for meridian in Set(zip(self, inside).filter(\.1).map(\.0.meridian)).sorted() {
      let own = indices.filter { self[$0].meridian == meridian }
      let beside = own.filter { !isNear[$0] }
      count.add(
        inside: own.filter { inside[$0] }.map { self[$0].isSeen }, beside: beside.map { self[$0].isSeen })
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
