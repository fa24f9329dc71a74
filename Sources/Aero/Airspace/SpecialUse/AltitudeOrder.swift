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
