/// A radio frequency that serves a landing facility: a row of FRQ.
///
/// The table holds those of navaids, remote outlets and weather stations too, whose identifiers are often an
/// airport's: what tells them apart is the kind of the site that is served.
///
/// A class, since a frequency of two uses is two rows, and since putting them in order moves each many times.
final class Frequency: NASRRecord {
  // The FAA's own names.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  enum Column: Int, NASRColumn {
    case FAC_NAME, TOWER_HRS, SERVICED_FACILITY, SERVICED_SITE_TYPE, SERVICED_STATE, TOWER_OR_COMM_CALL,
      PRIMARY_APPROACH_RADIO_CALL, FREQ, SECTORIZATION, FREQ_USE, REMARK
  }

  static let table = "FRQ"

  /// The site type code of APT_BASE for the words of FRQ.
  private static let siteTypes: [String: String] = [
    "AIRPORT": "A", "BALLOONPORT": "B", "SEAPLANE BASE": "C", "GLIDERPORT": "G", "HELIPORT": "H",
    "ULTRALIGHT": "U",
    "VERTIPORT": "V",
  ]

  let line: Int
  let airport: String
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
    guard let kind = row.text(.SERVICED_SITE_TYPE), let siteType = Frequency.siteTypes[kind] else {
      return nil
    }
    line = row.line
    airport = try row.required(.SERVICED_FACILITY)
    self.siteType = siteType
    state = row.text(.SERVICED_STATE)
    guard let radio = RadioFrequency(try row.required(.FREQ)) else {
      throw row.unusable(.FREQ, "it is no frequency")
    }
    self.radio = radio
    use = row.text(.FREQ_USE)
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
    case .other: facilityName
    default: towerCall ?? facilityName
    }
  }
}
