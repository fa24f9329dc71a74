internal import Core
internal import Foundation
internal import Pipeline

/// Sheets for measuring, as dense as real ones; they are not among the samples.
extension SheetDesign {
  /// How many times the pixels of a real sheet.
  public enum Scale: String, CaseIterable, Sendable {
    case quarter
    case half
    case full
    case four

    /// Along each side. Four times would be a little more than the pipeline takes for a chart.
    fileprivate var factor: Double {
      switch self {
      case .quarter: 0.5
      case .half: 0.5.squareRoot()
      case .full: 1
      case .four: 1.97
      }
    }
  }

  /// As large as the San Francisco sectional of the FAA, or with its sides shorter or longer.
  public static func fullSize(
    _ scale: Scale = .full, _ edition: Edition, _ features: SheetFeatures
  ) -> SheetDesign {
    let middle = GeoPoint(longitude: -121 - 25.0 / 60, latitude: 38 + 20.0 / 60)
    let factor = scale.factor
    func pixels(_ count: Double) -> Double { (count * factor).rounded() }
    /// Of a degree, so that the edges are numbers which people can read.
    func hundredths(_ degrees: Double) -> Double { (degrees * 100).rounded() / 100 }
    var design = SheetDesign(
      name: "\(scale.rawValue.capitalized) Size", series: .sectional,
      projection: LambertConformal(
        standardParallels: (38.0 + 40.0 / 60, 33.0 + 20.0 / 60), origin: middle),
      metresPerPixel: 42.337, width: Int(pixels(16_658)), height: Int(pixels(12_340)),
      originX: -382_000 * factor, originY: 257_000 * factor,
      neatline: NeatlineDefinition(outline: [
        .meridian(hundredths(middle.longitude - 3.5833 * factor)),
        .parallel(hundredths(middle.latitude - 2.3333 * factor)), .column(pixels(16_600)), .row(pixels(60)),
      ]),
      edition: edition, features: features)
    design.scenery.isDense = true
    return design
  }
}
