internal import Core
internal import SQLiteIO

/// A layer of the vector tiles: which rows of the database it shows, from which zoom on, and with which properties.
struct MapLayer: Sendable {
  enum Shape: Sendable {
    /// From `longitude` and `latitude`.
    case point
    /// A line between two positions.
    case segment(from: String, to: String)
    /// The lines or areas of a column with GeoJSON.
    case geometry
  }

  struct Property: Sendable {
    enum Kind: Sendable {
      case text, number, flag
    }

    let name: String
    let kind: Kind
    /// An SQL expression.
    let value: String
    /// For the list of layers in an archive.
    let comment: String

    init(_ name: String, _ kind: Kind, _ comment: String, value: String? = nil) {
      (self.name, self.kind, self.comment, self.value) = (name, kind, comment, value ?? name)
    }
  }

  let name: String
  let comment: String
  let table: String
  /// Further tables of the properties: `JOIN airways ...`.
  var join = ""
  /// An expression for the number of a row, which is also the number of the feature.
  let key: String
  /// The condition of a row with the number `?1`, where the expression would have to be computed for all rows.
  var lookup: String?
  let shape: Shape
  /// The rows that the map shows; nil for all.
  var condition: String?
  /// An expression that names a row in the problem report.
  let rowName: String
  /// An SQL expression for the first zoom of a row.
  let firstZoom: String
  /// The property that names a feature.
  let label: String
  let properties: [Property]

  static let zooms = 4...9
  static let deepestZoom = zooms.upperBound

  static let all = [
    airports, airportNotes, runways, navaids, airspaces, airways, fixes, obstacles, procedures,
  ]

  /// The layers of a database. That of procedures has tables with the names of other layers, without their columns.
  static func layers(in database: SQLiteConnection) throws -> [MapLayer] {
    if try procedures.isTable(in: database) { return [procedures] }
    return try all.filter { try $0.isTable(in: database) }
  }

  private var source: String { "FROM \(table) \(join)" }
  private var placed: String {
    let conditions = [condition].compactMap(\.self) + omissions.map { "NOT (\($0.condition))" }
    return conditions.isEmpty ? "1" : conditions.map { "(\($0))" }.joined(separator: " AND ")
  }

  /// Less is not always two units of a tile of the deepest zoom, and no line. In degrees: 5.6 metres.
  private static let shortestLine = 0.00005

  /// Which rows of `condition` are left out, and why. The problem report lists them.
  var omissions: [(condition: String, reason: String)] {
    let (edge, least) = (WebMercator.maxLatitude, MapLayer.shortestLine)
    let beyond = "it is beyond the edge of the map"
    switch shape {
    case .point: return [("abs(latitude) > \(edge)", beyond)]
    case .geometry:
      return [
        ("south > \(edge) OR north < -\(edge)", beyond),
        ("north - south < \(least) AND east - west < \(least)", "it is too small to be drawn"),
      ]
    case .segment(let from, let to):
      let missing = [from, to].flatMap { ["\($0)Longitude IS NULL", "\($0)Latitude IS NULL"] }
      let (south, north) = ("min(\(from)Latitude, \(to)Latitude)", "max(\(from)Latitude, \(to)Latitude)")
      let width = "abs(\(from)Longitude - \(to)Longitude)"
      return [
        (missing.joined(separator: " OR "), "the database has no position for both ends"),
        (
          "\(north) - \(south) < \(least) AND min(\(width), 360 - \(width)) < \(least)",
          "both ends are at the same position"
        ),
        ("\(south) > \(edge) OR \(north) < -\(edge)", beyond),
      ]
    }
  }

  /// Number, first zoom, west, south, east, north and GeoJSON of each row on the map, by number.
  var boxQuery: String {
    let box =
      switch shape {
      case .point: "longitude, latitude, longitude, latitude"
      case .geometry: "west, south, east, north, geometry"
      case .segment(let from, let to):
        ["Longitude", "Latitude"].map { "min(\(from)\($0), \(to)\($0))" }.joined(separator: ", ") + ", "
          + ["Longitude", "Latitude"].map { "max(\(from)\($0), \(to)\($0))" }.joined(separator: ", ")
      }
    return "SELECT \(key), \(firstZoom), \(box) \(source) WHERE \(placed) ORDER BY 1"
  }

  /// Number and properties of each row on the map.
  var propertyQuery: String {
    "SELECT \(key), \(properties.map(\.value).joined(separator: ", ")) \(source) WHERE \(placed)"
  }

  /// Whether a database has its table.
  private func isTable(in database: SQLiteConnection) throws -> Bool { try database.hasTable(tableName) }

  /// Without its alias.
  var tableName: String { String(table.prefix { $0 != " " }) }

  /// The names of the rows of a condition.
  func nameQuery(_ omitted: String) -> String {
    "SELECT \(rowName) \(source) WHERE \(condition ?? "1") AND (\(omitted)) ORDER BY 1"
  }

  /// First zoom, the columns of a point or line, and the properties of the row with a number.
  var rowQuery: String {
    let columns =
      switch shape {
      case .point: "longitude, latitude, NULL, NULL"
      case .geometry: "NULL, NULL, NULL, NULL"
      case .segment(let from, let to): "\(from)Longitude, \(from)Latitude, \(to)Longitude, \(to)Latitude"
      }
    return
      "SELECT \(firstZoom), \(columns), \(properties.map(\.value).joined(separator: ", ")) \(source) WHERE \(lookup ?? "\(key) = ?1")"
  }

  /// Where the properties begin in a row of `rowQuery`.
  private static let firstProperty = 5

  func values(_ row: SQLiteRow) -> [VectorTile.Value?] {
    properties.indices.map { index in
      let column = MapLayer.firstProperty + index
      guard !row.isNull(column) else { return nil }
      return switch properties[index].kind {
      case .text: row.text(column).map { .text($0) }
      case .number: .number(row.double(column))
      case .flag: .flag(row.int(column) != 0)
      }
    }
  }
}

extension MapLayer {
  /// Surfaces that count as hard. Of two surfaces the softer one counts.
  private static let hardSurfaces =
    "('asphalt', 'concrete', 'asphalt-concrete', 'porous asphalt', 'macadam', 'steel', 'brick')"

  private static let name = Property("name", .text, "in title case", value: "title_case(name)")

  static let airports = MapLayer(
    name: "airports", comment: "Landing facilities of every kind", table: "airports a", key: "a.id",
    shape: .point, rowName: "icao",
    firstZoom: """
      CASE WHEN status <> 'operational' THEN 9
        WHEN isTowered AND longestRunway >= 9000 THEN 4 WHEN isTowered THEN 5
        WHEN use = 'public' AND type = 'airport' THEN CASE WHEN longestRunway >= 5000 THEN 6 ELSE 7 END
        WHEN type IN ('heliport', 'vertiport') THEN 9 ELSE 8 END
      """,
    label: "icao",
    properties: [
      .init("icao", .text, "the ICAO code, else the FAA's identifier"),
      .init("faaID", .text, "the FAA's identifier"), name,
      .init("city", .text, "in title case", value: "title_case(city)"),
      .init("state", .text, "post office code"),
      .init("type", .text, "airport, heliport, seaplane, ultralight, gliderport, balloonport or vertiport"),
      .init("ownership", .text, "public, private or military"), .init("use", .text, "public or private"),
      .init("status", .text, "operational, closedIndefinitely or closedPermanently"),
      .init("elevation", .number, "feet above mean sea level"),
      .init("isTowered", .flag, "whether it has a control tower"),
      .init(
        "isHard", .flag, "whether a runway has a hard surface",
        value: "EXISTS (SELECT 1 FROM runways WHERE airport = icao AND surface IN \(hardSurfaces))"),
      .init("longestRunway", .number, "feet"),
      .init(
        "runwayHeading", .number, "degrees true of the longest runway",
        value: """
          (SELECT baseEndTrueHeading FROM runways WHERE airport = icao AND baseEndTrueHeading IS NOT NULL
            ORDER BY length DESC, id LIMIT 1)
          """),
      .init("ctafFrequency", .number, "MHz"), .init("unicomFrequency", .number, "MHz"),
      .init("hasFuel", .flag, "whether fuel is sold", value: "fuelTypes <> '[]'"),
      .init("hasBeaconLight", .flag, "whether it has a beacon"),
    ])

  /// What only the card of an airport shows: in tiles of the deepest zoom alone, since a remark is longer than all properties of an airport.
  static let airportNotes = MapLayer(
    name: "airportNotes", comment: "Frequencies and remarks of airports", table: "airports a", key: "a.id",
    shape: .point, rowName: "icao", firstZoom: "\(deepestZoom)", label: "airport",
    properties: [
      .init("airport", .text, "the icao of its airport", value: "icao"),
      .init(
        "frequencies", .text, "VHF, in MHz: tower 118.6; ground 125.0",
        value: """
          (SELECT group_concat(type || ' ' || frequency, '; ') FROM (
            SELECT type, frequency FROM frequencies WHERE airport = icao AND vhf AND type <> 'other'
            GROUP BY type, frequency ORDER BY min(number)))
          """),
      .init(
        "remarks", .text, "of the airport, its runways and their ends, one a line",
        value: """
          (SELECT group_concat(iif(element IS NULL, '', element || ': ') || remark, char(10)) FROM (
            SELECT element, remark FROM remarks WHERE airport = icao
              AND subject IN ('AIRPORT', 'RUNWAY', 'RUNWAY_END') AND field <> 'ASP_ANLYS_DTRM_CODE'
            ORDER BY number))
          """),
    ])

  /// The place of a runway among those of its airport: the table has no numbers.
  private static let rank = "(SELECT count(*) FROM runways o WHERE o.airport = r.airport AND o.id < r.id)"

  static let runways = MapLayer(
    name: "runways", comment: "Runways and water lanes, from end to end", table: "runways r",
    join: "JOIN airports a ON a.icao = r.airport", key: "a.id * 100 + \(rank)",
    lookup: "a.id = ?1 / 100 AND \(rank) = ?1 % 100",
    shape: .segment(from: "baseEnd", to: "reciprocalEnd"), condition: "reciprocalEndID IS NOT NULL",
    rowName: "airport || ' ' || r.id",
    firstZoom: "\(deepestZoom)",
    label: "airport",
    properties: [
      .init("airport", .text, "the icao of its airport"), .init("id", .text, "13/31", value: "r.id"),
      .init("length", .number, "feet"), .init("width", .number, "feet"),
      .init("surface", .text, "asphalt, concrete, turf, gravel, dirt, water ..."),
      .init("isHard", .flag, "whether the surface is hard", value: "surface IN \(hardSurfaces)"),
      .init("lighting", .text, "none, partTime or fullTime"),
    ])

  static let navaids = MapLayer(
    name: "navaids", comment: "Radio navigation aids", table: "navaids n", key: "n.id", shape: .point,
    rowName: "identifier",
    firstZoom: """
      CASE WHEN status IN ('shutdown', 'decommissioned') THEN 9
        WHEN type IN ('vor', 'vortac', 'vorDme') THEN CASE WHEN serviceVolume IN ('high', 'vorHigh') THEN 6 ELSE 7 END
        WHEN type IN ('tacan', 'dme', 'ndb', 'ndbDme') THEN 8 ELSE 9 END
      """,
    label: "identifier",
    properties: [
      .init("identifier", .text, "SJC"), name,
      .init("type", .text, "vor, vortac, vorDme, tacan, dme, ndb, ndbDme ..."),
      .init("frequency", .number, "kHz of an ndb, ndbDme and marineNdb, MHz of others"),
      .init("channel", .text, "the TACAN channel: 70X"),
      .init("magneticVariation", .number, "degrees, west negative: to what the radials are set"),
      .init("status", .text, "operational, restricted, vfrOnly, shutdown or decommissioned"),
    ])

  static let airspaces = MapLayer(
    name: "airspaces", comment: "Airspace by class and for special use", table: "airspaces s", key: "s.id",
    shape: .geometry, rowName: "name",
    firstZoom: """
      CASE class WHEN 'bravo' THEN 5 WHEN 'prohibited' THEN 5 WHEN 'warning' THEN 5 WHEN 'nationalSecurity' THEN 5
        WHEN 'charlie' THEN 6 WHEN 'restricted' THEN 6 WHEN 'moa' THEN 6 WHEN 'alert' THEN 6
        WHEN 'delta' THEN 7 ELSE 8 END
      """,
    label: "name",
    properties: [
      .init(
        "class", .text,
        "bravo, charlie, delta, echo; prohibited, restricted, moa, alert, warning, nationalSecurity, other"),
      .init("type", .text, "the FAA's own word: CLASS_E5, MOA ..."),
      name,
      .init("designator", .text, "R-2508; of class airspace its airport"),
      .init("floorText", .text, "SFC, 700 ft AGL, 4000 ft MSL, FL180"),
      .init("ceilingText", .text, "the same; UNL is unlimited"),
      .init("floorFeet", .number, "feet above mean sea level, if that is known; 0 is the surface"),
      .init("ceilingFeet", .number, "the same"),
      .init("hours", .text, "when special-use airspace is in use"),
    ])

  static let airways = MapLayer(
    name: "airways", comment: "Airways, from point to point", table: "airwaySegments g",
    join: "JOIN airways w ON w.id = g.airway", key: "g.id", shape: .segment(from: "from", to: "to"),
    condition: "toPoint IS NOT NULL AND isGap IS NOT 1",
    rowName: "w.identifier || ' ' || fromPoint || ' ' || toPoint", firstZoom: "8",
    label: "identifier",
    properties: [
      .init("identifier", .text, "V25, J1, T266", value: "w.identifier"),
      .init("designation", .text, "the FAA's code: V, J, RN ..."),
      .init("fromPoint", .text, "an identifier"), .init("toPoint", .text, "an identifier"),
      .init("mea", .number, "minimum enroute altitude, feet above mean sea level"),
      .init("moca", .number, "minimum obstruction clearance altitude"),
      .init("maa", .number, "maximum authorized altitude"),
      .init("course", .number, "degrees magnetic"), .init("distance", .number, "nautical miles"),
    ])

  static let fixes = MapLayer(
    name: "fixes", comment: "Waypoints, reporting points and VFR waypoints", table: "fixes f", key: "f.id",
    shape: .point, rowName: "identifier",
    firstZoom: """
      CASE type WHEN 'vfr' THEN 8 ELSE 9 END
      """,
    label: "identifier",
    properties: [
      .init("identifier", .text, "VPABC"), .init("region", .text, "ICAO region, such as K2"),
      .init(
        "type", .text,
        "waypoint, reportingPoint, vfr, computer, militaryReporting, militaryWaypoint, nrs or radar"),
    ])

  static let obstacles = MapLayer(
    name: "obstacles", comment: "Obstacles to flight", table: "obstacles o", key: "o.id", shape: .point,
    rowName: "oas",
    firstZoom: """
      CASE WHEN heightAGL >= 1000 THEN 7 WHEN heightAGL >= 500 THEN 8 ELSE 9 END
      """,
    label: "oas",
    properties: [
      .init("oas", .text, "the FAA's number: 09-021145"),
      .init("type", .text, "TOWER, BLDG, STACK, WINDMILL ..."),
      .init("heightAGL", .number, "feet above ground"),
      .init("heightMSL", .number, "feet above mean sea level, of the top"),
      .init("quantity", .number, "how many stand together"),
      .init("lighting", .text, "red, mediumWhite, none ..."),
      .init("verified", .flag, "whether it is verified"),
    ])

  static let procedures = MapLayer(
    name: "procedures", comment: "Tracks of procedures, not for navigation", table: "routes r", key: "r.id",
    shape: .geometry, condition: "south > -85 AND north < 85", rowName: "procedure", firstZoom: "8",
    label: "procedure",
    properties: [
      .init("airport", .text, "its ICAO code, else the FAA's identifier"),
      .init("procedure", .text, "the identifier: I04R, CAMRN4"),
      .init(
        "kind", .text, "sid, star or approach",
        value: "CASE substr(section, 2) WHEN 'D' THEN 'sid' WHEN 'E' THEN 'star' ELSE 'approach' END"),
      .init("transition", .text, "the transition or runway: ALL, RW04L, CAMRN"),
      .init("isMissed", .flag, "whether it is the missed approach"),
    ])
}
