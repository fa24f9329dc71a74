internal import Pipeline

/// Finds where the map's colors end in the profile of an edge.
struct FallFinder {
  let profile: EdgeProfile
  let shades: EdgeShades
  /// The same by parts of the edge's length.
  let parts: [EdgeProfile]
  let reach: Int

  /// Pixels on both sides over which a fall is taken; more where nothing is found.
  private static let span = 8
  private static let wideSpan = 16
  /// How much of the map's colors must be lost there.
  private static let leastFall = 0.45
  /// So much of a fall's inner side must be map, and so much of its outer side collar: names cross it.
  private static let leastShare = 0.5
  /// The map within is at least this wide; a colored box of the legend is often narrower.
  private static let leastMap = 27
  /// Eight tenths of the fall happen within so many pixels, along a cut near the image's rim within more, beside those over
  /// which the print is blurred; and the parts of the edge agree as well.
  private static let widestFall = 10.0
  private static let widestBlur = 16.0
  /// The cut stays within all of a fall that is wider than this.
  private static let sharpFall = 4.0
  private static let widestCut = 20.0
  private static let rimWidth = 60
  /// Of the parts so many must show the fall.
  private static let leastParts = 0.6
  /// An edge that was given far off may run at a slant to the printed one: by this part of the distance.
  private static let slant = 0.08
  /// The rim of the image is the end of the map only this near to where that was given: open water may have any edge.
  private static let rimReach = 12
  /// A fall to white of a print that is softer than this is judged by its shades: any gray of it counts as tint.
  private static let softPrint = 2.5

  /// The innermost fall with map within and collar beyond, unless one is where the edge was given.
  var fall: EdgeEvidence? {
    let places = places(FallFinder.span)
    let falls = (places.isEmpty ? self.places(FallFinder.wideSpan) : places).compactMap(evidence)
    return falls.first { abs($0.offset) <= EdgeEvidence.nearby } ?? falls.first
  }

  /// The whole offsets after which most is lost, from the inside outward.
  private func places(_ span: Int) -> [Int] {
    let depths = (-reach - span...reach + span).map { (offset: $0, depth: depth(after: $0, span)) }
    return depths.filter { candidate in
      candidate.depth >= FallFinder.leastFall && abs(candidate.offset) <= reach
        && profile.share(\.tint, candidate.offset - span + 1...candidate.offset) >= FallFinder.leastShare
        && profile.share(\.tint, candidate.offset + 1...candidate.offset + span) <= FallFinder.leastShare
        && profile.share(\.tint, candidate.offset - FallFinder.leastMap...candidate.offset - span)
          >= FallFinder.leastShare
        && !depths.contains {
          abs($0.offset - candidate.offset) <= span
            && ($0.depth, candidate.offset) > (candidate.depth, $0.offset)
        }
    }.map(\.offset)
  }

  /// How much more of the map's colors is before an offset than after it.
  private func depth(after offset: Int, _ span: Int) -> Double {
    profile.share(\.tint, offset - span + 1...offset) - profile.share(\.tint, offset + 1...offset + span)
  }

  private func evidence(_ place: Int) -> EdgeEvidence? {
    guard let tints = FallCourse(around: place, of: { profile.share(\.tint, $0...$0) }) else { return nil }
    let soft = FallCourse(around: place, of: shades.median)
    let blur = min(soft?.width ?? 0, FallFinder.widestBlur)
    let play = abs(tints.middle) * FallFinder.slant
    let waver = isCut(place) ? FallFinder.widestCut : FallFinder.widestFall
    guard tints.width <= waver + blur + play, agree(around: place, within: waver + blur + play)
    else { return nil }
    let course = soft.flatMap { blur >= FallFinder.softPrint ? $0 : nil } ?? tints
    let edge = course.middle + profile.bias
    let isRim = profile.share(\.off, place + 1...place + FallFinder.span) >= 0.5
    guard abs(edge) <= Double(isRim ? min(reach, FallFinder.rimReach) : reach) else { return nil }
    // The cut stays clear of pixels that are half map, and of an edge that wavers by more than its pixels make it; the
    // rim of the image has neither.
    let early = tints.width > FallFinder.sharpFall ? min(course.early, tints.early) : course.early
    let clear = isRim ? 0 : 0.5 + max(0, course.middle - early - 0.8)
    return EdgeEvidence(
      kind: isRim ? .rim : .step, offset: edge, room: edge - max(1.5, clear + 1)...edge - clear,
      clarity: 1 / (1 + tints.width))
  }

  /// Whether the image ends shortly beyond an offset: a sheet may be cut at a slant there.
  private func isCut(_ place: Int) -> Bool {
    profile.share(\.off, place...place + FallFinder.rimWidth) >= 0.1
  }

  /// Whether enough parts of the edge show the same fall.
  private func agree(around place: Int, within spread: Double) -> Bool {
    let showing = parts.filter { $0.contrast(inner: place, outer: place) >= 0.3 }
    guard Double(showing.count) >= FallFinder.leastParts * Double(parts.count) else { return false }
    let middles = showing.compactMap { part in
      FallCourse(around: place, of: { part.share(\.tint, $0...$0) })?.middle
    }.sorted()
    guard let low = middles.dropFirst(middles.count / 10).first,
      let high = middles.dropLast(middles.count / 10).last
    else { return false }
    return high - low <= spread
  }
}

/// How something falls across an edge: the places, between whole offsets, where a tenth, a half and nine tenths of it are lost.
struct FallCourse {
  let early: Double
  let middle: Double
  let late: Double

  var width: Double { late - early }

  private static let reach = 12
  /// So near to the middle of a fall are no pixels that show what is on its sides.
  private static let gap = 4

  init?(around offset: Int, of value: (_ offset: Int) -> Double) {
    let (reach, gap) = (FallCourse.reach, FallCourse.gap)
    let values = (offset - reach...offset + reach + 1).map(value)
    // Names, rules and boxes beyond the edge raise some of the values there, and a white road within it lowers some.
    let high = values[...(reach - gap)].sorted()[(reach - gap) / 2]
    let low = values[(reach + gap)...].sorted()[(reach - gap) / 4]
    guard high > low else { return nil }
    // From the outside inward: a white row or a road beside the edge is another dip in the map's colors.
    func place(_ part: Double) -> Double? {
      let level = high - part * (high - low)
      for inner in (0...reach + 2 * gap).reversed() where values[inner] >= level && values[inner + 1] < level
      {
        return Double(offset - reach + inner)
          + (values[inner] - level) / (values[inner] - values[inner + 1])
      }
      return nil
    }
    guard let middle = place(0.5), let early = place(0.1), let late = place(0.9) else { return nil }
    (self.early, self.middle, self.late) = (min(early, middle), middle, max(late, middle))
  }
}
