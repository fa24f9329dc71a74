/// The floor or the ceiling of an airspace.
struct AltitudeLimit: Hashable, Sendable {
  enum Datum: String, Sendable {
    case surface
    case agl
    case msl
    /// A flight level.
    case standard
    case unlimited
    /// An unknown reference.
    case other
  }

  let datum: Datum
  /// Feet; nil without a number.
  let feet: Int?

  static let surface = AltitudeLimit(datum: .surface, feet: 0)
  static let unlimited = AltitudeLimit(datum: .unlimited, feet: nil)

  /// As pilots read it: `SFC`, `700 ft AGL`, `FL180`.
  var text: String {
    let number = feet.map(String.init) ?? "?"
    switch datum {
    case .surface: return "SFC"
    case .agl: return number + " ft AGL"
    case .msl: return number + " ft MSL"
    case .standard:
      let level = String((feet ?? 0) / 100)
      return "FL" + String(repeating: "0", count: max(0, 3 - level.count)) + level
    case .unlimited: return "UNL"
    case .other: return number + " ft"
    }
  }

  /// Feet above mean sea level where terrain data are not necessary. The surface is 0.
  var comparableFeet: Int? {
    switch datum {
    case .surface, .msl, .standard: feet
    case .agl, .unlimited, .other: nil
    }
  }

  private static let feetByUnit = ["FT": 1, "": 1, "FL": 100, "M": 1 / 0.3048]

  /// Whether a unit of measure is feet (the default), flight levels or metres.
  static func isKnown(unit: String) -> Bool { feetByUnit[unit] != nil }

  static let unknownUnit = "the unit of measure is none of FT, FL and M"

  /// Reads a number with its unit and its reference, such as `7`, `FL`, `STD`. Metres are converted to the nearest foot. Returns nil for
  /// an unknown unit and an implausible number.
  init?(number: Double, unit: String, reference: String) {
    guard let factor = AltitudeLimit.feetByUnit[unit] else { return nil }
    let feet = number * factor
    guard feet.isFinite, (-2000...1_000_000).contains(feet) else { return nil }
    let whole = Int(feet.rounded())
    switch reference {
    // "700 SFC" is 700 feet above the surface.
    case "SFC", "AGL", "GND": self = whole <= 0 ? .surface : AltitudeLimit(datum: .agl, feet: whole)
    case "MSL": self.init(datum: unit == "FL" ? .standard : .msl, feet: whole)
    case "STD": self.init(datum: .standard, feet: whole)
    default: self.init(datum: unit == "FL" ? .standard : .other, feet: whole)
    }
  }

  private init(datum: Datum, feet: Int?) { (self.datum, self.feet) = (datum, feet) }
}

/// A floor and a ceiling; nil where the source has none.
struct AltitudeBand: Hashable {
  var lower: AltitudeLimit?
  var upper: AltitudeLimit?

  var text: String { "\(lower?.text ?? "SFC") to \(upper?.text ?? "UNL")" }
}

/// Comparison of bands.
///
/// Altitudes above mean sea level and flight levels are comparable with each other, heights above ground among themselves, and the surface
/// is below all. Without terrain data, `1500 ft AGL` and `3000 ft MSL` are not comparable.
extension AltitudeBand {
  enum Difference: Equatable {
    /// The bands do not overlap.
    case disjoint
    /// The parts below and above the other band, from the bottom up; none where it covers all.
    case bands([AltitudeBand])
    /// Not comparable without terrain data.
    case unknown
  }

  private enum Level: Equatable {
    case bottom
    case top
    case sea(Int)
    case ground(Int)
    case other

    init(_ limit: AltitudeLimit?, without level: Level) {
      switch limit?.datum {
      case nil: self = level
      case .surface: self = .bottom
      case .unlimited: self = .top
      case .msl, .standard: self = .sea(limit?.feet ?? 0)
      case .agl: self = .ground(limit?.feet ?? 0)
      case .other: self = .other
      }
    }

    /// Nil where the levels are not comparable.
    func isAtMost(_ other: Level) -> Bool? {
      switch (self, other) {
      case (.bottom, _), (_, .top): true
      case (.top, _), (_, .bottom): false
      case (.sea(let left), .sea(let right)), (.ground(let left), .ground(let right)): left <= right
      default: nil
      }
    }
  }

  private var low: Level { Level(lower, without: .bottom) }
  private var high: Level { Level(upper, without: .top) }

  func isSame(as other: AltitudeBand) -> Bool { low == other.low && high == other.high }

  /// Returns the parts of the band outside another one.
  func subtracting(_ cut: AltitudeBand) -> Difference {
    if cut.high.isAtMost(low) == true || high.isAtMost(cut.low) == true { return .disjoint }
    var bands: [AltitudeBand] = []
    if cut.low.isAtMost(low) != true {
      guard cut.low.isAtMost(high) != nil else { return .unknown }
      bands.append(AltitudeBand(lower: lower, upper: cut.lower))
    }
    if high.isAtMost(cut.high) != true {
      guard low.isAtMost(cut.high) != nil else { return .unknown }
      bands.append(AltitudeBand(lower: cut.upper, upper: upper))
    }
    return .bands(bands)
  }
}
