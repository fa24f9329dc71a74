internal import Core
internal import Foundation
internal import SQLiteIO

/// The tables of `tfr.sqlite`.
enum TFRTables {
  /// "TFR1", in the file's header.
  private static let applicationID = 0x5446_5231
  private static let version = 1

  static let form = DatabaseForm(
    applicationID: applicationID, version: version,
    tables: [notams.schema, areas.schema, periods.schema, airspaces, DatabaseSchema.metadata],
    finishing: [OpenEFBSchema.airspaceTree, DatabaseSchema.analysis])

  private static let notams = RecordTable<TFRNotice>(
    "notams", "Temporary flight restrictions, also those without an area. All times are UTC.",
    [
      .init("notam", "TEXT NOT NULL PRIMARY KEY", "FDC 6/6654", value: \.name),
      .init("year", "INTEGER") { $0.detail?["NotUid", "dateIndexYear"].flatMap { Int($0) } },
      .init("guid", "TEXT", "The FAA's identifier.") { $0.detail?["NotUid", "codeGUID"] },
      .init("type", "TEXT NOT NULL", "security, vip, hazard, airshow, stadium or other.", value: \.kind),
      .init("listType", "TEXT", "In the FAA's words: HAZARDS.") { $0.entry.type },
      .init("rule", "TEXT", "Of 14 CFR: 91.137(a)(2).") { $0.detail?.rule },
      .init("facility", "TEXT", "ZSE", value: \.facility), .init("state", "TEXT") { $0.entry.state },
      .init("title", "TEXT", "The description in the list.") { $0.entry.title },
      .init("place", "TEXT", value: \.place), .init("purpose", "TEXT") { $0.detail?["txtDescrPurpose"] },
      .init("text", "TEXT", "The NOTAM.") { $0.detail?.text },
      .init("issued", "TEXT") { $0.detail?.issued?.description },
      .init("modified", "TEXT", "The last change in the list.") { $0.entry.modified?.description },
      .init("effective", "TEXT", "NULL for immediately.") { $0.detail?.from?.description },
      .init("expires", "TEXT", "NULL for until further notice.") { $0.detail?.until?.description },
      .init("forDronesOnly", "INTEGER NOT NULL", "1 if it forbids only drones.", value: \.isForDronesOnly),
      .init("isTest", "INTEGER NOT NULL", "1 for a test of the FAA.", value: \.isTest),
      .init("unconfirmed", "TEXT", "Why it may differ from what is in force; NULL if it is confirmed.") {
        $0.doubts.isEmpty ? nil : $0.doubts.map(\.rawValue).joined(separator: ",")
      },
    ])

  private typealias AreaRow = (id: Int, notice: TFRNotice, area: TFRArea)

  private static let areas = RecordTable<AreaRow>(
    "areas", "The areas of the NOTAMs; see areas_rtree.",
    [
      .init("id", "INTEGER PRIMARY KEY", "The rowid, as in areas_rtree.", value: \.id),
      .init("notam", "TEXT NOT NULL REFERENCES notams", value: \.notice.name),
      .init("area", "INTEGER NOT NULL", "From 1 in each NOTAM.", value: \.area.number),
      .init("areaName", "TEXT", value: \.area.name),
      .init("floor", "TEXT", "SFC, 700 ft AGL, FL180; NULL if not known.") { $0.area.floor?.text },
      .init("ceiling", "TEXT", "As the floor; UNL is unlimited.") { $0.area.ceiling?.text },
      .init("floorFeet", "INTEGER NOT NULL", "Above the sea, never too high.", value: \.area.feet.floor),
      .init(
        "ceilingFeet", "INTEGER NOT NULL", "Never too low; 99999 is no limit.", value: \.area.feet.ceiling),
      .init("floorIncluded", "INTEGER NOT NULL", "0 if it is open there.", value: \.area.includesFloor),
      .init("ceilingIncluded", "INTEGER NOT NULL", value: \.area.includesCeiling),
      .init("centerLatitude", "REAL", "Of a circle.") { $0.area.shape?.circle?.center.degrees.latitude },
      .init("centerLongitude", "REAL") { $0.area.shape?.circle?.center.degrees.longitude },
      .init("radiusNM", "REAL") { $0.area.shape?.circle.map { $0.metres / 1852 } },
      .init("geometry", "TEXT", "GeoJSON; NULL if not known.") { $0.area.shape?.map.geoJSON },
      .init("south", "REAL", "Degrees.") { $0.area.shape?.map.box.south },
      .init("north", "REAL") { $0.area.shape?.map.box.north },
      .init("west", "REAL") { $0.area.shape?.map.box.west },
      .init("east", "REAL") { $0.area.shape?.map.box.east },
    ], indexes: [["notam"]], extent: .box)

  private static let periods = RecordTable<(area: Int, number: Int, period: TFRPeriod)>(
    "periods", "When the areas are closed: in these dates, on these days, between these times.",
    [
      .init("area", "INTEGER NOT NULL REFERENCES areas", value: \.area),
      .init("number", "INTEGER NOT NULL", value: \.number),
      .init("effective", "TEXT", "NULL for immediately.") { $0.period.from?.description },
      .init("expires", "TEXT", "NULL for until further notice.") { $0.period.until?.description },
      .init("days", "TEXT", "NULL for every day.") { $0.period.days?.joined(separator: ",") },
      .init("startTime", "TEXT", "1600; NULL for all day.") {
        $0.period.clock.map { TFRPeriod.digits($0.start) }
      },
      .init("endTime", "TEXT", "On the next day if not later.") {
        $0.period.clock.map { TFRPeriod.digits($0.end) }
      },
    ], constraints: ["PRIMARY KEY (area, number)"], isKeyed: true)

  private static let airspaces = OpenEFBSchema.airspaces.schema

  /// Writes the database, and returns how many rows the app's table has.
  static func write(_ directory: TFRDirectory, _ counts: [String: Int], to file: URL) throws -> Int {
    var writer = try DatabaseWriter(file, as: form)
    try writer.fill(notams, directory.notices)
    let owned = directory.notices.flatMap { notice in notice.areas.map { (notice, $0) } }
    let rows: [AreaRow] = owned.enumerated().map { ($0 + 1, $1.0, $1.1) }
    try writer.fill(areas, rows)
    try writer.fill(
      periods, rows.flatMap { row in row.area.periods.enumerated().map { (row.id, $0 + 1, $1) } })
    let polygons = try rows.filter { !$0.notice.spans(of: $0.area, around: directory.newest).isEmpty }
      .flatMap { try airspaceRows($0.area, of: $0.notice) }
    try writer.fill(airspaces, polygons) { row in airspaces.columns.map { row[$0.name] ?? .null } }
    var metadata = counts.reduce(into: [:]) { $0["counts." + $1.key] = String($1.value) }
    metadata["newest_change"] = directory.newest.description
    metadata["disclaimer"] = "Made from the FAA's list of TFRs, which change at any time. \(Metadata.warning)"
    (metadata["tool"], metadata["version"]) = (ToolVersion.tool, ToolVersion.version)
    try writer.write(metadata: metadata)
    try writer.finish()
    return polygons.count
  }

  /// The polygons of an area in the form of the table `airspaces` of `openefb.sqlite`.
  private static func airspaceRows(_ area: TFRArea, of notice: TFRNotice) throws -> [[String: SQLiteValue]] {
    try (area.shape?.map.closedRings ?? []).enumerated().map { part, rings in
      let (sides, feet) = (GeoBox(closed: rings[0]), area.feet)
      let values: [String: any ColumnValue] = [
        "id": try StableID.text(of: "tfr|\(notice.name)|\(area.number)|\(part)"),
        "name": [notice.name, area.name, notice.place].compactMap(\.self).joined(separator: ", "),
        "classification": "tfr", "floorAltitude": feet.floor, "ceilingAltitude": feet.ceiling,
        "floor": feet.floor, "ceiling": feet.ceiling, "geometryJSON": AirspaceRing.line(rings),
        "geometry": AirspaceRing.polygon(rings), "minLat": sides?.south, "maxLat": sides?.north,
        "minLon": sides?.west, "maxLon": sides?.east, "floorText": area.floor?.text,
        "ceilingText": area.ceiling?.text, "lowestGround": area.ground?.lowerBound,
        "highestGround": area.ground?.upperBound, "groundSource": area.ground.map { _ in "terrain" },
        "designator": notice.name, "hours": area.periods.map(\.text).joined(separator: "; "),
        "agency": notice.facility,
      ]
      return values.mapValues(\.stored)
    }
  }

  /// Columns that are not properties in GeoJSON.
  private static let omitted: Set = ["id", "geometry", "south", "north", "west", "east"]

  /// Writes the areas of a finished database as GeoJSON, and the NOTAMs without one as features without geometry.
  static func writeMap(of database: URL, to file: URL) throws {
    let names = notams.schema.columns.map(\.name) + areas.schema.columns.dropFirst(2).map(\.name)
    let times = periods.schema.columns.dropFirst(2).map { "'\($0.name)', \($0.name)" }.joined(separator: ", ")
    let members = names.filter { !omitted.contains($0) }.map { (name: $0, json: "json_quote(\"\($0)\")") }
    let rows = try SQLiteConnection(database.path, mode: .readOnly).prepare(
      #"""
      SELECT '{"type":"Feature","id":' || json_quote(notam || coalesce('-' || area, '')) || ',"geometry":'
        || coalesce(geometry, 'null') || ',"properties":' || \#(JSONLines.object(members + [("periods", "periods")])) || '}'
      FROM (
        SELECT *, (SELECT json_group_array(json_patch('{}', json_object(\#(times)))) FROM periods p WHERE p.area = a.id) AS periods
        FROM notams n LEFT JOIN areas a USING (notam) ORDER BY n.rowid, a.id)
      """#)
    _ = try JSONLines.write(rows, to: file, [("type", "FeatureCollection")], array: "features")
  }
}
