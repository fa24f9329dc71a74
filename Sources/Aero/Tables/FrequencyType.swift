/// What a frequency is for, in the apps' words and in the order in which they are shown.
enum FrequencyType: String, CaseIterable, Comparable {
  case ctaf, tower, ground, clearance, atis, awos, approach, departure, unicom, multicom, emergency, other

  private static let order = Dictionary(uniqueKeysWithValues: zip(allCases, allCases.indices))

  static func < (left: FrequencyType, right: FrequencyType) -> Bool {
    (order[left] ?? 0) < (order[right] ?? 0)
  }

  /// The types that the FAA's words name: `APCH/P DEP/P IC` is approach and departure at once.
  ///
  /// What ends in STAR or DP is the frequency of one procedure, which is not the field's approach control.
  static func all(in use: String) -> [FrequencyType] {
    let tokens = use.split(separator: " ")
    guard let last = tokens.last, last != "STAR", last != "DP" else { return [.other] }
    if use == "CD PRE TAXI CLNC" { return [.clearance] }
    let types = Set(tokens.compactMap(FrequencyType.init(token:)))
    return types.isEmpty ? [.other] : types.sorted()
  }

  private init?(token: Substring) {
    switch token {
    case "CTAF": self = .ctaf
    case "UNICOM": self = .unicom
    case "MULTICOM": self = .multicom
    case "ATIS", "D-ATIS": self = .atis
    case "EMERG": self = .emergency
    default:
      switch token.prefix(through: token.firstIndex(of: "/") ?? token.startIndex) {
      case "LCL/": self = .tower
      case "GND/": self = .ground
      case "CD/": self = .clearance
      case "APCH/": self = .approach
      case "DEP/": self = .departure
      default: return nil
      }
    }
  }
}
