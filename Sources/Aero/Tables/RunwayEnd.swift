/// Where one end of a runway belongs: a row of APT_RWY_END. The rest of the row is read when it is written.
struct RunwayEnd: NASRRecord {
  // The FAA's own names.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  enum Column: Int, NASRColumn {
    case SITE_NO, SITE_TYPE_CODE, RWY_ID, RWY_END_ID
  }

  static let table = "APT_RWY_END"

  let place: RowPlace
  let site: SiteKey
  let runway: String
  let id: String

  init?(_ row: NASRRow<Column>) throws(UnusableRow) {
    place = row.place
    site = SiteKey(number: try row.required(.SITE_NO), type: try row.required(.SITE_TYPE_CODE))
    runway = try row.required(.RWY_ID)
    id = try row.required(.RWY_END_ID)
  }
}
