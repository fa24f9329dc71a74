/// What a column of numbers measures, and which numbers can be. NULL is always allowed: what the FAA does not say is not made
/// up.
public struct Quantity: Sendable {
  /// Beyond it a number is wrong; what is read of the FAA's tables is dropped there.
  public let possible: ClosedRange<Double>
  /// Beyond it a number is odd, and may be true all the same.
  public let usual: ClosedRange<Double>
  /// `feet`; nil for numbers that only count, name a row, or say yes or no.
  public let unit: String?

  init(_ possible: ClosedRange<Double>, usual: ClosedRange<Double>? = nil, _ unit: String? = nil) {
    self.possible = possible
    self.usual = usual ?? possible
    self.unit = unit
  }

  /// `0 to 360 degrees`
  public static func words(_ range: ClosedRange<Double>, _ unit: String?) -> String {
    let bounds = "\(plain(range.lowerBound)) to \(plain(range.upperBound))"
    return unit.map { "\(bounds) \($0)" } ?? bounds
  }

  /// Bounds are whole, or have a digit or two.
  private static func plain(_ bound: Double) -> String {
    bound == bound.rounded() ? "\(Int(bound))" : "\(bound)"
  }
}

/// What the columns measure. The usual values leave room around those of whole cycles of 2023 to 2026.
extension Quantity {
  static let flag = Quantity(0...1)
  static let count = Quantity(0...1_000_000)
  /// The number of a row of this table or of another one.
  static let row = Quantity(1...1_000_000_000)

  static let latitude = Quantity(-90...90, "degrees")
  static let longitude = Quantity(-180...180, "degrees")
  static let bearing = Quantity(0...360, "degrees")
  static let variation = Quantity(-180...180, usual: -40...50, "degrees")
  static let slope = Quantity(0...20, usual: 1.5...12, "degrees")

  /// Of the ground.
  static let elevation = Quantity(-1500...30_000, usual: -300...14_500, "feet")
  static let altitude = Quantity(-2000...1_000_000, usual: -300...100_000, "feet")
  static let route = Quantity(0...99_999, usual: 500...60_000, "feet")
  static let length = Quantity(1...99_999, usual: 10...30_000, "feet")
  static let width = Quantity(1...99_999, usual: 4...10_000, "feet")
  static let declared = Quantity(0...99_999, usual: 0...20_000, "feet")
  static let feet = Quantity(0...99_999, "feet")
  static let weight = Quantity(0...10_000_000, usual: 0...2_000_000, "pounds")

  static let miles = Quantity(0...10_000, usual: 0...1000, "nautical miles")
  static let radius = Quantity(0...100, usual: 0...50, "nautical miles")

  /// Of any radio, the HF of the oceans and the UHF of the military too.
  static let radio = Quantity(2...400, "MHz")
  /// Of civil airplanes.
  static let voice = Quantity(118...137, "MHz")
}
