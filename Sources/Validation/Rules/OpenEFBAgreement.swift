internal import SQLiteIO

/// Compares `openefb.sqlite` with the database: it must contain everything that the app can express, unchanged.
struct OpenEFBAgreement {
  let pair: DatabasePairing

  init(_ pair: DatabasePairing) { self.pair = pair }

  /// The least share of the database's airports that the export must contain.
  private static let leastShare = 0.9

  func problems() throws -> [Disagreement] {
    let needed = ["airports", "navaids", "airspaces"]
    let there = try pair.connection.texts("SELECT name FROM main.sqlite_schema WHERE type = 'table'")
    // `openefb-columns` reports missing tables.
    guard needed.allSatisfy(there.contains) else { return [] }
    return try OpenEFBAgreement.checks.flatMap {
      try pair.disagreements($0.table, $0.sql, $0.text)
    } + share() + airspaces()
  }

  private typealias Check = (table: String, sql: String, text: String)

  private static let checks: [Check] = airports + fields + runways + frequencies + navaids

  /// The airports that the export can express; docs/FORMATS.md lists the reasons to omit others.
  private static let isExpressible = """
    coalesce(status, '') NOT LIKE 'closed%' AND elevation IS NOT NULL
      AND type IN ('airport', 'heliport', 'seaplane', 'ultralight', 'gliderport', 'vertiport')
      AND ownership IN ('public', 'private', 'military')
    """

  /// Whether a text is the database's in another case, such as `McKay` for `MC KAY`. SQLite knows the case of ASCII only.
  private static func isSame(_ here: String, _ there: String) -> String {
    "(\(plain(here)) IS \(plain(there)) OR coalesce(\(there), '') GLOB '*[^ -~]*')"
  }

  private static func plain(_ text: String) -> String { "lower(replace(\(text), ' ', ''))" }

  private static let airports: [Check] =
    [
      (
        "airports",
        "SELECT icao FROM base.airports WHERE \(isExpressible) AND icao NOT IN (SELECT icao FROM main.airports) ORDER BY 1",
        "it is in the database, and missing here"
      ),
      (
        "airports",
        """
        SELECT icao FROM main.airports
        WHERE icao NOT IN (SELECT icao FROM base.airports WHERE \(isExpressible)) ORDER BY 1
        """, "it is not in the database, or is closed there"
      ),
      (
        "airports",
        """
        SELECT a.icao, a.latitude, a.longitude, b.latitude, b.longitude FROM main.airports a
        INNER JOIN base.airports b ON b.icao = a.icao
        WHERE a.latitude IS NOT b.latitude OR a.longitude IS NOT b.longitude ORDER BY 1
        """, "it lies at %, %, and in the database at %, %"
      ),
    ]

  private static let fields: [Check] =
    [
      "elevation", "ctafFrequency", "unicomFrequency", "magneticVariation", "patternAltitude", "faaID",
      "artccID", "fssID",
    ].map { name -> Check in
      let sql = """
        SELECT a.icao, a.\(name), b.\(name) FROM main.airports a INNER JOIN base.airports b ON b.icao = a.icao
        WHERE a.\(name) IS NOT b.\(name) ORDER BY 1
        """
      return ("airports", sql, "\(name) is %, and in the database %")
    } + words + [
      (
        "airports",
        """
        SELECT a.icao, a.name, b.name FROM main.airports a INNER JOIN base.airports b ON b.icao = a.icao
        WHERE NOT \(isSame("a.name", "b.name")) OR a.hasBeaconLight <> coalesce(b.hasBeaconLight, 0)
        ORDER BY 1
        """, "it is %, and in the database %, or has another beacon"
      )
    ]

  /// The app has no gliderports and vertiports, and searches each kind of Jet A as `JetA`.
  private static let words: [Check] = [
    (
      "airports",
      """
      SELECT a.icao, a.type, a.ownership, b.type, b.ownership FROM main.airports a INNER JOIN base.airports b ON b.icao = a.icao
      WHERE a.ownership IS NOT b.ownership
        OR a.type <> CASE b.type WHEN 'gliderport' THEN 'airport' WHEN 'vertiport' THEN 'heliport' ELSE b.type END ORDER BY 1
      """, "it is % %, and in the database % %"
    ),
    (
      "airports",
      """
      SELECT a.icao, a.fuelTypes, b.fuelTypes FROM main.airports a INNER JOIN base.airports b ON b.icao = a.icao
      WHERE json_valid(a.fuelTypes) AND (
        SELECT group_concat(value, ' ') FROM json_each(a.fuelTypes) WHERE value <> 'JetA' OR instr(b.fuelTypes, '"JetA"')
      ) IS NOT (SELECT group_concat(value, ' ') FROM json_each(b.fuelTypes))
        OR instr(a.fuelTypes, '"JetA"') > 0 <> instr(b.fuelTypes, '"JetA') > 0 ORDER BY 1
      """, "its fuels are %, and in the database %"
    ),
    (
      "airportWords",
      """
      SELECT a.icao, w.city, w.words FROM main.airports a INNER JOIN base.airports b ON b.icao = a.icao
      LEFT JOIN main.airportWords w ON w.rowid = a.rowid
      WHERE NOT \(isSame("w.city", "b.city")) OR w.words IS NOT b.searchWords ORDER BY 1
      """, "its city is % and its other words are %, unlike in the database"
    ),
  ]

  /// Columns of the position and size of a runway, with the same name in both.
  private static let measures = [
    "baseEndLatitude", "baseEndLongitude", "reciprocalEndLatitude", "reciprocalEndLongitude", "length",
    "width", "baseEndID", "reciprocalEndID",
  ]

  /// Whether the JSON of a runway differs from its row in the database.
  private static let differs: String = {
    let elevations = ["baseEnd", "reciprocalEnd"].map { end -> String in
      "json_extract(r.value, '$.\(end)Elevation') IS NOT b.\(end)TouchdownElevation"
    }
    let others = (measures + ["lighting"]).map { "json_extract(r.value, '$.\($0)') IS NOT b.\($0)" }
    return (others + elevations + [surfaceDiffers]).joined(separator: " OR ")
  }()

  /// Of two surfaces, the app gets the unpaved one.
  private static let surfaceDiffers = """
    json_extract(r.value, '$.surface') NOT IN (b.surface, CASE
      WHEN b.surface GLOB 'turf*' OR b.surface IN ('asphalt-turf', 'concrete-turf') THEN 'turf'
      WHEN b.surface IN ('porous asphalt', 'macadam') OR b.surface GLOB 'asphalt-concrete*' THEN 'asphalt'
      WHEN b.surface GLOB 'concrete-asphalt*' THEN 'concrete' ELSE 'gravel' END)
    """

  /// The app has a word for each of these, and for two of them, joined by a hyphen.
  private static let surfaces = """
    'asphalt', 'porous asphalt', 'macadam', 'concrete', 'turf', 'gravel', 'dirt', 'graded earth', 'caliche', 'coral', 'sand', 'treated',
    'water'
    """

  private static let station = "iif(b.type IN ('awos', 'other') OR b.name IS NULL, a.name, b.name)"

  private static let isMeasured = measures.map { $0 + " IS NOT NULL" }.joined(separator: " AND ")

  /// `openefb-nested` reports JSON that does not parse.
  private static let nested = """
    main.airports a, json_each(CASE WHEN json_valid(a.runways) THEN a.runways ELSE '[]' END) r
    """

  private static let runways: [Check] = [
    (
      "runways",
      """
      SELECT a.icao || ' ' || json_extract(r.value, '$.id') FROM \(nested)
      LEFT JOIN base.runways b ON b.airport = a.icao AND b.id = json_extract(r.value, '$.id')
      WHERE b.id IS NULL OR \(differs) ORDER BY 1
      """, "it differs from the database"
    ),
    (
      "runways",
      """
      WITH here AS (SELECT a.icao AS airport, json_extract(r.value, '$.id') AS id FROM \(nested))
      SELECT b.airport || ' ' || b.id FROM base.runways b
      WHERE \(isMeasured) AND lighting IS NOT NULL AND reciprocalEndID IS NOT NULL
        AND substr(surface, 1, instr(surface || '-', '-') - 1) IN (\(surfaces))
        AND substr(surface, instr(surface, '-') + 1) IN (\(surfaces))
        AND b.airport IN (SELECT icao FROM main.airports) AND (b.airport, b.id) NOT IN (SELECT * FROM here) ORDER BY 1
      """, "it is in the database with both ends, and missing here"
    ),
  ]

  private static let radios = """
    main.airports a, json_each(CASE WHEN json_valid(a.frequencies) THEN a.frequencies ELSE '[]' END) f
    """

  private static let frequencies: [Check] = [
    (
      "frequencies",
      """
      SELECT a.icao || ' ' || json_extract(f.value, '$.name'), json_extract(f.value, '$.frequency') FROM \(radios)
      WHERE NOT EXISTS (
        SELECT 1 FROM base.frequencies b WHERE b.airport = a.icao AND b.frequency = json_extract(f.value, '$.frequency')
          AND b.type IN (json_extract(f.value, '$.type'), 'other') AND b.frequency BETWEEN 108 AND 137
          AND instr(json_extract(f.value, '$.name'), coalesce(' (' || b.sector || ')', '')) AND (b.name GLOB '*[^ -~]*'
            OR instr(\(plain("json_extract(f.value, '$.name')")), \(plain(station))))) ORDER BY 1
      """, "the database has no such frequency %"
    ),
    (
      "frequencies",
      """
      WITH here AS (
        SELECT a.icao AS airport, json_extract(f.value, '$.type') AS type, json_extract(f.value, '$.frequency') AS frequency
        FROM \(radios))
      SELECT b.airport || ' ' || b.type, b.frequency FROM base.frequencies b
      WHERE b.type NOT IN ('other', 'emergency') AND b.receiveOnly = 0 AND b.airport IN (SELECT icao FROM main.airports)
        AND (b.vhf OR b.type IN ('atis', 'awos') AND b.frequency BETWEEN 108 AND 117.999)
        AND (b.airport, b.type, b.frequency) NOT IN (SELECT * FROM here) ORDER BY 1
      """, "its frequency % is in the database, and missing here"
    ),
  ]

  private static let isInService = """
    type IN ('vor', 'vortac', 'vorDme', 'ndb', 'ndbDme', 'marineNdb', 'marineNdbDme') AND frequency IS NOT NULL
      AND coalesce(status, '') NOT IN ('shutdown', 'decommissioned')
    """

  /// Identifiers may have a state as suffix in the export, so navaids are matched by position and frequency.
  private static let navaids: [Check] = [
    (
      "navaids",
      """
      SELECT id FROM main.navaids n WHERE NOT EXISTS (
        SELECT 1 FROM base.navaids b WHERE b.latitude = n.latitude AND b.longitude = n.longitude
          AND b.frequency = n.frequency AND b.elevation IS n.elevation AND b.magneticVariation IS n.magneticVariation
          AND (n.id = b.identifier OR n.id GLOB b.identifier || '-*') AND \(isInService)
          AND n.type = replace(b.type, 'marineNdb', 'ndb')
          AND \(isSame("n.name", "coalesce(b.name, b.identifier)"))) ORDER BY 1
      """, "the database has no such navaid in service there"
    ),
    (
      "navaids",
      """
      SELECT identifier FROM base.navaids b WHERE \(isInService) AND NOT EXISTS (
        SELECT 1 FROM main.navaids n WHERE b.latitude = n.latitude AND b.longitude = n.longitude
          AND b.frequency = n.frequency) ORDER BY 1
      """, "it is in the database, and missing here"
    ),
  ]

  private func share() throws -> [Disagreement] {
    let counts = try ["main", "base"].map {
      try pair.connection.numbers("SELECT count(*) FROM \($0).airports").first ?? 0
    }
    guard Double(counts[0]) < Double(counts[1]) * OpenEFBAgreement.leastShare else { return [] }
    return [Disagreement("airports", "it has \(counts[0]) of the \(counts[1]) airports of the database")]
  }
}

/// Compares airspaces, polygon by polygon.
extension OpenEFBAgreement {
  /// The floor and the ceiling of a polygon.
  private struct Limits {
    let classification: String
    /// Feet above mean sea level; nil where unknown.
    let floor: Int?
    let ceiling: Int?
    let ceilingDatum: String?
    /// With the sector, in lowercase without spaces.
    let name: String

    /// Whether the export may have other limits for it: those of the database, or one of two ceilings in docs/FORMATS.md.
    func allows(_ other: Limits) -> Bool {
      guard (classification, name) == (other.classification, other.name), let floor, floor == other.floor
      else { return false }
      if let ceiling { return other.ceiling == ceiling }
      if ceilingDatum == "unlimited" { return other.ceiling == 99_999 }
      return ceilingDatum == nil && classification == "echo" && other.ceiling == 18_000
    }

    var isExpressible: Bool {
      guard let floor, let ceiling = ceilingDatum == "unlimited" ? 99_999 : ceiling else { return false }
      return floor < ceiling && !["nationalSecurity", "other"].contains(classification)
    }
  }

  func airspaces() throws -> [Disagreement] {
    let name = "coalesce(name, '') || iif(instr(coalesce(name, ''), coalesce(sector, '')), '', ' ' || sector)"
    let limits = "class, floorFeet, ceilingFeet, ceilingDatum, \(name)"
    var polygons: [String: [Limits]] = [:]
    try pair.connection.prepare(
      """
      SELECT geometry, \(limits) FROM base.airspaces
      WHERE geometry NOT LIKE '{"type":"MultiPolygon"%'
      UNION ALL
      SELECT '{"type":"Polygon","coordinates":' || part.value || '}', \(limits)
      FROM base.airspaces, json_each(geometry, '$.coordinates') part WHERE geometry LIKE '{"type":"MultiPolygon"%'
      """
    ).rows { polygons[$0.text(0) ?? "", default: []].append(OpenEFBAgreement.limits($0)) }
    var found: [Disagreement] = []
    try pair.connection.prepare(
      "SELECT geometry, classification, floor, ceiling, NULL, name FROM main.airspaces ORDER BY rowid"
    ).rows { row in
      let limits = OpenEFBAgreement.limits(row)
      guard let index = polygons[row.text(0) ?? ""]?.firstIndex(where: { $0.allows(limits) }) else {
        let feet = "\(limits.floor ?? 0) to \(limits.ceiling ?? 0) feet above the sea"
        found.append(
          Disagreement(
            "airspaces \(row.text(5) ?? "")",
            "the database has no such area of its name and class from \(feet)"))
        return
      }
      polygons[row.text(0) ?? ""]?.remove(at: index)
    }
    let missing = polygons.values.joined().count(where: \.isExpressible)
    guard missing > 0 else { return found }
    return found + [
      Disagreement("airspaces", "\(missing) with known limits are in the database, and missing here")
    ]
  }

  private static func limits(_ row: SQLiteRow) -> Limits {
    Limits(
      classification: row.text(1) ?? "", floor: row.isNull(2) ? nil : row.int(2),
      ceiling: row.isNull(3) ? nil : row.int(3), ceilingDatum: row.text(4),
      name: row.text(5)?.lowercased().filter { $0 != " " } ?? "")
  }
}
