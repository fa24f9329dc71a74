/// The floor or the ceiling of an airspace.
struct AltitudeLimit: Hashable, Sendable {
  enum Datum: String, Sendable {
    case surface
    case agl
    case msl
    /// A flight level.
    case standard
    case unlimited
    /// A reference that is not known here.
    case other
  }

  let datum: Datum
  /// Feet; nil where it has no number.
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

  /// Feet above mean sea level where that can be said without knowing the ground: 0 stands for the surface.
  var comparableFeet: Int? {
    switch datum {
    case .surface, .msl, .standard: feet
    case .agl, .unlimited, .other: nil
    }
  }

  private static let feetByUnit = ["FT": 1, "": 1, "FL": 100, "M": 1 / 0.3048]

  /// Whether a unit of measure is feet (as where none is given), flight levels or metres.
  static func isKnown(unit: String) -> Bool { feetByUnit[unit] != nil }

  static let unknownUnit = "the unit of measure is none of FT, FL and M"

  /// Of a number with its unit and its reference, as both sources have them: `7`, `FL`, `STD`. Metres are converted to the nearest
  /// foot. Nil when the unit is not known, and for a number that no altitude can be.
  init?(number: Double, unit: String, reference: String) {
    guard let factor = AltitudeLimit.feetByUnit[unit] else { return nil }
    let feet = number * factor
    guard feet.isFinite, (-2000...1_000_000).contains(feet) else { return nil }
    let whole = Int(feet.rounded())
    switch reference {
    // "700 SFC" is 700 feet above it.
    case "SFC", "AGL", "GND": self = whole <= 0 ? .surface : AltitudeLimit(datum: .agl, feet: whole)
    case "MSL": self.init(datum: unit == "FL" ? .standard : .msl, feet: whole)
    case "STD": self.init(datum: .standard, feet: whole)
    default: self.init(datum: unit == "FL" ? .standard : .other, feet: whole)
    }
  }

  private init(datum: Datum, feet: Int?) {
    self.datum = datum
    self.feet = feet
  }
}

/// How two bands lie to each other.
///
/// Numbers from mean sea level and flight levels are compared with each other, those from the ground among
/// themselves; the ground lies below everything. Which of `1500 ft AGL` and `3000 ft MSL` is the higher one nobody can say
/// without the terrain.
extension AltitudeBand {
  enum Remainder: Equatable {
    /// The bands do not meet.
    case untouched
    /// What is left above and below, from the bottom up; nothing where all of it is covered.
    case left([AltitudeBand])
    /// It cannot be said without the terrain.
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

    /// Nil where it cannot be said.
    func isAtMost(_ other: Level) -> Bool? {
      switch (self, other) {
      case (.bottom, _), (_, .top): true
      case (.top, _), (_, .bottom): false
      case (.sea(let own), .sea(let theirs)), (.ground(let own), .ground(let theirs)): own <= theirs
      default: nil
      }
    }
  }

  private var low: Level { Level(lower, without: .bottom) }
  private var high: Level { Level(upper, without: .top) }

  func isSame(as other: AltitudeBand) -> Bool { low == other.low && high == other.high }

  /// What of the band a cut leaves.
  func minus(_ cut: AltitudeBand) -> Remainder {
    if cut.high.isAtMost(low) == true || high.isAtMost(cut.low) == true { return .untouched }
    var left: [AltitudeBand] = []
    if cut.low.isAtMost(low) != true {
      guard cut.low.isAtMost(high) != nil else { return .unknown }
      left.append(AltitudeBand(lower: lower, upper: cut.lower))
    }
    if high.isAtMost(cut.high) != true {
      guard low.isAtMost(cut.high) != nil else { return .unknown }
      left.append(AltitudeBand(lower: cut.upper, upper: upper))
    }
    return .left(left)
  }
}
