internal import Core
internal import Foundation
internal import ImageIO

/// Compares a chart's tiles with the reference patches of its sheet, which the build saved before the warp. Closed formulas, which
/// share no code with the warp, say where the tiles must show a patch.
struct PlaceControl: Rule {
  let name = "place-control"
  let protects =
    "Each thing on the chart lies where it is on the earth, and the chart is the one that its name says."

  func check(_ subject: ProductUnderTest) throws -> RuleResult {
    let product = subject.product
    // `sheet-evidence` reports a chart without `control`.
    guard product.kind == .chart, let control = product.control else { return RuleResult() }
    guard !control.points.isEmpty else {
      return RuleResult(
        missing: .control, of: subject,
        "no reference patch of the sheet was saved that shows where its tiles lie")
    }
    guard let archive = subject.tiles, let strip = subject.file(role: .control) else {
      return RuleResult()
    }
    let patches = try SavedPatches(control, in: strip)
    guard let survey = try PlacementSurvey(patches, of: archive, zoom: product.maxZoom ?? -1) else {
      return RuleResult([error(subject.place, "its `control` names no possible place")])
    }
    guard product.boundingBox.map(survey.lies(within:)) ?? true else {
      return RuleResult([
        error(subject.place, "its `control` places reference patches of its sheet outside of the chart")
      ])
    }
    let verdict = PlacementVerdict(try survey.measurements())
    var facts = verdict.weakness.map { ProductFacts.missing(.control, $0) } ?? ProductFacts()
    facts.place = verdict.agreement
    return RuleResult(try findings(verdict, survey, subject), facts: [product.id: facts])
  }

  private func findings(
    _ verdict: PlacementVerdict, _ survey: PlacementSurvey, _ subject: ProductUnderTest
  ) throws -> [Finding] {
    if verdict.isLost {
      let wide = PlacementVerdict(try survey.measurements(reach: PlacementVerdict.wideReach))
      let shift = wide.isLost ? nil : wide.shift
      return [error(subject.place, shift.map(PlacementVerdict.message) ?? PlacementVerdict.otherChart)]
    }
    if let shift = verdict.shift, hypot(shift.x, shift.y) > PlacementVerdict.chartLimit {
      return [error(subject.place, PlacementVerdict.message(shift))]
    }
    return verdict.strays.map { error("\(subject.place) tile \($0.tile)", $0.problem) }
  }
}

/// The conclusion from the measurements of all reference patches of a chart.
struct PlacementVerdict {
  let measurements: [PlacementSurvey.Measurement]

  /// The least correlation. The right tile has 0.97 and more, even as WebP; a tile of another place or edition next to none.
  private static let known = 0.8
  /// The largest mean square residual, in 255ths, with which even a faint patch is recognized.
  private static let explained = 50.0
  /// The least standard deviation of lightness, of 255. Of a patch that varies less only the colour can be compared.
  private static let visible = 6.0
  /// The least fall of the correlation and the least rise of the residual beside a peak that is sharp enough to measure a place.
  private static let sharp = 0.02
  private static let leastRise = 20.0
  /// Pixels of the largest zoom, for the whole chart and for a single tile.
  static let chartLimit = 0.5
  private static let tileLimit = 0.75
  /// Of 255. A palette for the whole chart or a lossy format changes a colour by a few levels.
  private static let colorLimit = 12.0
  /// Pixels within which a displaced chart is searched for.
  static let wideReach = 12
  /// Fewer measured patches than this are weak evidence.
  private static let enough = 3

  init(_ measurements: [PlacementSurvey.Measurement]) { self.measurements = measurements }

  private var visible: [PlacementSurvey.Measurement] {
    measurements.filter { $0.contrast >= PlacementVerdict.visible }
  }

  /// The patches that measure the place.
  private var clear: [PlacementSurvey.Measurement] {
    visible.filter { $0.isOpaque && isKnown($0) && isLocated($0) }
  }

  private func isKnown(_ measurement: PlacementSurvey.Measurement) -> Bool {
    measurement.peak.correlation >= PlacementVerdict.known
      || measurement.peak.residual <= PlacementVerdict.explained
  }

  /// Whether the peak is sharp in both directions and no other shift fits as well.
  private func isLocated(_ measurement: PlacementSurvey.Measurement) -> Bool {
    let peak = measurement.peak
    return peak.sharpness >= PlacementVerdict.sharp && peak.residualRise >= PlacementVerdict.leastRise
      && (!peak.isUnshifted || max(abs(peak.x), abs(peak.y)) <= 0.5)
  }

  /// Whether most patches were not found at their places. A faint patch, or one with lines in one direction only, does not count
  /// against the chart.
  var isLost: Bool {
    let against = visible.count { !$0.isOpaque || !isKnown($0) || (!$0.peak.isUnshifted && !isLocated($0)) }
    return against * 2 > visible.count
  }

  /// Why the patches are weak evidence; nil where they suffice.
  var weakness: String? {
    let count = clear.count
    guard count < PlacementVerdict.enough else { return nil }
    return count == 0
      ? "no reference patch of the sheet has enough contrast to measure where its tiles lie"
      : "only \(Counts.of(count, "reference patch")) of the sheet \(count == 1 ? "has" : "have") enough contrast to "
        + "measure where its tiles lie"
  }

  /// The median shift of the chart, eastward and southward.
  var shift: (x: Double, y: Double)? {
    let clear = clear
    guard !clear.isEmpty else { return nil }
    return (clear.map(\.peak.x).median, clear.map(\.peak.y).median)
  }

  var agreement: ProductFacts.Agreement? {
    let clear = clear
    guard let shift else { return nil }
    let worst = clear.map { hypot($0.peak.x, $0.peak.y) }.max() ?? 0
    return .init(
      points: clear.count, median: hypot(shift.x, shift.y).hundredths, worst: worst.hundredths)
  }

  static let otherChart =
    "its tiles do not show what its sheet shows at the same places: they are of another chart, another edition or "
    + "another place"

  static func message(_ shift: (x: Double, y: Double)) -> String {
    "its tiles lie \(offsetText(shift.x, shift.y)) of where its sheet has them"
  }

  /// Tiles that are wrong although the chart as a whole is right, each once.
  var strays: [(tile: TileID, problem: String)] {
    var seen: Set<TileID> = []
    return measurements.compactMap { measurement in
      problem(measurement).flatMap { seen.insert(measurement.tile).inserted ? (measurement.tile, $0) : nil }
    }
  }

  private func problem(_ measurement: PlacementSurvey.Measurement) -> String? {
    let peak = measurement.peak
    guard measurement.isOpaque else { return "it is transparent where its sheet shows the map" }
    guard isKnown(measurement) || measurement.contrast < PlacementVerdict.visible else {
      return "it does not show what its sheet shows there"
    }
    if !peak.isUnshifted {
      if !isLocated(measurement) {
        let least = offsetText(Double(peak.nearest.x), Double(peak.nearest.y))
        return "it lies \(least) of where its sheet has it, or more"
      }
      if hypot(peak.x, peak.y) > PlacementVerdict.tileLimit {
        return "it lies \(offsetText(peak.x, peak.y)) of where its sheet has it"
      }
    }
    return measurement.colorDifference > PlacementVerdict.colorLimit
      ? "its colours are \(Int(measurement.colorDifference.rounded())) of 255 off those of its sheet" : nil
  }
}

/// Requires that something printed confirms the place of each chart from west to east and from north to south: the airports, the
/// graticule, or an edge of the definition along its meridian or parallel. Rows and columns say nothing about a place: a mirrored
/// sheet has them too.
struct PlaceEvidence: Rule {
  let name = "place-evidence"
  let protects = "A chart counts as verified only if something printed on it confirms its place."

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    cycle.products.compactMap { subject in
      let facts = cycle.facts[subject.product.id] ?? ProductFacts()
      guard subject.product.control != nil, facts.airports == nil,
        let (severity, problem) = problem(subject.product.cut, facts)
      else { return nil }
      let unfound = (facts.missing ?? []).filter { ![.control, .dates].contains($0.source) }.map(\.reason)
      return finding(
        severity, subject, "",
        "\(problem) (\(unfound.joined(separator: "; "))); build the cycle's database in the same run, so that its "
          + "\(subject.product.symbols.names) are compared, or compare the tiles with another map and accept this"
      )
    }
  }

  private func problem(
    _ cut: Product.Cut?, _ facts: ProductFacts
  ) -> (severity: Finding.Severity, problem: String)? {
    // Without either, the chart itself was not checked.
    guard facts.graticule != nil || facts.missing?.contains(where: { $0.source == .graticule }) == true else {
      return nil
    }
    let found = facts.graticule?.lines ?? []
    let isComplete = found.count == ProductFacts.Line.allCases.count
    if !isComplete, let far = cut?.misplacedEdge {
      return (.error, "it may be misplaced as a whole: \(far)")
    }
    let silent = ProductFacts.Line.allCases.filter { !found.contains($0) && cut?.confirms($0) != true }
    if !silent.isEmpty {
      let ways = silent.map { $0 == .meridians ? "west to east" : "north to south" }
      // A small map may have no line of one direction; the other direction then shows at least that it is not another map.
      let isLost = found.isEmpty || facts.graticule?.lost?.contains(where: silent.contains) != false
      return (
        isLost ? .error : .warning,
        "nothing printed confirms its place from \(ways.joined(separator: " and from "))"
      )
    }
    if !isComplete { return (.warning, "only its edges and the FAA's files give its place") }
    guard cut?.confirms(.meridians) != true else { return nil }
    return (
      .warning,
      "its graticule repeats every half degree, and no printed edge shows which meridian is which, so it may lie half a "
        + "degree too far west or east"
    )
  }
}

extension Product.Cut {
  /// Pixels of the sheet: more than any correct neatline was off, and less than the search for the graticule covers.
  private static let contradiction = 40.0
  private static let confirmation = 10.0

  /// An edge that is printed far from its place; nil where there is none.
  fileprivate var misplacedEdge: String? {
    let edge = printed.first { abs($0.offset ?? 0) > Product.Cut.contradiction }
    return edge.map {
      "its \($0.name) is printed \(abs($0.offset ?? 0)) pixels from where `neatline` has it; correct `neatline` if the sheet is right"
    }
  }

  /// Whether an edge is printed along the meridian or parallel that the definition gives.
  fileprivate func confirms(_ line: ProductFacts.Line) -> Bool {
    let kind = line == .meridians ? "meridian" : "parallel"
    return printed.contains { $0.kind == kind && abs($0.offset ?? .infinity) <= Product.Cut.confirmation }
  }

  /// Edges of an automatic neatline were searched for on the print, so they confirm nothing.
  private var printed: [Edge] {
    source == .given ? edges.filter { $0.evidence == .frame || $0.evidence == .step } : []
  }
}
