internal import Core
internal import Foundation
internal import Pipeline

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
