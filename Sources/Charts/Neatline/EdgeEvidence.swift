internal import Core
internal import Pipeline

/// Where the printed map ends beside an edge, read off its profile.
struct EdgeEvidence: Equatable {
  let kind: Product.Cut.Evidence
  /// Pixels outward of the edge that was given; 0 where nothing is clear.
  let offset: Double
  /// Where the cut may lie, so that no collar stays within it and hardly any map is lost.
  let room: ClosedRange<Double>
  /// For choosing between lines that are measured alike: up to 2 for a frame, up to 1 for a change of color.
  let clarity: Double
  /// Whether it is a frame between white and white.
  var isBare = false
  /// Whether such a frame was found by the print that ends there: a map of open water in a collar of the same tint.
  var endsPrint = false
  /// How far a given edge may be off within the line of a frame, in pixels.
  var play = 0.0
  /// Of a frame.
  var innerRim: Double?

  /// Whether the map was seen to end within the image.
  var showsCollar: Bool { kind == .frame || kind == .step }

  static let unclear = EdgeEvidence(kind: .unclear, offset: 0, room: 0...0, clarity: 0)

  /// How far the edge that was given has to be moved: not at all where it is good enough, so that whole degrees stay
  /// whole.
  var shift: Double {
    if room.contains(0) { return 0 }
    let nearest = kind == .frame ? offset : room.upperBound
    return (nearest * 10).rounded() / 10
  }

  /// Fewer lines than these across an edge are no evidence.
  private static let fewestLines = 40
  /// An edge that is this near to the given one is preferred to others, in pixels.
  static let nearby = 3.0

  /// Looks no farther than `reach` pixels from the given edge.
  ///
  /// A frame says more than a change of color, but a line beyond a strip of paper is only a rule of the collar. Where neither
  /// separates map from collar, a line along the whole edge with paper beyond it counts: the maps of ice are white.
  ///
  /// - Parameters:
  ///   - parts: the profile's parts along the edge.
  ///   - onGround: whether the sheet's ground is tinted; a line on open water looks like a frame there.
  init(
    _ profile: EdgeProfile, _ shades: EdgeShades, parts: [EdgeProfile], reach: Int, onGround: Bool
  ) {
    guard profile.lines >= EdgeEvidence.fewestLines else {
      self = .unclear
      return
    }
    let parts = parts.filter { $0.lines > 0 }
    let finder = FrameFinder(profile: profile, reach: reach)
    let frame = finder.frame
    let fall = FallFinder(profile: profile, shades: shades, parts: parts, reach: reach).fall
    if let frame, let fall, let rim = frame.innerRim, fall.offset < rim - 2 {
      self = fall
    } else {
      self = frame ?? fall ?? finder.bareFrame(parts, onGround: onGround) ?? .unclear
    }
  }

  init(kind: Product.Cut.Evidence, offset: Double, room: ClosedRange<Double>, clarity: Double) {
    self.kind = kind
    self.offset = offset
    self.room = room
    self.clarity = clarity
  }
}

extension EdgeProfile {
  /// Strips beside a line, in pixels from it.
  private static let strip = 3...18
  /// How much more tint there is within a line than beyond it.
  func contrast(inner: Int, outer: Int) -> Double {
    share(\.tint, inner - EdgeProfile.strip.upperBound...inner - EdgeProfile.strip.lowerBound)
      - share(\.tint, outer + EdgeProfile.strip.lowerBound...outer + EdgeProfile.strip.upperBound)
  }
}

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

/// Finds the black line around a map in the profile of an edge.
struct FrameFinder {
  let profile: EdgeProfile
  let reach: Int

  /// Of a frame's length so much at least must be black: names and symbols break it, and other edges' strokes cross.
  static let frameShare = 0.55
  /// Of a line between white and white.
  private static let bareFrameShare = 0.8
  /// Wider ones are no lines.
  private static let widestFrame = 14
  /// The strips that show map and collar, in pixels from the line.
  private static let strip = 3...18
  /// Where the print within a line is compared with that beyond it, and how much there is at least.
  private static let printStrip = 4...60
  private static let leastPrint = 0.001
  /// The cut runs through the middle of a frame, and in a wide one so many pixels within its outer rim.
  private static let depth = 1.5
  /// A given edge may lie so far inward of that, and so far outward of the outer rim: definitions name the rim or the middle.
  private static let inwardPlay = (least: 0.75, most: 1.25)
  private static let outwardPlay = 0.25

  /// The innermost line with map on its inner and collar on its outer side, unless one is where the edge was given; of a
  /// double frame that is the inner one.
  var frame: EdgeEvidence? {
    let frames = blackRuns(FrameFinder.frameShare).filter { run in
      let (inside, outside) = strips(run)
      return profile.share(\.tint, inside) >= 0.5
        && (profile.share(\.tint, outside) <= 0.3
          || profile.contrast(inner: run.lowerBound, outer: run.upperBound) >= 0.6)
    }.compactMap(evidence)
    return frames.first { abs($0.offset) <= EdgeEvidence.nearby } ?? frames.first
  }

  /// The only line, or the one where the edge was given, that has paper beyond it and runs along all of the edge.
  func bareFrame(_ parts: [EdgeProfile], onGround: Bool) -> EdgeEvidence? {
    let frames = blackRuns(FrameFinder.bareFrameShare).filter { run in
      let (inside, outside) = strips(run)
      return profile.share(\.tint, outside) <= 0.3 && profile.share(\.off, inside) == 0
        // The ends may lie beyond the corners, where the neighboring edges were given too far out.
        && parts.dropFirst().dropLast().allSatisfy { part in
          run.contains { part.share(\.nearInk, $0...$0) >= FrameFinder.frameShare }
        }
        && (!onGround || printEnds(at: run))
    }.compactMap(evidence)
    var frame =
      frames.first { abs($0.offset) <= EdgeEvidence.nearby } ?? (frames.count == 1 ? frames[0] : nil)
    frame?.isBare = true
    frame?.endsPrint = onGround
    return frame
  }

  /// Whether there is print within a line and hardly any beyond it. Meridians and parallels cross each other, so a line of the
  /// graticule on open water has the same on both sides, unless the image ends shortly beyond it.
  private func printEnds(at run: ClosedRange<Int>) -> Bool {
    let (near, far) = (FrameFinder.printStrip.lowerBound, FrameFinder.printStrip.upperBound)
    func print(_ offsets: ClosedRange<Int>) -> Double {
      profile.share(\.tint, offsets) + profile.share(\.ink, offsets)
    }
    let inside = print(run.lowerBound - far...run.lowerBound - near)
    let outside = print(run.upperBound + near...run.upperBound + far)
    let isAtRim = profile.share(\.off, run.upperBound + far...run.upperBound + far) >= 0.5
    return outside * 3 <= max(inside, isAtRim ? FrameFinder.leastPrint * 3 : 0)
      && (isAtRim || inside >= FrameFinder.leastPrint)
  }

  private func strips(_ run: ClosedRange<Int>) -> (inside: ClosedRange<Int>, outside: ClosedRange<Int>) {
    let strip = FrameFinder.strip
    return (
      run.lowerBound - strip.upperBound...run.lowerBound - strip.lowerBound,
      run.upperBound + strip.lowerBound...run.upperBound + strip.upperBound
    )
  }

  private func evidence(_ run: ClosedRange<Int>) -> EdgeEvidence? {
    // A row that touches a slanted frame has ink beside it more often than on it.
    guard let line = line(run), line.width >= FrameFinder.frameShare,
      abs(line.center + profile.bias) <= Double(reach)
    else { return nil }
    let center = line.center + profile.bias
    let half = line.width / 2
    let depth = min(half, FrameFinder.depth)
    let edge = center + half - depth
    let inward = max(FrameFinder.inwardPlay.least, min(half - depth + 0.25, FrameFinder.inwardPlay.most))
    let outward = max(inward, depth + FrameFinder.outwardPlay)
    var evidence = EdgeEvidence(
      kind: .frame, offset: edge, room: edge - inward...edge + outward,
      clarity: 1 + 1 / (1 + line.spread))
    evidence.play = depth
    evidence.innerRim = center - half
    return evidence
  }

  /// The ink of some offsets as one line; the more it wavers, the wider it is spread.
  private func line(_ run: ClosedRange<Int>) -> (center: Double, width: Double, spread: Double)? {
    let ink = run.reduce(0) { $0 + profile[$1].ink }
    guard ink > 0 else { return nil }
    let moment = run.reduce(0) { $0 + profile[$1].ink * $1 }
    let square = run.reduce(0) { $0 + profile[$1].ink * $1 * $1 }
    let center = Double(moment) / Double(ink)
    return (center, Double(ink) / Double(profile.lines), Double(square) / Double(ink) - center * center)
  }

  /// Neighboring offsets that are black along most of the edge, from the inside outward.
  private func blackRuns(_ least: Double) -> [ClosedRange<Int>] {
    let span = profile.reach - FrameFinder.strip.upperBound
    var runs: [ClosedRange<Int>] = []
    for offset in -span...span where profile.share(\.nearInk, offset...offset) >= least {
      if let last = runs.last, last.upperBound == offset - 1 {
        runs[runs.count - 1] = last.lowerBound...offset
      } else {
        runs.append(offset...offset)
      }
    }
    return runs.filter { $0.count <= FrameFinder.widestFrame }
  }
}
