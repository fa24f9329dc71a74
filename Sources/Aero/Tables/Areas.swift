internal import Foundation
internal import SQLiteIO

/// Areas of aerobatics, gliding, ultralights and the like.
extension SourceTable {
  static let miscellaneousAreas = SourceTable(
    "miscellaneousAreas", from: "MAA_BASE", "Areas of aerobatics, gliding, ultralights, space launches ...",
    [
      .id,
      Field("identifier", .text("MAA_ID"), isRequired: true),
      Field(
        "type", .word("MAA_TYPE_NAME", types),
        "aerobatics, glider, hangGlider, spaceLaunch, ultralight, unmanned or other.", isRequired: true),
      Field("name", .text("MAA_NAME")),
      Field("latitude", degrees("LATITUDE")),
      Field("longitude", degrees("LONGITUDE")),
      Field("radius", .real("MAA_RADIUS", 0...100), "Nautical miles."),
      Field(
        "geometry", shape("TEXT") { row, shape in shape.geometry(row) },
        "GeoJSON (RFC 7946); NULL without a shape."),
      Field(
        "south", shape("REAL") { SQLiteValue($1.box?.south) },
        "The box around the shape, or the circle, or the position."),
      Field("west", shape("REAL") { SQLiteValue($1.box?.west) }),
      Field("north", shape("REAL") { SQLiteValue($1.box?.north) }),
      Field("east", shape("REAL") { SQLiteValue($1.box?.east) }),
      Field("maxAltitude", AreaAltitude.feet("MAX_ALT"), "Feet."),
      Field("maxAltitudeDatum", AreaAltitude.datum("MAX_ALT"), "msl or agl."),
      Field("minAltitude", AreaAltitude.feet("MIN_ALT"), "Feet."),
      Field("minAltitudeDatum", AreaAltitude.datum("MIN_ALT"), "msl or agl."),
      Field("airports", .text("ARPT_IDS"), "FAA identifiers of the airports at which it is."),
      Field("nearestAirport", .text("NEAREST_ARPT"), "An FAA identifier."),
      Field(
        "nearestAirportDistance", .real("NEAREST_ARPT_DIST", 0...10_000), "Nautical miles from the airport."),
      Field("nearestAirportDirection", .text("NEAREST_ARPT_DIR"), "N, SW ..., from the airport."),
      Field("navaid", .row(.navaidOfType, by: ["NAV_ID", "NAV_TYPE"])),
      Field("navaidID", .text("NAV_ID")),
      Field("radial", .real("NAV_RADIAL", 0...360), "Degrees magnetic, from the navaid."),
      Field("distance", .real("NAV_DISTANCE", 0...1000), "Nautical miles from the navaid."),
      .city, .state,
      Field("use", areaUse("MAA_USE"), "civil, military or joint."),
      Field("user", .text("USER_GROUP_NAME")),
      Field("times", .text("TIME_OF_USE"), "In the FAA's words."),
      Field("notams", .text("CHECK_NOTAMS"), "Under which identifiers its NOTAMs are found."),
      Field("description", .text("DESCRIPTION")),
      .lines(
        "remarks",
        Gathering(source: "MAA_RMK", key: .miscellaneousArea, order: "REF_COL_SEQ_NO", line: ["REMARK"]),
        "One a line."),
    ],
    keys: [.miscellaneousArea], constraints: ["UNIQUE (identifier)"], extent: .box)

  static let miscellaneousAreaContacts = numbered(
    "miscellaneousAreaContacts", from: "MAA_CON", of: .miscellaneousArea, as: "area",
    "Whom to call about a miscellaneous area.",
    areaContact)

  private static let types: CodeBook = [
    "AEROBATIC PRACTICE": "aerobatics", "GLIDER": "glider", "HANG GLIDER": "hangGlider",
    "SPACE LAUNCH": "spaceLaunch", "ULTRALIGHT": "ultralight", "UNMANNED AIRCRAFT": "unmanned",
    "OTHER": "other",
  ]

  private static func degrees(_ column: String) -> Reading {
    .computed("REAL", [column], as: .degrees) { row, at in
      guard let text = row.text(at) else { return .null }
      return SQLiteValue(
        AngleColumns.exactDegrees(text) ?? row.drop(at, "it is no position such as 37-27-40.0000N"))
    }
  }

  private static func shape(
    _ type: String, _ make: @escaping @Sendable (SourceRow, AreaShape) -> SQLiteValue
  ) -> Reading {
    let points = Gathering(
      source: "MAA_SHP", key: .miscellaneousArea, order: "POINT_SEQ", line: ["LATITUDE", "LONGITUDE"])
    return .gathered(type, points, ["LATITUDE", "LONGITUDE", "MAA_RADIUS"], as: .function(.shape)) {
      text, row, at in
      make(row, AreaShape(points: text, row, at))
    }
  }
}

/// An altitude such as `5000AGL`: its number and its datum.
private enum AreaAltitude {
  static func feet(_ column: String) -> Reading {
    .computed("INTEGER", [column], as: .altitude) { row, at in
      guard let text = row.text(at) else { return .null }
      return SQLiteValue(read(text)?.feet ?? row.drop(at, "it is no altitude such as 5000AGL"))
    }
  }

  static func datum(_ column: String) -> Reading {
    .computed("TEXT", [column], as: .altitudeDatum) { row, at in
      SQLiteValue(row.text(at).flatMap(read)?.datum)
    }
  }

  private static func read(_ text: String) -> (feet: Int, datum: String)? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let datum = text.dropFirst(digits.count).trimmingPrefix(" ").lowercased()
    guard let feet = Int(digits), feet <= 99_999, ["agl", "msl"].contains(datum) else { return nil }
    return (feet, datum)
  }
}

/// The place of an area: a shape, else a circle around a position, else the position.
private struct AreaShape {
  private let text: String?
  private let made: (shape: MapShape, wasRepaired: Bool)?
  private let circle: (center: ShapePoint, radius: Double)?
  private let firstWanted: Int

  init(points text: String?, _ row: SourceRow, _ at: Int) {
    self.text = text
    firstWanted = at
    let lines = text?.split(separator: "\n").map { $0.split(separator: " ") } ?? []
    let points = lines.compactMap { $0.count == 2 ? AreaShape.point($0[0], $0[1]) : nil }
    // Each column that needs the shape makes it again; areas are few.
    let maker = ShapeBuilder(toleranceInMetres: 0)
    made = points.count == lines.count ? try? maker.shape(within: points) : nil
    let center = row.text(at).flatMap { latitude in
      row.text(at + 1).flatMap { AreaShape.point(latitude, $0) }
    }
    circle = center.map { ($0, row.value(at + 2).decimal ?? 0) }
  }

  func geometry(_ row: SourceRow) -> SQLiteValue {
    if made?.wasRepaired == true {
      row.report(.shapeMended, firstWanted, "its boundary in MAA_SHP crossed or touched itself")
    } else if text != nil, made == nil {
      row.report(.fieldDropped, firstWanted, "the points of its shape in MAA_SHP enclose nothing")
    }
    return SQLiteValue(made.map { $0.shape.geoJSON })
  }

  var box: (south: Double, north: Double, west: Double, east: Double)? {
    if let made { return made.shape.box }
    guard let circle, (0...100).contains(circle.radius) else { return nil }
    let (x, y) = (ShapePoint.degrees(circle.center.x), ShapePoint.degrees(circle.center.y))
    let north = circle.radius / 60
    let east = north / max(0.01, cos(circle.center.radians.latitude))
    return (max(-90, y - north), min(90, y + north), max(-180, x - east), min(180, x + east))
  }

  private static func point(
    _ latitude: some StringProtocol, _ longitude: some StringProtocol
  ) -> ShapePoint? {
    guard let y = AngleColumns.exactDegrees(latitude), let x = AngleColumns.exactDegrees(longitude) else {
      return nil
    }
    return ShapePoint(longitude: x, latitude: y)
  }
}

/// Parachute jump areas.
extension SourceTable {
  static let parachuteAreas = SourceTable(
    "parachuteAreas", from: "PJA_BASE", of: .perhapsAirport, "Parachute jump areas.",
    [
      .id,
      Field("identifier", .text("PJA_ID"), isRequired: true),
      Field("name", .text("DROP_ZONE_NAME"), "Of the drop zone."),
      Field("airport", .airport, "The airport at or near which it is."),
      .requiredLatitude, .requiredLongitude,
      Field("radius", .real("PJA_RADIUS", 0...100), "Nautical miles; NULL where the FAA has none."),
      Field("maxAltitude", .whole("MAX_ALTITUDE", 0...99_999), "Feet."),
      Field(
        "maxAltitudeDatum",
        .word("MAX_ALTITUDE_TYPE_CODE", ["MSL": "msl", "AGL": "agl", "UNR": "unrestricted"]),
        "msl, agl or unrestricted."),
      Field("navaid", .row(.navaidOfType, by: ["NAV_ID", "NAV_TYPE"])),
      Field("navaidID", .text("NAV_ID")),
      Field("radial", .real("RADIAL", 0...360), "Degrees magnetic, from the navaid."),
      Field("distance", .real("DISTANCE", 0...1000), "Nautical miles from the navaid."),
      .city, .state,
      Field("isCharted", .flag("CHART_REQUEST_FLAG"), "1 where it is to be drawn on sectional charts."),
      Field(
        "isPublished", .flag("PUBLISH_CRITERIA"), "1 where it is to be published in the Chart Supplement."),
      Field("use", areaUse("PJA_USE"), "civil, military or joint."),
      Field("user", .text("PJA_USER")),
      Field("times", .text("TIME_OF_USE"), "In the FAA's words, local."),
      Field("volume", .text("VOLUME"), "The FAA's code for how many jump."),
      Field("fssID", .text("FSS_ID")),
      Field("description", .text("DESCRIPTION")),
      .remark,
    ],
    keys: [.parachuteArea], constraints: ["UNIQUE (identifier)"], extent: .point)

  static let parachuteContacts = numbered(
    "parachuteContacts", from: "PJA_CON", of: .parachuteArea, as: "area",
    "Whom to call about a parachute jump area.",
    areaContact + [
      Field("location", .text("LOC_ID")),
      Field("sector", .text("SECTOR")),
      Field("altitude", .text("CONTACT_FREQ_ALTITUDE"), "In the FAA's words."),
    ])

  /// The columns of a contact of an area of any kind.
  static let areaContact: [Field] = [
    Field("facility", .text("FAC_ID")),
    Field("name", .text("FAC_NAME")),
    Field("frequency", .real("COMMERCIAL_FREQ", 2...400), "MHz."),
    Field("isCharted", .flag("COMMERCIAL_CHART_FLAG"), "0 or 1."),
    Field("militaryFrequency", .real("MIL_FREQ", 2...400), "MHz."),
    Field("isMilitaryCharted", .flag("MIL_CHART_FLAG"), "0 or 1."),
  ]

  static func areaUse(_ column: String) -> Reading {
    .word(column, ["CIVIL": "civil", "MILITARY": "military", "JOINT": "joint"])
  }
}
