internal import Foundation
internal import Geo

/// What the sightings of a chart's pieces say together.
struct PlaceVerdict {
  let sightings: [PlaceSurvey.Sighting]

  /// Correlations: the right tile has 0.97 and more, even as WebP; that of another place or edition next to none.
  private static let known = 0.8
  /// Of 255: what varies less in lightness has nothing that could be found again; only its colour can be held against it.
  private static let visible = 6.0
  /// A peak from which the correlation falls less is too broad to tell a place by.
  private static let sharp = 0.02
  /// Pixels of the largest zoom, for the whole chart and for a single tile.
  static let chartLimit = 0.5
  private static let tileLimit = 0.75
  /// Of 255: what a palette for all of a chart or a lossy format takes from a colour is a few.
  private static let colorLimit = 12.0
  /// Within so many pixels a chart is looked for that is not where it should be.
  static let wideReach = 12

  init(_ sightings: [PlaceSurvey.Sighting]) { self.sightings = sightings }

  private var clear: [PlaceSurvey.Sighting] {
    seen.filter {
      $0.isOpaque && $0.peak.correlation >= PlaceVerdict.known && $0.peak.sharpness >= PlaceVerdict.sharp
    }
  }

  private var seen: [PlaceSurvey.Sighting] { sightings.filter { $0.contrast >= PlaceVerdict.visible } }

  /// Whether most pieces are not where they were looked for.
  var isLost: Bool { !seen.isEmpty && clear.count * 2 <= seen.count }

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
    guard peak.correlation >= PlaceVerdict.known || sighting.contrast < PlaceVerdict.visible else {
      return "it does not show what its sheet shows there"
    }
    if peak.sharpness >= PlaceVerdict.sharp, hypot(peak.x, peak.y) > PlaceVerdict.tileLimit {
      return
        "it lies \(peak.x.hundredths) pixels east and \(peak.y.hundredths) pixels south of where its sheet has it"
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
