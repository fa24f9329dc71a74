internal import Geo
internal import Pipeline

/// One edge of a neatline, held against the sheet.
struct MeasuredEdge {
  let side: Neatline.Side
  let evidence: EdgeEvidence
  private let track: EdgeTrack
  private let profile: EdgeProfile

  /// How far from the edge the strips lie that tell map from collar.
  private static let strip = 20...60

  init(
    _ side: Neatline.Side, to end: Neatline.Vertex, on projection: SheetProjection, survey: EdgeSurvey,
    reach: Int
  ) throws {
    self.side = side
    track = EdgeTrack(side, to: end, on: projection)
    profile = try survey.profile(track, reach: reach + MeasuredEdge.strip.upperBound + 20)
    evidence = EdgeEvidence(profile, reach: reach)
  }

  /// The middle of the edge that was found; nil where nothing was looked at.
  var foundPixel: PixelPoint? {
    guard !track.crossings.isEmpty else { return nil }
    let crossing = track.crossings[track.crossings.count / 2]
    let unit = Double(EdgeTrack.Crossing.unit)
    let place = (Double(crossing.position) + evidence.offset * Double(crossing.stride)) / unit
    let line = Double(crossing.line) + 0.5
    return track.isUpright ? PixelPoint(column: place, row: line) : PixelPoint(column: line, row: place)
  }

  /// What the product tells of it. The strips are counted from the printed edge where that is known.
  var record: Product.Cut.Edge {
    let found = Int(evidence.offset.rounded())
    let strip = MeasuredEdge.strip
    let inside = profile.shares(found - strip.upperBound...found - strip.lowerBound)
    let outside = profile.shares(found + strip.lowerBound...found + strip.upperBound)
    let offset = (evidence.offset * 10).rounded() / 10
    return Product.Cut.Edge(
      name: side.name, edge: side.edge, offset: evidence.kind == .unclear ? nil : offset,
      shift: evidence.shift, evidence: evidence.kind,
      inside: inside ?? Product.Cut.Shares(ink: 0, paper: 0, tint: 0), outside: outside,
      flags: flags(inside, outside))
  }

  private func flags(_ inside: Product.Cut.Shares?, _ outside: Product.Cut.Shares?) -> [Product.Cut.Flag] {
    var flags: [Product.Cut.Flag] = []
    if let inside, inside.paper >= 0.5 { flags.append(.collarLeft) }
    if let outside, outside.tint >= 0.5 { flags.append(.mapCutOff) }
    if side.edge.isExact, abs(evidence.offset) > 6 { flags.append(.moved) }
    return flags
  }
}

extension NeatlineDefinition.Edge {
  /// Whether it says where the edge is, and not only about where.
  fileprivate var isExact: Bool {
    switch self {
    case .meridian, .parallel, .column, .row, .straight: true
    case .columnThrough, .rowThrough: false
    }
  }

  /// How many pixels from it the printed edge may be.
  func reach(near place: GeoPoint, on projection: SheetProjection) -> Int {
    let play = 12
    guard !isExact else { return play }
    let doubt = 0.015  // degrees: places are known to about a hundredth
    let moved = GeoPoint(longitude: place.longitude + doubt, latitude: place.latitude + doubt)
    guard let here = projection.pixel(of: place), let there = projection.pixel(of: moved) else { return play }
    let pixels = abs(isUpright ? there.column - here.column : there.row - here.row)
    return play + Int(min(pixels, 400).rounded(.up))
  }

  private var isUpright: Bool { if case .columnThrough = self { true } else { false } }
}
