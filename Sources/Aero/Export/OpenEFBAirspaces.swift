internal import Core
internal import CryptoIO
internal import Foundation
internal import SQLiteIO

extension OpenEFBSchema {
  static let airspaces = RecordTable<NamedRow>(
    "airspaces",
    "Airspace with a floor and a ceiling in feet above mean sea level; one row for each polygon.",
    [
      .init("id", "TEXT NOT NULL PRIMARY KEY", "A UUID of version 5.", mayDiffer: "1"),
      .init("name", "TEXT NOT NULL", "In title case: San Francisco Class B."),
      .init(
        "classification", "TEXT NOT NULL",
        "bravo, charlie, delta, echo, prohibited, restricted, moa, alert or warning.",
        words: OpenEFBWords.classifications),
      .init("floorAltitude", "INTEGER NOT NULL", "Feet above mean sea level, 0 for the surface."),
      .init("ceilingAltitude", "INTEGER NOT NULL", "Feet above mean sea level; 99999 is unlimited."),
      .init(
        "geometryJSON", "TEXT NOT NULL",
        #"{"coordinates": [[latitude, longitude], ...]}: one ring, WGS84. A hole is joined to it by a cut."#),
      .init("minLat", "REAL NOT NULL", "Degrees: this and the next three are the box around the ring."),
      .init("maxLat", "REAL NOT NULL"), .init("minLon", "REAL NOT NULL"), .init("maxLon", "REAL NOT NULL"),
      .init("floor", "INTEGER NOT NULL DEFAULT 0", "As floorAltitude.") { $0["floorAltitude"] },
      .init("ceiling", "INTEGER NOT NULL DEFAULT 0", "As ceilingAltitude.") { $0["ceilingAltitude"] },
      .init(
        "geometry", #"TEXT NOT NULL DEFAULT '{"type":"Polygon","coordinates":[]}'"#,
        "A GeoJSON Polygon with its holes, longitude first, WGS84."),
      .init("floorText", "TEXT", "As pilots read it: SFC, 700 ft AGL, 4000 ft MSL."),
      .init("ceilingText", "TEXT", "As pilots read it; UNL is unlimited."),
      .init(
        "lowestGround", "INTEGER",
        "Feet above mean sea level: what a floor above ground was added to. NULL where neither limit is above ground."
      ),
      .init("highestGround", "INTEGER", "The same for a ceiling above ground."),
      .init(
        "groundSource", "TEXT", "terrain, or airports: the elevations of the airports in the area.",
        mayDiffer: "1"),
      .init("designator", "TEXT", "R-2508; of class airspace the identifier of its airport."),
      .init("hours", "TEXT", "When it is in use; NULL of class airspace."),
      .init("agency", "TEXT", "The facility that controls it."),
    ], indexes: [["minLat", "maxLat"]], key: ["name"])
}

extension ExportSource {
  /// The polygons of airspace that the app can express. Counts the airspaces of class E that end at class A.
  func openEFBAirspaces() throws -> ExportTable {
    var polygons: [NamedRow] = []
    for name in ["classECeilings"] + Self.limitCounts { count(0, of: name) }
    problems.read(rows: 0, of: "airspaces")
    let query = try database.prepare("SELECT * FROM airspaces ORDER BY id")
    let place = { (row: NamedRow) in "\(row.airspaceName) (row \(row.int("id")))" }
    try forEachRow(of: "airspaces", query, named: place) { original in
      var row = original
      row["classification"] = row["class"]
      try row.map(
        "classification", OpenEFBWords.classifications, orOmit: "the app has no such classification")
      (row["place"], row["faaName"], row["name"]) = (.text(place(row)), row["name"], .text(row.airspaceName))
      polygons += try split(row)
    }
    try identify(&polygons)
    return OpenEFBSchema.airspaces.rows { [self] add in
      for polygon in polygons {
        do {
          try add(limited(polygon))
        } catch let omission as UnusableRow {
          problems.recordDropped(polygon.text("place") ?? "", of: "airspaces", omission)
        }
      }
      try terrain?.checkCover()
    }
  }

  /// Each polygon of an airspace as a row, with its own box and both forms of its geometry.
  private func split(_ airspace: NamedRow) throws -> [NamedRow] {
    guard let shape = GeoJSONPolygons(text: airspace.text("geometry") ?? "") else {
      throw UnusableRow(column: "geometry", reason: "its geometry is not a polygon")
    }
    return shape.polygons.map { polygon in
      // To a metre, which keeps the file small.
      let rings = polygon.map { $0.map { $0.map { ($0 * 100_000).rounded() / 100_000 } } }
      var row = airspace
      row["geometryJSON"] = .text(AirspaceRing.line(rings))
      row["geometry"] = .text(AirspaceRing.polygon(rings))
      for (index, axis) in ["Lon", "Lat"].enumerated() {
        let sides = rings[0].map { $0[index] }
        (row["min" + axis], row["max" + axis]) = (.real(sides.min() ?? 0), .real(sides.max() ?? 0))
      }
      return row
    }
  }

  /// Sets the UUIDs. Polygons with the same key are counted from the lowest, independent of the order in the FAA's file.
  ///
  /// The key is the same in every cycle, since it does not contain the floor and the ceiling.
  private func identify(_ polygons: inout [NamedRow]) throws {
    let keys = polygons.map { row in
      let words = ["class", "type", "designator", "faaName", "sector"].map { row.text($0) ?? "" }
      let sides = ["minLat", "maxLat", "minLon", "maxLon"].map {
        "\(Int(((row.real($0) ?? 0) * 100).rounded()))"
      }
      return (["airspace"] + words + sides).joined(separator: "|")
    }
    func height(_ index: Int) -> (Int, Int, String) {
      let row = polygons[index]
      return (row.int("floor"), row.int("ceiling"), row.text("geometry") ?? "")
    }
    for (key, indices) in Dictionary(grouping: polygons.indices, by: { keys[$0] }) {
      for (count, index) in indices.sorted(by: { height($0) < height($1) }).enumerated() {
        polygons[index]["id"] = .text(try StableID.text(of: count == 0 ? key : "\(key)|\(count + 1)"))
      }
    }
  }

  /// The app's value for unlimited.
  private static let unlimited = 99_999
  /// The floor of class A (14 CFR 71.33), which is the ceiling of class E without a ceiling (14 CFR 71.71). The problem report lists
  /// each use, and `classECeilings` counts them.
  private static let classA = 18_000

  /// The counts of the limits above ground: those with the ground of the terrain model, those with the elevations of airports, and
  /// those whose polygons are left out.
  private static let limitCounts = ["limitsFromTerrain", "limitsFromAirports", "limitsLeftOut"]

  /// The polygon with its limits in feet above the sea. Throws if they are not known.
  private func limited(_ polygon: NamedRow) throws -> NamedRow {
    var row = polygon
    let aboveGround = ["floor", "ceiling"].count { row.isAboveGround($0) }
    let ground = aboveGround > 0 ? try (madeGround ?? openEFBGround)(row) : nil
    let source = ["terrain", "airports"].firstIndex(of: ground?.source) ?? 2
    count(aboveGround, of: Self.limitCounts[source])
    guard let floor = row.feet("floor", above: ground?.feet.lowerBound) else { throw row.unknown("floor") }
    let (ceiling, reason) =
      try row.feet("ceiling", above: ground?.feet.upperBound).map { ($0, nil) }
      ?? openCeiling(of: row, floor: floor)
    guard ceiling > floor else {
      throw UnusableRow(
        column: "ceiling", value: row.text("ceilingText") ?? "",
        reason: "it is not above the floor of \(floor) feet")
    }
    (row["floorAltitude"], row["ceilingAltitude"]) = (.integer(floor), .integer(ceiling))
    if let ground {
      row["lowestGround"] = .integer(ground.feet.lowerBound)
      row["highestGround"] = .integer(ground.feet.upperBound)
      row["groundSource"] = .text(ground.source)
    }
    func recordMapped(_ limit: String, _ value: String, to feet: String, because reason: String? = nil) {
      problems.recordMapped(
        row.text("place") ?? "", of: "airspaces", column: limit, value: value, to: feet, because: reason)
    }
    for (limit, feet) in [("floor", floor), ("ceiling", ceiling)] where row[limit + "Feet"] == .null {
      let known =
        row.isAboveGround(limit) ? "the ground is known from \(row.text("groundSource") ?? "")" : nil
      recordMapped(limit, row.text(limit + "Text") ?? "", to: "\(feet)", because: known ?? reason)
    }
    if let excluded = row.text("excluded") { recordMapped("floor", excluded, to: "not cut out") }
    return row
  }

  /// The ceiling of an airspace that the FAA gives none in feet, and the reason for it.
  private func openCeiling(of row: NamedRow, floor: Int) throws -> (feet: Int, reason: String?) {
    if row.text("ceilingDatum") == "unlimited" { return (ExportSource.unlimited, "it is unlimited") }
    guard row["ceilingDatum"] == .null, row.text("classification") == "echo" else {
      throw row.unknown("ceiling")
    }
    guard floor < ExportSource.classA, row.isBelowClassA else {
      return (ExportSource.unlimited, "the FAA gives no ceiling")
    }
    count(of: "classECeilings")
    return (ExportSource.classA, "class E ends at the floor of class A")
  }

  typealias Ground = (feet: ClosedRange<Int>, source: String)

  /// The lowest and the highest ground in a polygon: of the terrain model, else of the airports of class airspace; nil where neither
  /// is known.
  private func openEFBGround(of row: NamedRow) throws -> Ground? {
    let ring = (GeoJSONPolygons(text: row.text("geometry") ?? "")?.polygons.first?.first ?? []).map {
      PlanePoint(x: $0[0], y: $0[1])
    }
    if let range = try terrain?.range(of: Array(ring.dropLast())) { return (range, "terrain") }
    guard row.text("kind") == "class" else { return nil }
    let area = PlaneRing(ring)
    let elevations = try database.prepare(
      """
      SELECT elevation, longitude, latitude, ?5 IN (faaID, icao) FROM airports
      WHERE elevation IS NOT NULL AND (latitude BETWEEN ?1 AND ?2 AND longitude BETWEEN ?3 AND ?4 OR ?5 IN (faaID, icao))
      """
    ).map(["minLat", "maxLat", "minLon", "maxLon", "designator"].map { row[$0] }) {
      (feet: $0.double(0), place: PlanePoint(x: $0.double(1), y: $0.double(2)), isOwn: $0.int(3) == 1)
    }.filter { $0.isOwn || area.contains($0.place) }.map(\.feet)
    guard let lowest = elevations.min(), let highest = elevations.max() else { return nil }
    return (Int(lowest.rounded(.down))...Int(highest.rounded(.up)), "airports")
  }
}

/// Rings of positions with longitude and latitude.
enum AirspaceRing {
  static let polygonStart = #"{"type":"Polygon","coordinates":["#

  static func polygon(_ rings: [[[Double]]]) -> String {
    polygonStart + rings.map(json).joined(separator: ",") + "]}"
  }

  /// `geometryJSON`
  static func line(_ rings: [[[Double]]]) -> String {
    #"{"coordinates":\#(json(cutOpen(rings).map { [$0[1], $0[0]] }))}"#
  }

  private static func json(_ ring: [[Double]]) -> String {
    "[" + ring.map { "[\($0[0]),\($0[1])]" }.joined(separator: ",") + "]"
  }

  /// One ring around the polygon without its holes: a cut leads to each hole and back, between the two corners that are nearest to each
  /// other. It counts nothing in a test by crossings, since it is passed twice.
  static func cutOpen(_ rings: [[[Double]]]) -> [[Double]] {
    rings.dropFirst().reduce(rings[0]) { ring, hole in
      var nearest = (distance: Double.infinity, corner: 0, inHole: 0)
      for (corner, from) in ring.enumerated() {
        for (inHole, to) in hole.dropLast().enumerated() {
          let distance = (from[0] - to[0]) * (from[0] - to[0]) + (from[1] - to[1]) * (from[1] - to[1])
          if distance < nearest.distance { nearest = (distance, corner, inHole) }
        }
      }
      let turned = hole.dropLast()[nearest.inHole...] + hole[0...nearest.inHole]
      return Array(ring[0...nearest.corner] + turned + ring[nearest.corner...])
    }
  }
}

extension NamedRow {
  /// Whether a limit, `floor` or `ceiling`, is a height above ground.
  fileprivate func isAboveGround(_ limit: String) -> Bool {
    self[limit + "Feet"] == .null && text(limit + "Datum") == "agl" && self[limit] != .null
  }

  /// A limit in feet above the sea; nil where it is not known.
  fileprivate func feet(_ limit: String, above ground: Int?) -> Int? {
    if self[limit + "Feet"] != .null { return int(limit + "Feet") }
    return isAboveGround(limit) ? ground.map { $0 + int(limit) } : nil
  }

  fileprivate func unknown(_ limit: String) -> UnusableRow {
    UnusableRow(
      column: limit, value: text(limit + "Text") ?? "", reason: "its height above the sea is not known")
  }

  /// `San Francisco Class B`, with the sector where there is one.
  fileprivate var airspaceName: String {
    let name = text("name") ?? ""
    guard let sector = text("sector"), !name.contains(sector) else { return TitleCase.name(name) }
    return TitleCase.name(name) + " " + TitleCase.name(sector)
  }

  /// Whether class A is above all of it: not above Hawaii, the southern islands, and the Alaska Peninsula west of 160° W.
  fileprivate var isBelowClassA: Bool {
    let (south, west, east) = (real("minLat") ?? 0, real("minLon") ?? 0, real("maxLon") ?? 0)
    return south >= 24 && (south >= 58 || (west >= -160 && east <= 0))
  }
}

/// UUIDs of version 5 (RFC 9562), so that a key has the same UUID in every cycle.
enum StableID {
  /// The namespace of the keys: the UUID of the URL `urn:chartpipe:openefb`.
  static let namespace: [UInt8] = [
    0x4b, 0xd5, 0xeb, 0x0e, 0xae, 0x14, 0x5f, 0xf4, 0x92, 0xb4, 0xf2, 0x46, 0xa1, 0xe9, 0x64, 0xb4,
  ]

  /// 36 characters with capital letters.
  static func text(of key: String) throws -> String {
    let digest = try Digest(.sha1)
    try digest.update(namespace)
    try digest.update(key)
    var bytes = Array(try digest.finish().prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x50
    bytes[8] = bytes[8] & 0x3f | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString
  }
}
