internal import Core
internal import ImageIO

/// One edge of a neatline, compared with the print.
struct MeasuredEdge {
  let side: Neatline.Side
  var evidence: EdgeEvidence
  /// Why the definition expects no evidence.
  private let unmeasured: String?
  private let track: EdgeTrack
  private let profile: EdgeProfile
  private let parts: [EdgeProfile]
  /// How many pixels the given edge may be off before that is reported.
  private let tolerance: Int

  /// An edge is searched for within this many pixels of the given one; on small sheets, within a third of the sheet.
  private static let reach = 220
  /// The number of parts that an edge is divided into.
  private static let partCount = 16
  /// Two meridians of a sheet that are nearer to each other than this, in pixels, are the same curve.
  private static let farOff = 10.0
  /// Pixels beyond the reach that the strips need.
  private static let margin = 80
  /// The color of the collar if the edge was measured against a tinted one.
  private(set) var ground: PrintKinds.Ground?

  /// - Parameter ground: the color of the sheet's collar if another edge has shown that it is tinted.
  init(
    _ side: Neatline.Side, to end: Neatline.Vertex, on projection: SheetProjection, survey: EdgeSurvey,
    unmeasured: String? = nil, ground: PrintKinds.Ground? = nil
  ) throws {
    self.side = side
    self.unmeasured = unmeasured
    let place = side.vertices[side.vertices.count / 2].place
    let slack = side.edge.slack(near: place, on: projection)
    let track = EdgeTrack(side, to: end, on: projection)
    let limit = min(MeasuredEdge.reach, max(60, min(projection.width, projection.height) / 3))
    let reach = max(limit, slack)
    var found = try MeasuredEdge.measure(track, reach: reach, survey)
    // A tinted collar runs to the rim of the image as a map does, but has a frame inside.
    if !found.evidence.showsCollar, let color = ground ?? found.shades.ground {
      let tinted = try MeasuredEdge.measure(
        track, reach: reach, survey.onGround(color), onGround: true)
      let isCertain = ground != nil || found.evidence.kind == .unclear
      let kinds: [Product.Cut.Evidence] = isCertain ? [.frame, .step] : [.frame]
      if kinds.contains(tinted.evidence.kind) {
        self.ground = color
        found = tinted
      } else if found.evidence.kind == .unclear, tinted.evidence.kind == .rim {
        found = tinted
      } else if found.evidence.kind == .rim, tinted.whole.isBlank(before: found.evidence.offset) {
        found.evidence = .unclear
      }
    }
    (profile, parts, evidence) = (found.whole, found.parts, found.evidence)
    tolerance = slack
    self.track = track
  }

  private static func measure(
    _ track: EdgeTrack, reach: Int, _ survey: EdgeSurvey, onGround: Bool = false
  ) throws -> (whole: EdgeProfile, parts: [EdgeProfile], shades: EdgeShades, evidence: EdgeEvidence) {
    let (parts, shades) = try survey.profiles(track, reach: reach + margin, parts: partCount)
    let whole = EdgeProfile(joining: parts)
    let evidence = EdgeEvidence(
      whole, shades, parts: parts, reach: reach, onGround: onGround)
    return (whole, parts, shades, evidence)
  }

  /// The meridian or parallel that is printed in place of the given one; nil if the given one need not be replaced.
  func printedLine(on projection: SheetProjection) -> NeatlineDefinition.Edge? {
    guard evidence.kind != .unclear, abs(evidence.offset) > MeasuredEdge.farOff, let pixel = foundPixel,
      let place = projection.place(of: pixel)
    else { return nil }
    return side.edge.graticuleLine { place[keyPath: $1] }
  }

  /// The offset of the edge that was found, in whole pixels.
  private var edge: Int { Int(evidence.offset.rounded()) }

  /// The middle of the edge that was found; nil if nothing was measured.
  var foundPixel: PixelPoint? {
    guard !track.crossings.isEmpty else { return nil }
    return track.point(track.crossings[track.crossings.count / 2], at: evidence.offset)
  }

  /// The edge's record in the product. The strips are counted from the printed edge if that is known.
  ///
  /// - Parameters:
  ///     - given: the edge in the definition, if this one is another line of its kind.
  ///     - distance: pixels from the given edge outward to this one.
  func record(of given: NeatlineDefinition.Edge, at distance: Double = 0) -> Product.Cut.Edge {
    func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
    let offset = tenths(distance + evidence.offset)
    let shift = tenths(distance + evidence.shift)
    var flags = stripFlags
    if evidence.kind == .unclear, unmeasured == nil { flags.append(.unclear) }
    // An edge that was given within the printed line is right, even if the cut now follows the line's middle.
    if abs(shift) >= 1.5, abs(offset) > max(Double(tolerance), evidence.slack) + 0.5 { flags.append(.moved) }
    if side.isClamped { flags.append(.clamped) }
    return Product.Cut.Edge(
      name: side.name, edge: given, offset: evidence.kind == .unclear ? nil : offset, shift: shift,
      evidence: evidence.kind,
      inside: profile.shares(recorded.inside) ?? Product.Cut.Shares(ink: 0, paper: 0, tint: 0),
      outside: profile.shares(recorded.outside), flags: flags, unmeasured: unmeasured)
  }

  /// The distance inside the edge, in pixels, at which a point belongs to the print there.
  private static let beside = 12.0

  /// The numbers of the parts along points of the sheet, such as those of an inset or a mask.
  func parts(where isHidden: (PixelPoint) -> Bool) -> Set<Int> {
    Set(
      track.crossings.filter { isHidden(track.point($0, at: evidence.offset - MeasuredEdge.beside)) }
        .map { track.part(of: $0, among: parts.count) })
  }

  /// Whether the map ends elsewhere along a part of the edge: there is no frame, and the tint beside the edge is as dense
  /// outside as inside.
  ///
  /// - Parameter hidden: the parts that do not count.
  func isUneven(except hidden: Set<Int>) -> Bool {
    func contrast(_ profile: EdgeProfile) -> Double {
      profile.share(.tint, edge - 10...edge - 3) - profile.share(.tint, edge + 3...edge + 10)
    }
    guard evidence.kind != .unclear, contrast(profile) >= 0.5 else { return false }
    let odd = parts.indices.filter {
      parts[$0].lines > 0 && contrast(parts[$0]) < 0.1 && !(evidence.kind == .frame && hasFrame(parts[$0]))
    }
    return odd.contains { !hidden.contains($0) }
  }

  /// The evidence's clarity, reduced if a frame is printed along some parts of the edge only. A line that touches a curved
  /// frame follows more than half of it on a coarse sheet.
  var clarity: Double {
    let seen = parts.filter { $0.lines > 0 }
    guard evidence.kind == .frame, !seen.isEmpty else { return evidence.clarity }
    return evidence.clarity * Double(seen.count(where: hasFrame)) / Double(seen.count)
  }

  /// Whether the edge's frame is printed along most of a part.
  private func hasFrame(_ part: EdgeProfile) -> Bool {
    return (edge - 2...edge + 2).contains { part.share(.nearInk, $0...$0) >= FrameFinder.frameShare }
  }
}

/// The print in consecutive strips, inward and outward of the edge.
extension MeasuredEdge {
  /// The strips that the product records.
  private var recorded: (inside: ClosedRange<Int>, outside: ClosedRange<Int>) {
    (edge - 60...edge - 20, edge + 20...edge + 60)
  }

  /// The first pixels beside the edge contain its frame and the blur.
  private static let first = 4
  private static let width = 20
  private static let count = 10
  /// Beyond a measured edge, only print of this width is map and not the legend.
  private static let wideWidth = 40
  private static let mapShare = 0.7
  /// Inside a frame, paper along this share of the edge may be collar if so much less of the next strips is paper: there the map
  /// begins.
  private static let collarParts = 0.7
  private static let collarFall = 0.4
  private static let collarRim = 2
  /// Ice has contours and the graticule. So many strips with less print are not map.
  private static let blank = 0.99
  private static let blankStrips = 5

  private var stripFlags: [Product.Cut.Flag] {
    let outward = evidence.kind != .unclear ? [] : strips(1, MeasuredEdge.width)
    let beyond = ([recorded.outside] + outward).compactMap(profile.shares)
    let far = strips(1, MeasuredEdge.wideWidth).dropFirst().map { profile.share(.tint, $0) }
    let isTinted = beyond.contains { $0.tint >= 0.5 } || far.contains { $0 >= MeasuredEdge.mapShare }
    // No map continues beyond the frame that the definition names, but tinted boxes of the legend do.
    let isFramed = evidence.kind == .frame && !evidence.isBare && evidence.cutRange.contains(0)
    return isTinted && !isFramed ? [.mapCutOff] : []
  }

  /// Whether there may be collar inside the edge. Ice and enroute charts are as white as a collar, but their print does not begin
  /// along a whole line. Inside a frame between white and white, no map begins.
  ///
  /// - Parameter hidden: the parts that do not count.
  func hasCollar(except hidden: Set<Int>) -> Bool {
    let seen = parts.indices.filter { parts[$0].lines > 0 && !hidden.contains($0) }.map { parts[$0] }
    guard !evidence.endsPrint, !seen.isEmpty else { return false }
    let visible = EdgeProfile(joining: seen)
    func paper(_ profile: EdgeProfile, _ strip: ClosedRange<Int>) -> Double {
      profile.shares(strip)?.paper ?? 0
    }
    let strips = strips(-1, MeasuredEdge.width)
    guard evidence.kind == .frame else {
      return (strips + [recorded.inside]).contains { paper(visible, $0) >= 0.5 }
    }
    let white = strips.map { paper(visible, $0) }
    return strips.indices.contains { index in
      let whole = seen.count { paper($0, strips[index]) >= 0.5 }
      let next = white[(index + 1)...].prefix(MeasuredEdge.collarRim).min() ?? white[index]
      return Double(whole) >= MeasuredEdge.collarParts * Double(seen.count)
        && white[index] - next >= MeasuredEdge.collarFall
    } || white.count { $0 >= MeasuredEdge.blank } >= MeasuredEdge.blankStrips
  }

  /// The strips from the edge as far as the profile reaches.
  private func strips(_ direction: Int, _ width: Int) -> [ClosedRange<Int>] {
    (0..<MeasuredEdge.count * MeasuredEdge.width / width).compactMap { index in
      let near = edge + direction * (MeasuredEdge.first + index * width)
      let far = near + direction * (width - 1)
      return abs(far) <= profile.reach ? min(near, far)...max(near, far) : nil
    }
  }
}

extension NeatlineDefinition.Edge {
  /// How many pixels the printed edge may differ from this one. Hardly any if the definition gives the edge itself; more if it
  /// gives a position, which is accurate to about a hundredth of a degree.
  func slack(near place: GeoPoint, on projection: SheetProjection) -> Int {
    let isUpright: Bool
    switch self {
    case .meridian, .parallel, .column, .row, .straight: return 1
    case .columnThrough: isUpright = true
    case .rowThrough: isUpright = false
    }
    let (slack, doubt) = (12, 0.015)
    // On a leaning sheet, the two may cancel each other out in one direction.
    let moved = (projection.placing.isLeaning ? [doubt, -doubt] : [doubt]).compactMap {
      projection.pixel(of: GeoPoint(longitude: place.longitude + doubt, latitude: place.latitude + $0))
    }
    guard let here = projection.pixel(of: place), !moved.isEmpty else { return slack }
    let pixels = moved.map { abs(isUpright ? $0.column - here.column : $0.row - here.row) }.max() ?? 0
    return slack + Int(min(pixels, 400).rounded(.up))
  }
}
