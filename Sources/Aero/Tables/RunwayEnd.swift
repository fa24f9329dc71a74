/// One end of a runway: a row of APT_RWY_END.
struct RunwayEnd: NASRRecord {
  // The FAA's own names.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  enum Column: Int, NASRColumn {
    case SITE_NO, SITE_TYPE_CODE, RWY_ID, RWY_END_ID, TRUE_ALIGNMENT, RIGHT_HAND_TRAFFIC_PAT_FLAG,
      RWY_MARKING_TYPE_CODE, LAT_DECIMAL, LONG_DECIMAL, RWY_END_ELEV, DISPLACED_THR_LEN, TDZ_ELEV, VGSI_CODE
  }

  static let table = "APT_RWY_END"

  let line: Int
  let site: SiteKey
  let runway: String
  let id: String
  let latitude: Double?
  let longitude: Double?
  let elevation: Double?
  let touchdownElevation: Double?
  let trueHeading: Double?
  let displacedThreshold: Int?
  let traffic: String?
  let indicator: String?
  let marking: String?

  init?(_ row: NASRRow<Column>) throws(UnusableRow) {
    line = row.line
    site = SiteKey(number: try row.required(.SITE_NO), type: try row.required(.SITE_TYPE_CODE))
    runway = try row.required(.RWY_ID)
    id = try row.required(.RWY_END_ID)
    let latitude = row.number(.LAT_DECIMAL, in: -90...90)
    let longitude = row.number(.LONG_DECIMAL, in: -180...180)
    // Half a position is none.
    self.latitude = longitude == nil ? nil : latitude
    self.longitude = latitude == nil ? nil : longitude
    elevation = row.number(.RWY_END_ELEV, in: -1500...30_000)
    touchdownElevation = row.number(.TDZ_ELEV, in: -1500...30_000)
    trueHeading = row.number(.TRUE_ALIGNMENT, in: 0...360)
    displacedThreshold = row.whole(.DISPLACED_THR_LEN, in: 0...99_999)
    traffic = RunwayEnd.traffic(row)
    indicator = row.text(.VGSI_CODE).flatMap { RunwayCodes.noIndicator.contains($0) ? nil : $0 }
    marking = row.word(.RWY_MARKING_TYPE_CODE, RunwayCodes.markings)
  }

  private static func traffic(_ row: NASRRow<Column>) -> String? {
    guard !row.value(.RIGHT_HAND_TRAFFIC_PAT_FLAG).isEmpty else { return nil }
    return row.isYes(.RIGHT_HAND_TRAFFIC_PAT_FLAG) ? "right" : "left"
  }
}
