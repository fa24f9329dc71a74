internal import Pipeline

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
