/// Where a runway, a water lane or a helipad belongs: a row of APT_RWY. The rest of the row is read when it is written.
struct Runway: NASRRecord {
  // The FAA's own names.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  enum Column: Int, NASRColumn {
    case SITE_NO, SITE_TYPE_CODE, RWY_ID, RWY_LEN
  }

  static let table = "APT_RWY"
  /// Feet. The FAA writes 0 for a size that it does not have.
  static let sizes = 1...99_999

  let place: RowPlace
  let site: SiteKey
  let id: String
  let length: Int?

  init?(_ row: NASRRow<Column>) throws(UnusableRow) {
    place = row.place
    site = SiteKey(number: try row.required(.SITE_NO), type: try row.required(.SITE_TYPE_CODE))
    id = try row.required(.RWY_ID)
    length = row.value(.RWY_LEN).integer.flatMap { Runway.sizes.contains($0) ? $0 : nil }
  }

  /// `13` and `31` of `13/31`; a helipad's or a one-way runway's whole name, and nil.
  static func ends(of id: String) -> (base: String, reciprocal: String?) {
    guard let slash = id.utf8.firstIndex(of: UInt8(ascii: "/")) else { return (id, nil) }
    let (base, reciprocal) = (id[..<slash], id[slash...].dropFirst())
    return base.isEmpty || reciprocal.isEmpty ? (id, nil) : (String(base), String(reciprocal))
  }
}
