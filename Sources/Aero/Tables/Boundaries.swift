internal import SQLiteIO

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
      Field("city", .text("CITY")),
      Field("state", .text("STATE")),
      Field("country", .text("COUNTRY_CODE")),
      Field("latitude", .real("LAT_DECIMAL", -90...90)),
      Field("longitude", .real("LONG_DECIMAL", -180...180)),
      Field("crossReference", .text("CROSS_REF")),
    ],
    keys: [.center], constraints: ["UNIQUE (identifier)"])
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
  /// Whether the ring returns from here to its first point.
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
      .init("id", "INTEGER PRIMARY KEY", "The rowid, as in boundaries_rtree.") { .integer($0.id) },
      .init("center", "INTEGER NOT NULL REFERENCES centers(id)", from: ["LOCATION_ID"], .owner) {
        .integer($0.stratum.center)
      },
      .init(
        "stratum", "TEXT NOT NULL", "low, high, uta, unlimited ...", from: ["ALTITUDE"], .function(.stratum),
        pairs: BoundaryPoint.strata
      ) {
        .text($0.stratum.name)
      },
      .init(
        "type", "TEXT NOT NULL", "artcc, fir, cta, uta or ctaFir.", from: ["TYPE"], .function(.stratum),
        pairs: BoundaryPoint.types
      ) {
        .text($0.stratum.type)
      },
      .init("part", "INTEGER NOT NULL", "Counts the rings of a stratum from 1.") { .integer($0.part) },
      .init(
        "geometry", "TEXT NOT NULL",
        "GeoJSON (RFC 7946): a Polygon, or a MultiPolygon where it is cut at the antimeridian.",
        from: ["LAT_DECIMAL", "LONG_DECIMAL", "BNDRY_PT_DESCRIP"], .function(.shape)
      ) { .text(String(decoding: $0.shape.geoJSON, as: UTF8.self)) },
      .init("south", "REAL NOT NULL", "The box around it; -180 to 180 where it is cut.") {
        .real($0.shape.box.south)
      },
      .init("west", "REAL NOT NULL") { .real($0.shape.box.west) },
      .init("north", "REAL NOT NULL") { .real($0.shape.box.north) },
      .init("east", "REAL NOT NULL") { .real($0.shape.box.east) },
    ],
    source: BoundaryPoint.table, constraints: ["UNIQUE (center, stratum, type, part)"], extent: .box)

  /// Fills the table from the points of ARB_SEG. Returns how many rows there are.
  static func load(_ loader: TableLoader) throws -> Int {
    let problems = loader.reader.problems
    guard loader.reader.archive.has(BoundaryPoint.table) else {
      problems.miss(BoundaryPoint.file)
      return 0
    }
    let points: [BoundaryPoint] = try loader.reader.records()
    let centers = loader.rows.ids(of: .center)
    let strata = Dictionary(grouping: points) { point in
      Stratum(center: centers[point.center + "\u{0}"] ?? 0, name: point.stratum, type: point.type)
    }
    let sorted = strata.sorted {
      ($0.key.center, $0.key.name, $0.key.type) < ($1.key.center, $1.key.name, $1.key.type)
    }
    var boundaries: [Boundary] = []
    for (stratum, points) in sorted {
      guard stratum.center > 0 else {
        for point in points { drop(point, "there is no such row in centers", problems) }
        continue
      }
      for (part, shape) in try shapes(points, problems).enumerated() {
        boundaries.append(
          Boundary(id: boundaries.count + 1, stratum: stratum, part: part + 1, shape: shape))
      }
    }
    try loader.writer.fill(table, boundaries)
    return boundaries.count
  }

  /// The rings. Each ends at the point from which it returns to its first point.
  private static func shapes(_ points: [BoundaryPoint], _ problems: ProblemLog) throws -> [MapShape] {
    let maker = ShapeBuilder(toleranceInMetres: 0)
    return try inOrder(points).split(after: \.isLast).compactMap { ring in
      do {
        let made = try maker.shape(within: ring.map(\.place))
        if made.wasRepaired { report(.shapeMended, ring[0], "its ring crossed or touched itself", problems) }
        return made.shape
      } catch let flaw as ShapeError {
        for point in ring { drop(point, "of its ring: \(flaw.rawValue)", problems) }
        return nil
      }
    }
  }

  /// By their numbers; in the file's order if numbers repeat, since each ring then has its own.
  private static func inOrder(_ points: [BoundaryPoint]) -> [BoundaryPoint] {
    let isNumbered = Set(points.map(\.sequence)).count == points.count
    return isNumbered ? points.sorted { $0.sequence < $1.sequence } : points
  }

  private static func drop(_ point: BoundaryPoint, _ reason: String, _ problems: ProblemLog) {
    report(.rowDropped, point, reason, problems)
  }

  private static func report(
    _ kind: RecordProblem.Kind, _ point: BoundaryPoint, _ reason: String, _ problems: ProblemLog
  ) {
    problems.record(
      kind, file: BoundaryPoint.file, line: point.line, column: "LOCATION_ID", value: point.center,
      reason: reason)
  }
}

extension Array {
  fileprivate func split(after isLast: (Element) -> Bool) -> [[Element]] {
    var parts: [[Element]] = []
    var isOpen = false
    for element in self {
      if isOpen { parts[parts.count - 1].append(element) } else { parts.append([element]) }
      isOpen = !isLast(element)
    }
    return parts
  }
}
