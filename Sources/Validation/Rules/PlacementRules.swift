internal import Core
internal import Foundation
internal import Pipeline
internal import TileArchive

/// Where a chart's tiles show what its sheet shows, by pieces of the sheet that were put by before the warp and by formulas
/// that share nothing with it.
struct PlaceControl: ProductRule {
  let name = "place-control"
  let protects =
    "Each thing on the chart lies where it is on the earth, and the chart is the one that it is called."

  func check(_ subject: ProductUnderTest) throws -> [Finding] {
    let product = subject.product
    guard product.kind == .chart else { return [] }
    // That it is missing is what `sheet-evidence` finds.
    guard let control = product.control else { return [] }
    guard !control.points.isEmpty else {
      subject.facts.note(.control, "no piece of the sheet was saved that could show where its tiles lie")
      return []
    }
    guard let archive = subject.tiles else { return [] }
    guard let strip = subject.file(role: Product.Control.role) else { return [] }
    let pieces = try ControlPieces(control, in: strip)
    guard let survey = try PlaceSurvey(pieces, of: archive, zoom: product.maxZoom ?? -1)
    else { return [error(subject.place, "its `control` names no possible place")] }
    guard product.boundingBox.map(survey.lies(within:)) ?? true else {
      return [error(subject.place, "its `control` places pieces of its sheet where the chart is not")]
    }
    let verdict = PlaceVerdict(try survey.sightings())
    subject.facts.place = verdict.agreement
    if let weakness = verdict.weakness { subject.facts.note(.control, weakness) }
    return try findings(verdict, survey, subject)
  }

  private func findings(
    _ verdict: PlaceVerdict, _ survey: PlaceSurvey, _ subject: ProductUnderTest
  ) throws -> [Finding] {
    if verdict.isLost {
      let wide = PlaceVerdict(try survey.sightings(reach: PlaceVerdict.wideReach))
      let shift = wide.isLost ? nil : wide.shift
      return [error(subject.place, shift.map(PlaceVerdict.words) ?? PlaceVerdict.otherChart)]
    }
    if let shift = verdict.shift, hypot(shift.x, shift.y) > PlaceVerdict.chartLimit {
      return [error(subject.place, PlaceVerdict.words(shift))]
    }
    return verdict.strays.map { error("\(subject.place) tile \($0.tile)", $0.problem) }
  }
}

/// What the sightings of a chart's pieces say together.
struct PlaceVerdict {
  let sightings: [PlaceSurvey.Sighting]

  /// Correlations: the right tile has 0.97 and more, even as WebP; that of another place or edition next to none.
  private static let known = 0.8
  /// Mean squares, in 255ths: what is explained so well shows the sheet, however faint it is.
  private static let explained = 50.0
  /// Of 255: what varies less in lightness has nothing that could be found again; only its colour can be compared.
  private static let visible = 6.0
  /// A peak from which the correlation falls less, or beside which the residual rises less, is too broad to measure a
  /// place by.
  private static let sharp = 0.02
  private static let leastRise = 20.0
  /// Pixels of the largest zoom, for the whole chart and for a single tile.
  static let chartLimit = 0.5
  private static let tileLimit = 0.75
  /// Of 255: what a palette for all of a chart or a lossy format takes from a colour is a few.
  private static let colorLimit = 12.0
  /// Within so many pixels a chart is looked for that is not where it should be.
  static let wideReach = 12
  /// Of pieces by which a place was measured: fewer are weak evidence.
  private static let enough = 3

  init(_ sightings: [PlaceSurvey.Sighting]) { self.sightings = sightings }

  private var seen: [PlaceSurvey.Sighting] { sightings.filter { $0.contrast >= PlaceVerdict.visible } }

  /// Those by which the place can be measured.
  private var clear: [PlaceSurvey.Sighting] {
    seen.filter { $0.isOpaque && isKnown($0) && isLocated($0) }
  }

  private func isKnown(_ sighting: PlaceSurvey.Sighting) -> Bool {
    sighting.peak.correlation >= PlaceVerdict.known || sighting.peak.residual <= PlaceVerdict.explained
  }

  /// Whether the peak is sharp in both directions, and no other shift would do as well.
  private func isLocated(_ sighting: PlaceSurvey.Sighting) -> Bool {
    let peak = sighting.peak
    return peak.sharpness >= PlaceVerdict.sharp && peak.residualRise >= PlaceVerdict.leastRise
      && (!peak.isUnshifted || max(abs(peak.x), abs(peak.y)) <= 0.5)
  }

  /// Whether most pieces are not where they were looked for. A faint piece and a line that runs one way say nothing
  /// against a chart.
  var isLost: Bool {
    let against = seen.count { !$0.isOpaque || !isKnown($0) || (!$0.peak.isUnshifted && !isLocated($0)) }
    return against * 2 > seen.count
  }

  /// Why the pieces prove little; nil where they are enough.
  var weakness: String? {
    let count = clear.count
    guard count < PlaceVerdict.enough else { return nil }
    return count == 0
      ? "no saved piece of the sheet has enough contrast to measure where its tiles lie"
      : "only \(Counts.of(count, "saved piece")) of the sheet \(count == 1 ? "has" : "have") enough contrast to "
        + "measure where its tiles lie"
  }

  /// Of the whole chart, eastward and southward.
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

  static func words(_ shift: (x: Double, y: Double)) -> String {
    "its tiles lie \(shift.x.hundredths) pixels east and \(shift.y.hundredths) pixels south of where its sheet has them"
  }

  /// Single tiles that do not go with the others, each once.
  var strays: [(tile: TileID, problem: String)] {
    var seen: Set<TileID> = []
    return sightings.compactMap { sighting in
      problem(sighting).flatMap { seen.insert(sighting.tile).inserted ? (sighting.tile, $0) : nil }
    }
  }

  private func problem(_ sighting: PlaceSurvey.Sighting) -> String? {
    let peak = sighting.peak
    guard sighting.isOpaque else { return "it is transparent where its sheet shows the map" }
    guard isKnown(sighting) || sighting.contrast < PlaceVerdict.visible else {
      return "it does not show what its sheet shows there"
    }
    if !peak.isUnshifted {
      if !isLocated(sighting) {
        return
          "it lies \(peak.nearest.x) pixels east and \(peak.nearest.y) pixels south of where its sheet has it, or more"
      }
      if hypot(peak.x, peak.y) > PlaceVerdict.tileLimit {
        return
          "it lies \(peak.x.hundredths) pixels east and \(peak.y.hundredths) pixels south of where its sheet has it"
      }
    }
    return sighting.colorDifference > PlaceVerdict.colorLimit
      ? "its colours are \(Int(sighting.colorDifference.rounded())) of 255 off those of its sheet" : nil
  }
}

extension [Double] {
  /// The standard deviation; zero for none.
  var spread: Double {
    guard !isEmpty else { return 0 }
    let mean = reduce(0, +) / Double(count)
    return (reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)).squareRoot()
  }

  /// Zero for none.
  var median: Double {
    guard !isEmpty else { return 0 }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}

extension Double {
  /// To two digits, so that the last bits, in which machines differ, have no say.
  var hundredths: Double {
    let rounded = (self * 100).rounded() / 100
    return rounded == 0 ? 0 : rounded
  }
}

/// Warns of a chart on which neither the printed airports nor the whole printed graticule were found: then nothing but the
/// FAA's own georeference says where it lies, in one direction at least. Where the printed edges contradict it, it is an error.
struct PlaceEvidence: CycleRule {
  let name = "place-evidence"
  let protects = "A chart counts as verified only if something printed on it confirms its place."

  /// Pixels of the sheet: farther than any good neatline was ever off, and nearer than the search for the graticule goes.
  private static let contradiction = 40.0
  private static let confirmation = 10.0

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    cycle.products.compactMap { subject in
      let facts = cycle.allFacts(subject)
      let reasons = (facts.missing ?? []).filter { $0.source != .control }
      guard subject.product.control != nil, facts.airports == nil,
        reasons.contains(where: { $0.source == .graticule })
      else { return nil }
      let unfound = reasons.map(\.reason).joined(separator: "; ")
      if let doubt = subject.product.cut?.contradiction(noGraticule: facts.graticule == nil) {
        return finding(
          .error, subject, "",
          "\(unfound); and \(doubt), so it may be misplaced as a whole; compare the tiles with another map, and if the sheet "
            + "is right, correct its `neatline` or accept this")
      }
      return finding(
        .warning, subject, "",
        "its place rests on the FAA's files alone: \(unfound); compare the tiles with another map before you publish them"
      )
    }
  }

  fileprivate static func isFar(_ edge: Product.Cut.Edge) -> Bool {
    abs(edge.offset ?? 0) > contradiction && edge.isPrinted
  }

  fileprivate static func isNear(_ edge: Product.Cut.Edge) -> Bool {
    edge.offset.map { abs($0) <= confirmation } ?? false && edge.isPrinted
  }
}

extension Product.Cut {
  /// What the printed edges say against the place of the sheet; nil where they do not.
  fileprivate func contradiction(noGraticule: Bool) -> String? {
    guard source == .given else { return nil }
    if let edge = edges.first(where: PlaceEvidence.isFar) {
      return "its \(edge.name) is printed \(abs(edge.offset ?? 0)) pixels from where `neatline` has it"
    }
    let isSilent = edges.contains { $0.evidence == .unclear && $0.unmeasured == nil }
    guard noGraticule, isSilent, !edges.contains(where: PlaceEvidence.isNear) else { return nil }
    return "none of its edges is printed where `neatline` has it"
  }
}

extension Product.Cut.Edge {
  fileprivate var isPrinted: Bool { evidence == .frame || evidence == .step }
}
