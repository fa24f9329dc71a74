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
    if use.hasPrefix("CD PRE ") { return [.clearance] }
    let types = Set(tokens.compactMap(FrequencyType.init(token:)))
    return types.isEmpty ? [.other] : types.sorted()
  }

  /// Words that name a use of no type of its own: airspace, procedures, sectors of centers, flight service, military uses.
  private static let others: Set<Substring> = [
    "CLASS", "TRSA", "SFRA", "STAR", "DP", "RCAG", "RCO", "RADIO", "FSS", "GCO", "AFIS", "A/G", "FINAL",
    "ARR", "DEP", "PRM", "ASR", "PAR", "ASR/PAR", "GCA", "RADAR", "RDR", "ADZY", "METERING", "SEQUENCING",
    "FLW", "SFA", "ALCP", "OPS", "POST", "PTD", "PMSV", "METRO", "SOF", "LSO", "RTIS", "AMC/ATOC", "ATCOM",
    "AFMC", "MEDEVAC", "RAMP", "RANGE", "ASOS", "VOR", "VORTAC", "VOR/DME", "VOT", "NDB", "NDB/DME",
    "UHF/NDB", "DME", "TACAN", "MARKER", "CONSOLAN", "IC",
  ]

  /// Whether a word of the FAA's is one that is known; the names of procedures and facilities before it are not looked at.
  static func isKnown(_ use: String) -> Bool {
    if use.hasPrefix("CD PRE ") { return true }
    return use.split(separator: " ").contains { token in
      others.contains(token) || token.hasPrefix("AWOS") || token.hasPrefix("PAR/")
        || FrequencyType(token: token) != nil
    }
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
