/// A remark to an airport, or to something at it: a row of APT_RMK.
struct AirportRemark: NASRRecord {
  // The FAA's own names.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  enum Column: Int, NASRColumn {
    case SITE_NO, SITE_TYPE_CODE, TAB_NAME, REF_COL_NAME, ELEMENT, REF_COL_SEQ_NO, REMARK
  }

  static let table = "APT_RMK"

  let line: Int
  let site: SiteKey
  let subject: String
  let element: String?
  let field: String
  let sequence: Int
  let remark: String

  init?(_ row: NASRRow<Column>) throws(UnusableRow) {
    line = row.line
    site = SiteKey(number: try row.required(.SITE_NO), type: try row.required(.SITE_TYPE_CODE))
    subject = try row.required(.TAB_NAME)
    element = row.text(.ELEMENT)
    field = try row.required(.REF_COL_NAME)
    sequence = row.whole(.REF_COL_SEQ_NO, in: 0...99_999) ?? 0
    remark = try row.required(.REMARK)
  }

  static func precedes(_ left: AirportRemark, _ right: AirportRemark) -> Bool {
    (left.subject, left.element ?? "", left.field, left.sequence, left.line)
      < (right.subject, right.element ?? "", right.field, right.sequence, right.line)
  }
}
