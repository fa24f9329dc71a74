internal import ImageIO

/// Where the printed map ends near an edge, according to the edge's profile.
struct EdgeEvidence: Equatable {
  let kind: Product.Cut.Evidence
  /// Pixels outward from the given edge; 0 if the evidence is unclear.
  let offset: Double
  /// Where the cut may lie so that no collar remains inside it and hardly any map is lost.
  let cutRange: ClosedRange<Double>
  /// A score to choose between lines of similar evidence: up to 2 for a frame, up to 1 for a change of color.
  let clarity: Double
  /// Whether it is a frame between white and white.
  var isBare = false
  /// Whether such a frame was found because print ends there: a map of open water in a collar of the same tint.
  var endsPrint = false
  /// How far a given edge may lie from the middle of a frame's line, in pixels.
  var slack = 0.0
  /// The inner rim of a frame.
  var innerRim: Double?

  /// Whether the map ends within the image.
  var showsCollar: Bool { kind == .frame || kind == .step }

  static let unclear = EdgeEvidence(kind: .unclear, offset: 0, cutRange: 0...0, clarity: 0)

  /// How far to move the given edge. 0 if it is accurate enough, so that whole degrees remain whole.
  var shift: Double {
    if cutRange.contains(0) { return 0 }
    let nearest = kind == .frame ? offset : cutRange.upperBound
    return (nearest * 10).rounded() / 10
  }

  /// The least number of lines across an edge that count as evidence.
  private static let fewestLines = 40
  /// An edge this near to the given one is preferred, in pixels.
  static let nearby = 3.0
}

extension EdgeEvidence {
  /// Searches for the end of the map within `reach` pixels of the given edge.
  ///
  /// A frame is stronger evidence than a change of color, but a line beyond a strip of paper is only a rule in the collar. If
  /// neither is found, a line along the whole edge with paper beyond it counts, since maps of ice are white.
  ///
  /// - Parameters:
  ///     - parts: the profile of each part of the edge.
  ///     - onGround: whether the sheet's ground is tinted. A line on open water looks like a frame there.
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
    let fall = ColorStepFinder(profile: profile, shades: shades, parts: parts, reach: reach).fall
    if let frame, let fall, let rim = frame.innerRim, fall.offset < rim - 2 {
      self = fall
    } else {
      self = frame ?? fall ?? finder.bareFrame(parts, onGround: onGround) ?? .unclear
    }
  }
}

extension EdgeProfile {
  /// The shares inside the image, in hundredths; nil if most of the strip is beyond it.
  func shares(_ offsets: ClosedRange<Int>) -> Product.Cut.Shares? {
    let known = offsets.clamped(to: -reach...reach)
    let (tint, ink, paper) = (count(.tint, known), count(.ink, known), count(.paper, known))
    let seen = tint + ink + paper
    guard seen > count(.off, known) else { return nil }
    func hundredths(_ part: Int) -> Double { Double((part * 100 + seen / 2) / seen) / 100 }
    return Product.Cut.Shares(ink: hundredths(ink), paper: hundredths(paper), tint: hundredths(tint))
  }

  /// The strips beside a line that show map and collar, in pixels from it.
  fileprivate static let strip = 3...18

  fileprivate static func strips(_ run: ClosedRange<Int>) -> (
    inside: ClosedRange<Int>, outside: ClosedRange<Int>
  ) {
    (
      run.lowerBound - strip.upperBound...run.lowerBound - strip.lowerBound,
      run.upperBound + strip.lowerBound...run.upperBound + strip.upperBound
    )
  }

  /// How much more tint is inside a line than outside.
  fileprivate func contrast(_ run: ClosedRange<Int>) -> Double {
    let (inside, outside) = EdgeProfile.strips(run)
    return share(.tint, inside) - share(.tint, outside)
  }
}

/// Finds the step where the map's colors end in the profile of an edge.
struct ColorStepFinder {
  let profile: EdgeProfile
  let shades: EdgeShades
  /// The profiles of the parts of the edge.
  let parts: [EdgeProfile]
  let reach: Int

  /// Pixels on both sides over which a step is measured; more if nothing is found.
  private static let span = 8
  private static let wideSpan = 16
  /// The share of the map's colors that must end at the step.
  private static let leastFall = 0.45
  /// The least share of map on the step's inner side and of collar on its outer side. Names cross the edge.
  private static let leastShare = 0.5
  /// The least width of the map inside. Colored boxes of the legend are often narrower.
  private static let leastMap = 27
  /// Eight tenths of the step happen within this many pixels, besides the blur of the print. Along a cut near the image's rim
  /// the limit is larger. The parts of the edge must agree as well.
  private static let widestFall = 10.0
  private static let widestBlur = 16.0
  /// If a step is wider than this, the cut stays inside all of it.
  private static let sharpFall = 4.0
  private static let widestCut = 20.0
  private static let rimWidth = 60
  /// The share of the parts that must show the step.
  private static let leastParts = 0.6
  /// An edge that was given far off may run at a slant to the printed one, by this share of the distance.
  private static let slant = 0.08
  /// The rim of the image counts as the end of the map only this near to the given edge, since open water may end anywhere.
  private static let rimReach = 12
  /// A step to white in a print that is softer than this is measured by its shades: any gray counts as tint.
  private static let softPrint = 2.5
  /// JPEG leaves faint noise around a frame, at most this wide. Less is the blur of the print.
  private static let noise = 5...16

  /// The innermost step with map inside and collar outside; a step at the given edge is preferred.
  var fall: EdgeEvidence? {
    let places = places(ColorStepFinder.span)
    let falls = (places.isEmpty ? self.places(ColorStepFinder.wideSpan) : places).compactMap(evidence)
    return falls.first { abs($0.offset) <= EdgeEvidence.nearby } ?? falls.first
  }

  /// The offsets of the largest steps, from the inside outward.
  private func places(_ span: Int) -> [Int] {
    let depths = (-reach - span...reach + span).map { (offset: $0, depth: depth(after: $0, span)) }
    return depths.filter { candidate in
      candidate.depth >= ColorStepFinder.leastFall && abs(candidate.offset) <= reach
        && profile.share(.tint, candidate.offset - span + 1...candidate.offset) >= ColorStepFinder.leastShare
        && profile.share(.tint, candidate.offset + 1...candidate.offset + span) <= ColorStepFinder.leastShare
        && profile.share(.tint, candidate.offset - ColorStepFinder.leastMap...candidate.offset - span)
          >= ColorStepFinder.leastShare
        && !depths.contains {
          abs($0.offset - candidate.offset) <= span
            && ($0.depth, candidate.offset) > (candidate.depth, $0.offset)
        }
    }.map(\.offset)
  }

  /// How much more of the map's colors is before an offset than after it.
  private func depth(after offset: Int, _ span: Int) -> Double {
    profile.share(.tint, offset - span + 1...offset) - profile.share(.tint, offset + 1...offset + span)
  }

  private func evidence(_ place: Int) -> EdgeEvidence? {
    guard let tints = StepCourse(around: place, of: { profile.share(.tint, $0...$0) }) else { return nil }
    let end = shadeEnd(before: place)
    let soft = StepCourse(around: end, of: shades.median)
    let blur = min(soft?.width ?? 0, ColorStepFinder.widestBlur)
    let slack = abs(tints.middle) * ColorStepFinder.slant
    let waver = isCut(place) ? ColorStepFinder.widestCut : ColorStepFinder.widestFall
    guard tints.width <= waver + blur + slack, agree(around: place, within: waver + blur + slack)
    else { return nil }
    let course =
      soft.flatMap {
        blur >= ColorStepFinder.softPrint || end < place ? $0 : nil
      } ?? tints
    let edge = course.middle + profile.bias
    let isRim = profile.share(.off, place + 1...place + ColorStepFinder.span) >= 0.5
    guard abs(edge) <= Double(isRim ? min(reach, ColorStepFinder.rimReach) : reach) else { return nil }
    // The cut stays clear of pixels that are partly map, and of an edge that wavers by more than that. The rim of the image has
    // neither.
    let early = tints.width > ColorStepFinder.sharpFall ? min(course.early, tints.early) : course.early
    let clear = isRim ? 0 : 0.5 + max(0, course.middle - early - 0.8)
    return EdgeEvidence(
      kind: isRim ? .rim : .step, offset: edge, cutRange: edge - max(1.5, clear + 1)...edge - clear,
      clarity: 1 / (1 + tints.width))
  }

  /// Returns where half of the map's shade is lost if only noise follows up to a step outside of the given edge, else the step.
  private func shadeEnd(before place: Int) -> Int {
    let noise = ColorStepFinder.noise
    let inside = place - noise.upperBound - ColorStepFinder.leastMap...place - noise.upperBound
    let half = inside.map(shades.median).sorted()[inside.count / 2] / 2
    guard place >= noise.lowerBound,
      let end = (place - noise.upperBound...place).last(where: { shades.median($0) >= half })
    else { return place }
    return place - end >= noise.lowerBound ? end : place
  }

  /// Whether the image ends shortly beyond an offset. A sheet may be cut at a slant there.
  private func isCut(_ place: Int) -> Bool {
    profile.share(.off, place...place + ColorStepFinder.rimWidth) >= 0.1
  }

  /// Whether enough parts of the edge show the same step.
  private func agree(around place: Int, within spread: Double) -> Bool {
    let showing = parts.filter { $0.contrast(place...place) >= 0.3 }
    guard Double(showing.count) >= ColorStepFinder.leastParts * Double(parts.count) else { return false }
    let middles = showing.compactMap { part in
      StepCourse(around: place, of: { part.share(.tint, $0...$0) })?.middle
    }.sorted()
    guard let low = middles.dropFirst(middles.count / 10).first,
      let high = middles.dropLast(middles.count / 10).last
    else { return false }
    return high - low <= spread
  }
}

/// How a value drops across an edge: the positions, between whole offsets, where a tenth, a half and nine tenths are lost.
struct StepCourse {
  let early: Double
  let middle: Double
  let late: Double

  var width: Double { late - early }

  private static let reach = 12
  /// Pixels this near to the middle of a step do not show its sides.
  private static let gap = 4

  init?(around offset: Int, of value: (_ offset: Int) -> Double) {
    let (reach, gap) = (StepCourse.reach, StepCourse.gap)
    let values = (offset - reach...offset + reach + 1).map(value)
    // Names, rules and boxes beyond the edge raise some of the values there. A white road inside lowers some.
    let high = values[...(reach - gap)].sorted()[(reach - gap) / 2]
    let low = values[(reach + gap)...].sorted()[(reach - gap) / 4]
    guard high > low else { return nil }
    // From the outside inward, since a white row or a road beside the edge is another dip in the map's colors.
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

  /// The share of a frame's length that must be black. Names and symbols interrupt it, and lines of other edges cross it.
  static let frameShare = 0.55
  /// The same for a line between white and white.
  private static let bareFrameShare = 0.8
  /// Wider ones are not lines.
  private static let widestFrame = 14
  /// The strip where the print inside a line is compared with the print outside.
  private static let printStrip = 4...60
  private static let leastPrint = 0.001
  /// The cut runs through the middle of a frame; in a wide frame, this many pixels inside its outer rim.
  private static let depth = 1.5
  /// A given edge may lie this far inside the cut, and this far outside the outer rim: definitions give the rim or the middle.
  private static let inwardSlack = (least: 0.75, most: 1.25)
  private static let outwardPlay = 0.25

  /// The innermost line with map on its inner and collar on its outer side; a line at the given edge is preferred. In a double
  /// frame it is the inner line.
  var frame: EdgeEvidence? {
    let frames = blackRuns(FrameFinder.frameShare).filter { run in
      let (inside, outside) = EdgeProfile.strips(run)
      return profile.share(.tint, inside) >= 0.5
        && (profile.share(.tint, outside) <= 0.3 || profile.contrast(run) >= 0.6)
    }.compactMap(evidence)
    return frames.first { abs($0.offset) <= EdgeEvidence.nearby } ?? frames.first
  }

  /// The only line, or the one at the given edge, that has paper beyond it and runs along the whole edge.
  func bareFrame(_ parts: [EdgeProfile], onGround: Bool) -> EdgeEvidence? {
    let frames = blackRuns(FrameFinder.bareFrameShare).filter { run in
      let (inside, outside) = EdgeProfile.strips(run)
      return profile.share(.tint, outside) <= 0.3 && profile.share(.off, inside) == 0
        // The ends may lie beyond the corners if the neighboring edges were given too far out.
        && parts.dropFirst().dropLast().allSatisfy { part in
          run.contains { part.share(.nearInk, $0...$0) >= FrameFinder.frameShare }
        }
        && (!onGround || printEnds(at: run))
    }.compactMap(evidence)
    var frame =
      frames.first { abs($0.offset) <= EdgeEvidence.nearby } ?? (frames.count == 1 ? frames[0] : nil)
    frame?.isBare = true
    frame?.endsPrint = onGround
    return frame
  }

  /// Whether there is print inside a line and hardly any outside. Meridians and parallels cross each other, so a graticule line
  /// on open water has the same print on both sides, unless the image ends shortly beyond it.
  private func printEnds(at run: ClosedRange<Int>) -> Bool {
    let (near, far) = (FrameFinder.printStrip.lowerBound, FrameFinder.printStrip.upperBound)
    func print(_ offsets: ClosedRange<Int>) -> Double {
      profile.share(.tint, offsets) + profile.share(.ink, offsets)
    }
    let inside = print(run.lowerBound - far...run.lowerBound - near)
    let outside = print(run.upperBound + near...run.upperBound + far)
    let isAtRim = profile.share(.off, run.upperBound + far...run.upperBound + far) >= 0.5
    return outside * 3 <= max(inside, isAtRim ? FrameFinder.leastPrint * 3 : 0)
      && (isAtRim || inside >= FrameFinder.leastPrint)
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
    let inward = max(FrameFinder.inwardSlack.least, min(half - depth + 0.25, FrameFinder.inwardSlack.most))
    let outward = max(inward, depth + FrameFinder.outwardPlay)
    var evidence = EdgeEvidence(
      kind: .frame, offset: edge, cutRange: edge - inward...edge + outward,
      clarity: 1 + 1 / (1 + line.spread))
    evidence.slack = depth
    evidence.innerRim = center - half
    return evidence
  }

  /// Combines the ink of some offsets into one line. The spread grows as the line wavers.
  private func line(_ run: ClosedRange<Int>) -> (center: Double, width: Double, spread: Double)? {
    let ink = run.reduce(0) { $0 + profile[.ink, $1] }
    guard ink > 0 else { return nil }
    let moment = run.reduce(0) { $0 + profile[.ink, $1] * $1 }
    let square = run.reduce(0) { $0 + profile[.ink, $1] * $1 * $1 }
    let center = Double(moment) / Double(ink)
    return (center, Double(ink) / Double(profile.lines), Double(square) / Double(ink) - center * center)
  }

  /// Neighboring offsets that are black along most of the edge, from the inside outward.
  private func blackRuns(_ least: Double) -> [ClosedRange<Int>] {
    let span = profile.reach - EdgeProfile.strip.upperBound
    var runs: [ClosedRange<Int>] = []
    for offset in -span...span where profile.share(.nearInk, offset...offset) >= least {
      if let last = runs.last, last.upperBound == offset - 1 {
        runs[runs.count - 1] = last.lowerBound...offset
      } else {
        runs.append(offset...offset)
      }
    }
    return runs.filter { $0.count <= FrameFinder.widestFrame }
  }
}
