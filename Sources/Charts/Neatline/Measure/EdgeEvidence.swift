internal import Pipeline

/// Where the printed map ends beside an edge, read off its profile.
struct EdgeEvidence: Equatable {
  let kind: Product.Cut.Evidence
  /// Pixels outward of the edge that was given; 0 where nothing is clear.
  let offset: Double
  /// Where the cut may lie, so that no collar stays within it and hardly any map is lost.
  let room: ClosedRange<Double>
  /// For choosing between lines that are measured alike: up to 2 for a frame, up to 1 for a change of colour.
  let clarity: Double

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

  /// Looks no farther than `reach` pixels from the given edge. A frame tells more than a change of colour, but a line
  /// beyond a strip of paper is only a rule of the collar.
  init(_ profile: EdgeProfile, reach: Int) {
    guard profile.lines >= EdgeEvidence.fewestLines else {
      self = .unclear
      return
    }
    let frame = EdgeEvidence.frame(profile, reach)
    let fall = EdgeEvidence.fall(profile, reach)
    if let frame, let fall, fall.offset < frame.room.lowerBound - 2 {
      self = fall
    } else {
      self = frame ?? fall ?? .unclear
    }
  }

  private init(
    kind: Product.Cut.Evidence, offset: Double, room: ClosedRange<Double>, clarity: Double
  ) {
    self.kind = kind
    self.offset = offset
    self.room = room
    self.clarity = clarity
  }
}

// MARK: Frames

extension EdgeEvidence {
  /// Of a frame's length so much at least must be black: names and symbols break it, and other edges' strokes cross.
  private static let frameShare = 0.55
  /// Wider ones are no lines.
  private static let widestFrame = 14
  /// The strips that tell map from collar, in pixels from the line.
  private static let strip = 3...18

  /// The innermost line with map on its inner and collar on its outer side; of a double frame that is the inner one.
  private static func frame(_ profile: EdgeProfile, _ reach: Int) -> EdgeEvidence? {
    for run in blackRuns(profile) where run.count <= widestFrame {
      let inside = (run.lowerBound - strip.upperBound)...(run.lowerBound - strip.lowerBound)
      let outside = (run.upperBound + strip.lowerBound)...(run.upperBound + strip.upperBound)
      guard profile.share(\.tint, inside) >= 0.5, profile.share(\.tint, outside) <= 0.3 else { continue }
      guard let line = line(profile, run), abs(line.centre + profile.bias) <= Double(reach) else { continue }
      let centre = line.centre + profile.bias
      let half = max(1, line.width / 2)
      return EdgeEvidence(
        kind: .frame, offset: centre, room: centre - half...centre + half, clarity: 1 + 1 / (1 + line.spread))
    }
    return nil
  }

  /// The ink of some offsets as one line; the more it wavers, the wider it is spread.
  private static func line(
    _ profile: EdgeProfile, _ run: ClosedRange<Int>
  ) -> (centre: Double, width: Double, spread: Double)? {
    let ink = run.reduce(0) { $0 + profile[$1].ink }
    guard ink > 0 else { return nil }
    let moment = run.reduce(0) { $0 + profile[$1].ink * $1 }
    let square = run.reduce(0) { $0 + profile[$1].ink * $1 * $1 }
    let centre = Double(moment) / Double(ink)
    return (centre, Double(ink) / Double(profile.lines), Double(square) / Double(ink) - centre * centre)
  }

  /// Neighbouring offsets that are black along most of the edge, from the inside outward.
  private static func blackRuns(_ profile: EdgeProfile) -> [ClosedRange<Int>] {
    let span = profile.reach - strip.upperBound
    var runs: [ClosedRange<Int>] = []
    for offset in -span...span where profile.share(\.nearInk, offset...offset) >= frameShare {
      if let last = runs.last, last.upperBound == offset - 1 {
        runs[runs.count - 1] = last.lowerBound...offset
      } else {
        runs.append(offset...offset)
      }
    }
    return runs
  }
}

// MARK: Falls

extension EdgeEvidence {
  /// Pixels on both sides over which a fall is taken.
  private static let fallSpan = 6
  /// How much of the map's colours must be lost there.
  private static let leastFall = 0.5
  /// Another fall of this part of the best one makes both doubtful.
  private static let rivalPart = 0.6
  /// Nine tenths of the fall happen within so many pixels.
  private static let widestFall = 4.0

  /// Where the map's colours end, and hardly any follow.
  private static func fall(_ profile: EdgeProfile, _ reach: Int) -> EdgeEvidence? {
    let falls = (-reach...reach).map { (offset: $0, depth: depth(profile, after: $0)) }
    guard let best = falls.max(by: { $0.depth < $1.depth }), best.depth >= leastFall else { return nil }
    let rivals = falls.filter { abs($0.offset - best.offset) > fallSpan + 2 }
    guard !rivals.contains(where: { $0.depth > rivalPart * best.depth }) else { return nil }
    let beyond = best.offset + 1...best.offset + fallSpan
    guard profile.share(\.tint, beyond) <= 0.3,
      let (early, middle, late) = course(profile, around: best.offset), late - early <= widestFall,
      abs(middle + profile.bias) <= Double(reach)
    else { return nil }
    let edge = middle + profile.bias
    let isRim = profile.share(\.off, beyond) >= 0.5
    // The cut stays clear of pixels that are half map, and of an edge that wavers by more than its pixels make it; the
    // rim of the image has neither.
    let clear = isRim ? 0 : min(1.5, 0.5 + max(0, middle - early - 0.8))
    return EdgeEvidence(
      kind: isRim ? .rim : .step, offset: edge, room: edge - 2...edge - clear,
      clarity: 1 / (1 + late - early))
  }

  /// How much more of the map's colours is before an offset than after it.
  private static func depth(_ profile: EdgeProfile, after offset: Int) -> Double {
    profile.share(\.tint, offset - fallSpan + 1...offset)
      - profile.share(\.tint, offset + 1...offset + fallSpan)
  }

  /// Where a tenth, a half and nine tenths of the fall lie behind, between whole offsets.
  private static func course(
    _ profile: EdgeProfile, around offset: Int
  ) -> (early: Double, middle: Double, late: Double)? {
    let high = profile.share(\.tint, offset - 8...offset - 3)
    let low = profile.share(\.tint, offset + 4...offset + 9)
    // From the outside inward: a white row or a road beside the edge is another dip in the map's colours.
    func place(_ part: Double) -> Double? {
      let level = high - part * (high - low)
      for inner in (offset - 8...offset + 8).reversed() {
        let (a, b) = (profile.share(\.tint, inner...inner), profile.share(\.tint, inner + 1...inner + 1))
        if a >= level, b < level { return Double(inner) + (a - level) / (a - b) }
      }
      return nil
    }
    guard let middle = place(0.5), let early = place(0.1), let late = place(0.9) else { return nil }
    return (min(early, middle), middle, max(late, middle))
  }
}
