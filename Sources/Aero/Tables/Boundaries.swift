/// The control areas of the centers.
extension SourceTable {
  static let centers = SourceTable(
    "centers", from: "ARB_BASE", "Air route traffic control centers, and foreign flight information regions.",
    [
      .id,
      Field("identifier", .text("LOCATION_ID"), "ZOA ...", isRequired: true),
      Field("name", .text("LOCATION_NAME")),
      Field("icao", .text("ICAO_ID")),
      Field("computerID", .text("COMPUTER_ID"), "How the FAA's computers call it."),
      Field("type", .word("LOCATION_TYPE", ["ARTCC": "artcc", "CERAP": "cerap"]), "artcc or cerap."),
      Field("city", .text("CITY")),
      Field("state", .text("STATE")),
      Field("country", .text("COUNTRY_CODE")),
      Field("latitude", .real("LAT_DECIMAL", -90...90)),
      Field("longitude", .real("LONG_DECIMAL", -180...180)),
      Field("crossReference", .text("CROSS_REF")),
    ],
    keys: [.center], constraints: ["UNIQUE (identifier)"])
}

extension RowKey {
  static let center = RowKey(table: "centers", columns: ["LOCATION_ID"])
}

/// A point of a center's boundary: a row of ARB_SEG.
struct BoundaryPoint: NASRRecord {
  // The FAA's own names.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  enum Column: Int, NASRColumn {
    case LOCATION_ID, ALTITUDE, TYPE, POINT_SEQ, LAT_DECIMAL, LONG_DECIMAL, BNDRY_PT_DESCRIP
  }

  static let table = "ARB_SEG"

  let line: Int
  let center: String
  let stratum: String
  let type: String
  let sequence: Int
  let place: ShapePoint
  /// Whether the ring goes back from here to where it began.
  let isLast: Bool

  init?(_ row: NASRRow<Column>) throws(UnusableRow) {
    line = row.line
    center = try row.required(.LOCATION_ID)
    stratum = row.word(.ALTITUDE, BoundaryPoint.strata) ?? "unknown"
    type = row.word(.TYPE, BoundaryPoint.types) ?? "unknown"
    sequence = row.whole(.POINT_SEQ, in: 0...99_999) ?? 0
    let (latitude, longitude) = (try row.latitude(.LAT_DECIMAL), try row.longitude(.LONG_DECIMAL))
    guard let place = ShapePoint(longitude: longitude, latitude: latitude) else { return nil }
    self.place = place
    isLast = row.text(.BNDRY_PT_DESCRIP)?.uppercased().contains("POINT OF BEGINNING") == true
  }

  private static let strata: CodeBook = [
    "LOW": "low", "HIGH": "high", "UTA": "uta", "UNLIMITED": "unlimited", "FIR": "fir", "CTA": "cta",
    "CTA/FIR": "ctaFir", "FIR ONLY": "fir", "BDRY": "boundary",
  ]
  private static let types: CodeBook = [
    "ARTCC": "artcc", "FIR": "fir", "CTA": "cta", "UTA": "uta", "CTA/FIR": "ctaFir", "CERAP": "cerap",
  ]
}
