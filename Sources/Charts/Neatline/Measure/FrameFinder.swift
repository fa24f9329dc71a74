internal import Pipeline

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
  /// A cut may lie so far from the middle of a wide frame.
  private static let play = 1.5

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
  func bareFrame(_ parts: [EdgeProfile]) -> EdgeEvidence? {
    let frames = blackRuns(FrameFinder.bareFrameShare).filter { run in
      let (inside, outside) = strips(run)
      return profile.share(\.tint, outside) <= 0.3 && profile.share(\.off, inside) == 0
        && parts.allSatisfy { part in
          run.contains { part.share(\.nearInk, $0...$0) >= FrameFinder.frameShare }
        }
    }.compactMap(evidence)
    var frame =
      frames.first { abs($0.offset) <= EdgeEvidence.nearby } ?? (frames.count == 1 ? frames[0] : nil)
    frame?.isBare = true
    return frame
  }

  private func strips(_ run: ClosedRange<Int>) -> (inside: ClosedRange<Int>, outside: ClosedRange<Int>) {
    let strip = FrameFinder.strip
    return (
      run.lowerBound - strip.upperBound...run.lowerBound - strip.lowerBound,
      run.upperBound + strip.lowerBound...run.upperBound + strip.upperBound
    )
  }

  private func evidence(_ run: ClosedRange<Int>) -> EdgeEvidence? {
    guard let line = line(run), abs(line.center + profile.bias) <= Double(reach) else { return nil }
    let center = line.center + profile.bias
    let half = min(max(1, line.width / 2), FrameFinder.play)
    return EdgeEvidence(
      kind: .frame, offset: center, room: center - half...center + half, clarity: 1 + 1 / (1 + line.spread))
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
