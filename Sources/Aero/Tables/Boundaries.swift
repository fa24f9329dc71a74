/// The centers and their control areas.
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
      .city,
      Field("state", .text("STATE")),
      .country, .latitude, .longitude,
      Field("crossReference", .text("CROSS_REF")),
    ],
    keys: [.center], constraints: ["UNIQUE (identifier)"])
}

/// A point of a center's boundary: a row of ARB_SEG.
struct BoundaryPoint: TableRecord {
  static let table = "ARB_SEG"
  static let columns = [
    "LOCATION_ID", "ALTITUDE", "TYPE", "POINT_SEQ", "LAT_DECIMAL", "LONG_DECIMAL", "BNDRY_PT_DESCRIP",
  ]

  let line: Int
  let center: String
  let stratum: String
  let type: String
  let sequence: Int
  let place: ShapePoint
  /// Whether the ring returns from here to its first point.
  let isLast: Bool

  init?(_ row: SourceRow) throws(UnusableRow) {
    line = row.line
    center = try row.required("LOCATION_ID")
    stratum = row.word("ALTITUDE", BoundaryPoint.strata) ?? "unknown"
    type = row.word("TYPE", BoundaryPoint.types) ?? "unknown"
    sequence = row.whole("POINT_SEQ", in: 0...99_999) ?? 0
    let (latitude, longitude) = (
      try row.required("LAT_DECIMAL", in: -90...90), try row.required("LONG_DECIMAL", in: -180...180)
    )
    guard let place = ShapePoint(longitude: longitude, latitude: latitude) else { return nil }
    self.place = place
    isLast = row.text("BNDRY_PT_DESCRIP")?.uppercased().contains("POINT OF BEGINNING") == true
  }

  fileprivate static let strata: CodeBook = [
    "LOW": "low", "HIGH": "high", "UTA": "uta", "UNLIMITED": "unlimited", "FIR": "fir", "CTA": "cta",
    "CTA/FIR": "ctaFir", "FIR ONLY": "fir", "BDRY": "boundary",
  ]
  fileprivate static let types: CodeBook = [
    "ARTCC": "artcc", "FIR": "fir", "CTA": "cta", "UTA": "uta", "CTA/FIR": "ctaFir", "CERAP": "cerap",
  ]
}

/// One closed ring of a center's boundary: a row of `boundaries`.
struct Boundary {
  struct Stratum: Hashable {
    let center: Int
    let name: String
    let type: String
  }

  let id: Int
  let stratum: Stratum
  let part: Int
  let shape: MapShape

  static let table = RecordTable<Boundary>(
    "boundaries", "What a center controls: a row for each closed ring of each of its strata.",
    [
      .init("id", "INTEGER PRIMARY KEY", "The rowid, as in boundaries_rtree.") { $0.id },
      .init("center", "INTEGER NOT NULL REFERENCES centers(id)", from: ["LOCATION_ID"], .owner) {
        $0.stratum.center
      },
      .init(
        "stratum", "TEXT NOT NULL", "low, high, uta, unlimited ...", from: ["ALTITUDE"], .function(.stratum),
        pairs: BoundaryPoint.strata
      ) { $0.stratum.name },
      .init(
        "type", "TEXT NOT NULL", "artcc, fir, cta, uta or ctaFir.", from: ["TYPE"], .function(.stratum),
        pairs: BoundaryPoint.types
      ) { $0.stratum.type },
      .init("part", "INTEGER NOT NULL", "Counts the rings of a stratum from 1.") { $0.part },
      .init(
        "geometry", "TEXT NOT NULL",
        "GeoJSON (RFC 7946): a Polygon, or a MultiPolygon where it is cut at the antimeridian.",
        from: ["LAT_DECIMAL", "LONG_DECIMAL", "BNDRY_PT_DESCRIP"], .function(.shape)
      ) { $0.shape.geoJSON },
      .init("south", "REAL NOT NULL", "The box around it; -180 to 180 where it is cut.") {
        $0.shape.box.south
      },
      .init("west", "REAL NOT NULL") { $0.shape.box.west },
      .init("north", "REAL NOT NULL") { $0.shape.box.north },
      .init("east", "REAL NOT NULL") { $0.shape.box.east },
    ],
    source: BoundaryPoint.table, constraints: ["UNIQUE (center, stratum, type, part)"], extent: .box)
}
