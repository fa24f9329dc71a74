/// A radio frequency: a row of FRQ.
///
/// The table holds those of airports, weather stations, remote outlets, control facilities and navaids, whose
/// identifiers are often the same: what tells them apart is the kind of the site that is served. A navaid's own frequency
/// is in the navaids' table, so its row here is passed over.
///
/// A class, since a frequency of two uses is two rows, and since putting them in order moves each many times.
final class Frequency: NASRRecord {
  // The FAA's own names.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  enum Column: Int, NASRColumn {
    case FAC_NAME, TOWER_HRS, SERVICED_FACILITY, SERVICED_FAC_NAME, SERVICED_SITE_TYPE, SERVICED_STATE,
      TOWER_OR_COMM_CALL, PRIMARY_APPROACH_RADIO_CALL, FREQ, SECTORIZATION, FREQ_USE, REMARK
  }

  /// What is served.
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

  /// The site type code of APT_BASE for the words of FRQ.
  private static let siteTypes: [String: String] = [
    "AIRPORT": "A", "BALLOONPORT": "B", "SEAPLANE BASE": "C", "GLIDERPORT": "G", "HELIPORT": "H",
    "ULTRALIGHT": "U",
    "VERTIPORT": "V",
  ]

  let line: Int
  let service: Service
  /// The identifier of what is served, an outlet's name.
  let served: String
  let servedName: String?
  /// An airport's site type code; the FAA's word for anything else.
  let siteType: String
  let state: String?
  let radio: RadioFrequency
  let types: [FrequencyType]
  /// The FAA's words for what it is for.
  let use: String?
  let facilityName: String?
  let towerCall: String?
  let approachCall: String?
  let sector: String?
  let hours: String?
  let remark: String?

  init?(_ row: NASRRow<Column>) throws(UnusableRow) {
    use = row.text(.FREQ_USE)
    if let use, !FrequencyType.isKnown(use) {
      row.report(.unknownCode, .FREQ_USE, "the use is not known")
    }
    guard let kind = row.text(.SERVICED_SITE_TYPE) else { return nil }
    guard let service = Service(kind) else {
      if NavaidCodes.types[kind] == nil {
        row.report(.unknownCode, .SERVICED_SITE_TYPE, "the code is not known")
      }
      return nil
    }
    line = row.line
    self.service = service
    served = try row.required(.SERVICED_FACILITY)
    servedName = row.text(.SERVICED_FAC_NAME)
    siteType = Frequency.siteTypes[kind] ?? kind
    state = row.text(.SERVICED_STATE)
    guard let radio = RadioFrequency(try row.required(.FREQ)) else {
      throw row.unusable(.FREQ, "it is no frequency")
    }
    self.radio = radio
    types = FrequencyType.all(in: use ?? "")
    facilityName = row.text(.FAC_NAME)
    towerCall = row.text(.TOWER_OR_COMM_CALL)
    approachCall = row.text(.PRIMARY_APPROACH_RADIO_CALL)
    sector = row.text(.SECTORIZATION) ?? radio.network
    hours = row.text(.TOWER_HRS)
    remark = row.text(.REMARK)
  }

  /// Whom to call on it.
  func name(as type: FrequencyType) -> String? {
    switch type {
    case .approach, .departure: approachCall ?? facilityName
    case .awos: use
    case .emergency, .other: facilityName
    default: towerCall ?? facilityName
    }
  }
}
