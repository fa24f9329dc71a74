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
