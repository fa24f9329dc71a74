internal import Core

/// A frequency of FRQ with the airport or the station that it serves: a row of `frequencies`, `weatherStationFrequencies` or another such
/// table.
struct LinkedFrequency {
  /// The airport's number in the directory, or the id of the station's row.
  let owner: Int
  let frequency: Frequency
  /// Of an airport, one of the types of the frequency.
  var type = FrequencyType.other
  /// The number of the row and the airport's identity, which are known when all rows are sorted.
  var number = 0
  var icao = ""

  static let airports = RecordTable<LinkedFrequency>(
    "frequencies", "Radio frequencies of airports; a frequency of two uses has two rows.",
    [
      .init(
        "airport", "TEXT NOT NULL REFERENCES airports(icao)",
        from: ["SERVICED_FACILITY", "SERVICED_SITE_TYPE", "SERVICED_STATE"], .airport
      ) { $0.icao },
      .init(
        "number", "INTEGER NOT NULL",
        "Counts an airport's rows from 1: the common frequency first, then the tower ..."
      ) { $0.number },
      .init(
        "type", "TEXT NOT NULL",
        "ctaf, tower, ground, clearance, atis, awos, approach, departure, unicom, multicom, emergency or other.",
        from: ["FREQ_USE", "SERVICED_SITE_TYPE"], .function(.frequencyType), pairs: FrequencyType.tokens,
        words: Set(FrequencyType.allCases.map(\.rawValue))
      ) { $0.type.rawValue },
      .init(
        "frequency", "REAL NOT NULL", "MHz, military UHF and oceanic HF too.", from: ["FREQ"],
        .function(.megahertz)
      ) { $0.frequency.radio.megahertz },
      .init(
        "name", "TEXT", "The call, such as NORCAL; else the name of the facility.",
        from: ["TOWER_OR_COMM_CALL", "PRIMARY_APPROACH_RADIO_CALL", "FAC_NAME"], .function(.call)
      ) { $0.frequency.name(as: $0.type) },
      .init("remark", "TEXT", from: ["REMARK"], .text) { $0.frequency.remark },
      .init(
        "use", "TEXT", "The FAA's own words: LCL/P, APCH/P DEP/P IC, CLASS C ...", from: ["FREQ_USE"], .text
      ) { $0.frequency.use },
      .init(
        "vhf", "INTEGER NOT NULL", "1 within 118 to 137 MHz, which civil radios receive.", from: ["FREQ"],
        .function(.isVHF)
      ) { $0.frequency.radio.isVHF },
      .init(
        "receiveOnly", "INTEGER NOT NULL", "1 where the station listens on it and does not transmit.",
        from: ["FREQ"], .function(.isReceiveOnly)
      ) { $0.frequency.radio.isReceiveOnly },
      .init("channel", "TEXT", "The TACAN channel paired with it: 35X.", from: ["FREQ"], .function(.channel))
      { $0.frequency.radio.channel },
      .init(
        "sector", "TEXT", "For which runways or directions, in the FAA's words.", from: ["SECTORIZATION"],
        .function(.sector)
      ) { $0.frequency.sector },
      .init("hours", "TEXT", "The tower's hours, in the FAA's words.", from: ["TOWER_HRS"], .text) {
        $0.frequency.hours
      },
    ],
    source: Frequency.table, constraints: ["PRIMARY KEY (airport, number)"], isKeyed: true)

  static func table(
    _ name: String, _ comment: String, of owner: String, in table: String
  ) -> RecordTable<LinkedFrequency> {
    RecordTable(
      name, comment,
      [
        .init(
          owner, "INTEGER NOT NULL REFERENCES \(table)(id)",
          from: ["SERVICED_FACILITY", "SERVICED_SITE_TYPE"], .owner
        ) { $0.owner },
        .init("number", "INTEGER NOT NULL", "Counts from 1 within what the row belongs to; civil ones first.")
        { $0.number },
        .init("frequency", "REAL NOT NULL", "MHz.", from: ["FREQ"], .function(.megahertz)) {
          $0.frequency.radio.megahertz
        },
        .init(
          "vhf", "INTEGER NOT NULL", "1 within 118 to 137 MHz, which civil radios receive.", from: ["FREQ"],
          .function(.isVHF)
        ) { $0.frequency.radio.isVHF },
        .init(
          "receiveOnly", "INTEGER NOT NULL", "1 where the station only listens on it.", from: ["FREQ"],
          .function(.isReceiveOnly)
        ) { $0.frequency.radio.isReceiveOnly },
        .init("use", "TEXT", "The FAA's own words.", from: ["FREQ_USE"], .text) { $0.frequency.use },
        .init(
          "sector", "TEXT", "LOW, HIGH, directions, or the network of an HF frequency.",
          from: ["SECTORIZATION"], .function(.sector)
        ) { $0.frequency.sector },
        .init("remark", "TEXT", from: ["REMARK"], .text) { $0.frequency.remark },
      ],
      source: Frequency.table, constraints: ["PRIMARY KEY (\(owner), number)"], isKeyed: true)
  }
}

/// A radio frequency: a row of FRQ.
///
/// The table holds the frequencies of airports, weather stations, remote outlets, control facilities and navaids. Their identifiers are
/// often the same; the kind of the served site distinguishes them. Navaids have their frequency in their own table, so their rows
/// are skipped here.
///
/// A class, since a frequency of two uses is in two rows, and since sorting moves each row many times.
final class Frequency: TableRecord {
  /// The kind of the served site.
  enum Service {
    case airport, weatherStation, outlet, controlFacility, flightService

    fileprivate init?(_ kind: String) {
      switch kind {
      case "RCO", "RCO1", "RCAG": self = .outlet
      case "TRACON", "CERAP", "ARTCC": self = .controlFacility
      case "FSS", "RADIO": self = .flightService
      case _ where kind.hasPrefix("ASOS") || kind.hasPrefix("AWOS"): self = .weatherStation
      default:
        guard siteTypes[kind] != nil else { return nil }
        self = .airport
      }
    }
  }

  static let table = "FRQ"
  static let columns = [
    "FAC_NAME", "TOWER_HRS", "SERVICED_FACILITY", "SERVICED_FAC_NAME", "SERVICED_SITE_TYPE", "SERVICED_STATE",
    "TOWER_OR_COMM_CALL", "PRIMARY_APPROACH_RADIO_CALL", "FREQ", "SECTORIZATION", "FREQ_USE", "REMARK",
  ]

  /// The site type code of APT_BASE for the words of FRQ.
  private static let siteTypes: [String: String] = [
    "AIRPORT": "A", "BALLOONPORT": "B", "SEAPLANE BASE": "C", "GLIDERPORT": "G", "HELIPORT": "H",
    "ULTRALIGHT": "U", "VERTIPORT": "V",
  ]

  let line: Int
  let service: Service
  /// The identifier of the served site, or the name of an outlet.
  let served: String
  let servedName: String?
  /// An airport's site type code; the FAA's word for anything else.
  let siteType: String
  let state: String?
  let radio: RadioFrequency
  let types: [FrequencyType]
  /// The FAA's words for its use.
  let use: String?
  let facilityName: String?
  let towerCall: String?
  let approachCall: String?
  let sector: String?
  let hours: String?
  let remark: String?

  init?(_ row: SourceRow) throws(UnusableRow) {
    use = row.text("FREQ_USE")
    if let use, !FrequencyType.isKnown(use) {
      row.report(.unknownCode, "FREQ_USE", "the use is not known")
    }
    guard let kind = row.text("SERVICED_SITE_TYPE") else { return nil }
    guard let service = Service(kind) else {
      if NavaidCodes.types[kind] == nil {
        row.report(.unknownCode, "SERVICED_SITE_TYPE", "the code is not known")
      }
      return nil
    }
    line = row.line
    self.service = service
    served = try row.required("SERVICED_FACILITY")
    servedName = row.text("SERVICED_FAC_NAME")
    siteType = Frequency.siteTypes[kind] ?? kind
    state = row.text("SERVICED_STATE")
    guard let radio = RadioFrequency(try row.required("FREQ")) else {
      throw row.unusable("FREQ", "it is no frequency")
    }
    self.radio = radio
    types = FrequencyType.all(in: use ?? "")
    facilityName = row.text("FAC_NAME")
    towerCall = row.text("TOWER_OR_COMM_CALL")
    approachCall = row.text("PRIMARY_APPROACH_RADIO_CALL")
    sector = row.text("SECTORIZATION") ?? radio.network
    hours = row.text("TOWER_HRS")
    remark = row.text("REMARK")
  }

  /// The name of the station to call.
  func name(as type: FrequencyType) -> String? {
    switch type {
    case .approach, .departure: approachCall ?? facilityName
    case .awos: use
    case .emergency, .other: facilityName
    default: towerCall ?? facilityName
    }
  }
}

/// The use of a frequency. The cases are in the order in which apps show them.
enum FrequencyType: String, CaseIterable, Comparable {
  case ctaf, tower, ground, clearance, atis, awos, approach, departure, unicom, multicom, emergency, other

  private static let order = Dictionary(uniqueKeysWithValues: zip(allCases, allCases.indices))

  static func < (left: FrequencyType, right: FrequencyType) -> Bool {
    (order[left] ?? 0) < (order[right] ?? 0)
  }

  /// The types in the FAA's words: `APCH/P DEP/P IC` is both approach and departure.
  ///
  /// A use that ends in STAR or DP belongs to one procedure, not to the airport's approach control.
  static func all(in use: String) -> [FrequencyType] {
    let tokens = use.split(separator: " ")
    guard let last = tokens.last, last != "STAR", last != "DP" else { return [.other] }
    if use.hasPrefix("CD PRE ") { return [.clearance] }
    let types = Set(tokens.compactMap(FrequencyType.init(token:)))
    return types.isEmpty ? [.other] : types.sorted()
  }

  /// Words of uses without a type: airspace, procedures, sectors of centers, flight service, military uses.
  private static let others: Set<Substring> = [
    "CLASS", "TRSA", "SFRA", "STAR", "DP", "ARTCC", "CERAP", "RCAG", "RCO", "RADIO", "FSS", "GCO", "AFIS",
    "A/G", "FINAL", "ARR", "DEP", "PRM", "ASR", "PAR", "ASR/PAR", "GCA", "RADAR", "RDR", "ADZY", "METERING",
    "SEQUENCING", "FLW", "SFA", "ALCP", "OPS", "POST", "PTD", "PMSV", "METRO", "SOF", "LSO", "RTIS",
    "AMC/ATOC", "ATCOM", "AFMC", "MEDEVAC", "RAMP", "RANGE", "ASOS", "VOR", "VORTAC", "VOR/DME", "VOT", "NDB",
    "NDB/DME", "UHF/NDB", "DME", "TACAN", "MARKER", "CONSOLAN", "IC",
  ]

  /// Whether at least one of the words is known. The names of procedures and facilities among them are not.
  static func isKnown(_ use: String) -> Bool {
    if use.hasPrefix("CD PRE ") { return true }
    return use.split(separator: " ").contains { token in
      others.contains(token) || token.hasPrefix("AWOS") || token.hasPrefix("PAR/")
        || FrequencyType(token: token) != nil
    }
  }

  /// The types of words, and of beginnings of words up to a slash.
  static let tokens: CodeBook = [
    "CTAF": "ctaf", "UNICOM": "unicom", "MULTICOM": "multicom", "ATIS": "atis", "D-ATIS": "atis",
    "EMERG": "emergency", "LCL/": "tower", "GND/": "ground", "CD/": "clearance", "APCH/": "approach",
    "DEP/": "departure",
  ]

  private init?(token: Substring) {
    let start = token.firstIndex(of: "/").map { token[...$0] }
    guard let word = FrequencyType.tokens[token] ?? start.flatMap({ FrequencyType.tokens[$0] }) else {
      return nil
    }
    self.init(rawValue: word)
  }
}

/// A value of the FREQ column: `126.975`, `122.1R` (receive only), `109.8/35X` (with the channel paired to it),
/// `17907 CARIBBEAN FAMILY A` (HF, in kHz, with the network it belongs to).
struct RadioFrequency: Equatable {
  let megahertz: Double
  let isReceiveOnly: Bool
  let channel: String?
  let network: String?

  /// Whether civil voice radios receive it; the others are military UHF and oceanic HF.
  var isVHF: Bool { (118...137).contains(megahertz) }

  init?(_ text: String) {
    let number = text.prefix { $0.isDigit || $0 == "." }
    let rest = text.dropFirst(number.count)
    guard let value = Double(number) else { return nil }
    // The column has no unit: HF is in kHz, everything from the military's low band on is in MHz.
    switch value {
    case 30...400: megahertz = value
    case 2000...30_000: megahertz = value / 1000
    default: return nil
    }
    isReceiveOnly = rest == "R"
    channel = RadioFrequency.channel(rest)
    network = rest.first == " " ? String(rest.dropFirst()) : nil
    guard rest.isEmpty || isReceiveOnly || channel != nil || network != nil else { return nil }
  }

  private static func channel(_ text: Substring) -> String? {
    guard text.first == "/", let band = text.last, band == "X" || band == "Y" else { return nil }
    let number = text.dropFirst().dropLast()
    return (1...3).contains(number.count) && number.allSatisfy(\.isDigit) ? String(text.dropFirst()) : nil
  }
}

extension Character {
  fileprivate var isDigit: Bool { isASCII && isNumber }
}

/// The frequencies of one kind of station that is not an airport.
struct StationFrequencies: Sendable {
  let frequencies: RecordTable<LinkedFrequency>
  let service: Frequency.Service
  /// The table of the stations.
  let stations: TableSchema
  /// Whether FRQ may name a station by its `name`.
  let hasNames: Bool

  static let all = [
    StationFrequencies(
      "weatherStationFrequencies",
      "Frequencies of weather stations; those at airports are among the airports' too.", .weatherStation,
      of: "station", in: .weatherStations),
    StationFrequencies(
      "outletFrequencies", "Frequencies of communication outlets.", .outlet, of: "outlet",
      in: .communicationOutlets, hasNames: true),
    StationFrequencies(
      "controlFrequencies", "Frequencies of approach controls and centers that are not an airport's own.",
      .controlFacility, of: "facility", in: .controlFacilities),
    StationFrequencies(
      "flightServiceFrequencies", "Frequencies of flight service stations themselves, oceanic HF too.",
      .flightService, of: "station", in: .flightServiceStations),
  ]

  private init(
    _ name: String, _ comment: String, _ service: Frequency.Service, of owner: String,
    in stations: SourceTable, hasNames: Bool = false
  ) {
    (self.service, self.stations, self.hasNames) = (service, stations.schema, hasNames)
    frequencies = LinkedFrequency.table(name, comment, of: owner, in: stations.schema.name)
  }
}
