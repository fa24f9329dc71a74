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
