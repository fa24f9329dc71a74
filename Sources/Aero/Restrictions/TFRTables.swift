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
    "notams", "Temporary flight restrictions, one NOTAM a row; also those without an area.",
    [
      .init("number", "TEXT NOT NULL PRIMARY KEY", "6/6654: the last digit of the year, and the number.") {
        $0.entry.number.text
      },
      .init("name", "TEXT NOT NULL", "FDC 6/6654.", value: \.name),
      .init("year", "INTEGER", "The year of the number.") { $0.detail?.year },
      .init("guid", "TEXT", "The FAA's identifier, of its file about the TFR.") { $0.detail?.guid },
      .init("type", "TEXT NOT NULL", "security, vip, hazard, airshow, stadium or other.") {
        $0.kind.rawValue
      },
      .init("listType", "TEXT", "In the words of the FAA's list: HAZARDS.") { $0.entry.type },
      .init("rule", "TEXT", "The section of 14 CFR: 91.137(a)(2).") { $0.detail?.rule },
      .init("facility", "TEXT", "The facility that it is issued for: ZSE.") {
        $0.detail?.facility ?? $0.entry.facility
      },
      .init("state", "TEXT") { $0.entry.state },
      .init("title", "TEXT", "The description in the list.") { $0.entry.title },
      .init("place", "TEXT", value: \.place), .init("purpose", "TEXT") { $0.detail?.purpose },
      .init("text", "TEXT", "The NOTAM.") { $0.detail?.text },
      .init("issued", "TEXT", "UTC, as all times here.") { $0.detail?.issued?.description },
      .init("modified", "TEXT", "The last change in the list.") { $0.entry.modified?.description },
      .init("effective", "TEXT", "NULL for immediately.") { $0.detail?.from?.description },
      .init("expires", "TEXT", "NULL for until further notice.") { $0.detail?.until?.description },
      .init(
        "forDronesOnly", "INTEGER NOT NULL", "1 if it forbids only the flight of drones.",
        value: \.isForDronesOnly),
      .init("isTest", "INTEGER NOT NULL", "1 for a test of the FAA.", value: \.isTest),
      .init(
        "unconfirmed", "TEXT",
        "Why it may differ from what is in force, separated by commas; NULL if it is confirmed."
      ) {
        $0.doubts.isEmpty ? nil : $0.doubts.map(\.rawValue).joined(separator: ",")
      },
    ])

  private typealias AreaRow = (id: Int, notice: TFRNotice, area: TFRArea)

  private static let areas = RecordTable<AreaRow>(
    "areas", "The areas of the NOTAMs; see areas_rtree.",
    [
      .init("id", "INTEGER PRIMARY KEY", "The rowid, as in areas_rtree.", value: \.id),
      .init("notam", "TEXT NOT NULL REFERENCES notams(number)") { $0.notice.entry.number.text },
      .init("number", "INTEGER NOT NULL", "From 1 in each NOTAM.", value: \.area.number),
      .init("name", "TEXT", value: \.area.about.name),
      .init(
        "floor", "TEXT", "As pilots read it: SFC, 700 ft AGL, 4000 ft MSL, FL180; NULL if it is not known."
      ) { $0.area.about.floor?.text },
      .init("ceiling", "TEXT", "As pilots read it; UNL is unlimited.") { $0.area.about.ceiling?.text },
      .init(
        "floorFeet", "INTEGER NOT NULL", "Feet above mean sea level, not above the true floor.",
        value: \.area.feet.floor),
      .init(
        "ceilingFeet", "INTEGER NOT NULL",
        "Feet above mean sea level, not below the true ceiling; 99999 is unlimited or not known.",
        value: \.area.feet.ceiling),
      .init(
        "floorIncluded", "INTEGER NOT NULL", "0 if the floor itself is open.",
        value: \.area.about.includesFloor),
      .init("ceilingIncluded", "INTEGER NOT NULL", value: \.area.about.includesCeiling),
      .init("centerLatitude", "REAL", "Of a circle, as the next two.") {
        $0.area.shape?.circle?.center.degrees.latitude
      },
      .init("centerLongitude", "REAL") { $0.area.shape?.circle?.center.degrees.longitude },
      .init("radiusNM", "REAL") { $0.area.shape?.circle.map { $0.metres / 1852 } },
      .init(
        "geometry", "TEXT",
        "A GeoJSON Polygon or MultiPolygon that contains the area; NULL if its place is not known."
      ) {
        $0.area.shape?.map.geoJSON
      },
      .init("south", "REAL", "Degrees: this and the next three are the box around it.") {
        $0.area.shape?.map.box.south
      },
      .init("north", "REAL") { $0.area.shape?.map.box.north },
      .init("west", "REAL") { $0.area.shape?.map.box.west },
      .init("east", "REAL") { $0.area.shape?.map.box.east },
    ], indexes: [["notam"]], extent: .box)

  private typealias PeriodRow = (area: Int, number: Int, period: TFRPeriod)

  private static let periods = RecordTable<PeriodRow>(
    "periods",
    "When the areas are closed: from effective until expires, on the days, between two times of the day.",
    [
      .init("area", "INTEGER NOT NULL REFERENCES areas(id)", value: \.area),
      .init("number", "INTEGER NOT NULL", value: \.number),
      .init("effective", "TEXT", "NULL for immediately.") { $0.period.from?.description },
      .init("expires", "TEXT", "NULL for until further notice.") { $0.period.until?.description },
      .init("days", "TEXT", "monday,friday; NULL for every day.") { $0.period.days?.joined(separator: ",") },
      .init("startTime", "TEXT", "1600, UTC; NULL for the whole time.") { $0.period.start?.digits },
      .init("endTime", "TEXT", "0200: on the next day if it is not after the start.") {
        $0.period.end?.digits
      },
    ], constraints: ["PRIMARY KEY (area, number)"], isKeyed: true)

  private static let airspaces = OpenEFBSchema.airspaces.schema

  /// Writes the database, and returns how many rows the app's table has.
  static func write(_ directory: TFRDirectory, _ metadata: [String: String], to file: URL) throws -> Int {
    var writer = try DatabaseWriter(file, as: form)
    try writer.fill(notams, directory.notices)
    let owned = directory.notices.flatMap { notice in notice.areas.map { (notice, $0) } }
    let rows: [AreaRow] = owned.enumerated().map { ($0 + 1, $1.0, $1.1) }
    try writer.fill(areas, rows)
    try writer.fill(
      periods, rows.flatMap { row in row.area.about.periods.enumerated().map { (row.id, $0 + 1, $1) } })
    let polygons = try rows.filter {
      $0.notice.isForApp
        && !$0.area.spans(around: directory.newest, immediately: $0.notice.immediately).isEmpty
    }
    .flatMap { try airspaceRows($0) }
    try writer.fill(airspaces, polygons) { row in airspaces.columns.map { row[$0.name] ?? .null } }
    try writer.write(metadata: metadata)
    try writer.finish()
    return polygons.count
  }

  /// The polygons of an area in the form of the table `airspaces` of `openefb.sqlite`.
  private static func airspaceRows(_ row: AreaRow) throws -> [[String: SQLiteValue]] {
    let (notice, area) = (row.notice, row.area)
    let periods = area.about.periods.map { period in
      let days =
        "\(period.from?.description ?? "immediately") to \(period.until?.description ?? "further notice")"
      return period.hours.map { "\(days), \($0)" } ?? days
    }
    return try (area.shape?.map.closedRings ?? []).enumerated().map { part, rings in
      let (feet, sides) = (
        area.feet, GeoBox(around: rings[0].map { GeoPoint(longitude: $0[0], latitude: $0[1]) })
      )
      let name = [notice.name, area.about.name, notice.place].compactMap(\.self).joined(separator: ", ")
      return [
        "id": try StableID.text(of: "tfr|\(notice.name)|\(area.number)|\(part)").stored, "name": name.stored,
        "classification": "tfr".stored, "floorAltitude": feet.floor.stored,
        "ceilingAltitude": feet.ceiling.stored,
        "geometryJSON": AirspaceRing.line(rings).stored, "geometry": AirspaceRing.polygon(rings).stored,
        "minLat": sides?.south.stored ?? .null, "maxLat": sides?.north.stored ?? .null,
        "minLon": sides?.west.stored ?? .null, "maxLon": sides?.east.stored ?? .null,
        "floor": feet.floor.stored,
        "ceiling": feet.ceiling.stored, "floorText": (area.about.floor?.text).stored,
        "ceilingText": (area.about.ceiling?.text).stored, "lowestGround": (area.ground?.lowerBound).stored,
        "highestGround": (area.ground?.upperBound).stored,
        "groundSource": area.ground.map { _ in "terrain" }.stored,
        "designator": notice.name.stored, "hours": periods.joined(separator: "; ").stored,
        "agency": (notice.detail?.facility ?? notice.entry.facility).stored,
      ]
    }
  }
}
