internal import Core

/// The airspace tables.
enum AirspaceSchema {
  static let airspaces = RecordTable<(id: Int, area: Int, times: String?, record: AirspaceRecord)>(
    "airspaces",
    "Airspace by class and for special use: one row for each area with one floor and one ceiling.",
    [
      .init("id", "INTEGER PRIMARY KEY", "The rowid, as in airspaces_rtree and airspaces_fts.") { $0.id },
      .init(
        "area", "INTEGER NOT NULL",
        "Which airspace of the FAA's it is, or a part of: one that has several floors or ceilings has several rows."
      ) { $0.area },
      .init("kind", "TEXT NOT NULL", "class or specialUse.") { $0.record.kind },
      .init(
        "class", "TEXT NOT NULL",
        "bravo, charlie, delta, echo; prohibited, restricted, moa, alert, warning, nationalSecurity, other.",
        from: ["CLASS", "suaType"], .function(.airspaceClass), pairs: ClassAirspaceReader.classes
      ) { $0.record.classification },
      .init(
        "type", "TEXT NOT NULL", "The FAA's own word: CLASS_E5, MOA ...; empty where it has none.",
        from: ["LOCAL_TYPE", "suaType"], .text
      ) { $0.record.type },
      .init(
        "designator", "TEXT",
        "R-2508, MEGLINAW; of class airspace the identifier of its airport, if it has one.",
        from: ["IDENT", "designator"], .text
      ) { $0.record.designator },
      .init(
        "name", "TEXT NOT NULL", "As the FAA has it: SAN FRANCISCO CLASS B, R-2508 COMPLEX ...",
        from: ["NAME", "name", "designator"], .text
      ) { $0.record.name },
      .init("sector", "TEXT", "Which shelf or part, in the FAA's words.", from: ["SECTOR"], .text) {
        $0.record.sector
      },
      .init("city", "TEXT", "Of special-use airspace, where the FAA names one.", from: ["city"], .text) {
        $0.record.city
      },
      .init(
        "state", "TEXT", "Post office code.", from: ["administrativeArea"], .function(.state),
        pairs: StateNames.codes
      ) { $0.record.state },
      .init(
        "floor", "INTEGER", "Feet from floorDatum, flight levels too.", from: limit("LOWER"),
        .function(.limit)
      ) { $0.record.floor?.feet },
      .init(
        "floorDatum", "TEXT",
        "surface, msl, agl, standard (a flight level) or other; NULL where none is given.",
        from: limit("LOWER"), .function(.limitDatum)
      ) { $0.record.floor?.datum.rawValue },
      .init(
        "floorText", "TEXT", "As pilots read it: SFC, 700 ft AGL, 4000 ft MSL, FL180.", from: limit("LOWER"),
        .function(.limitText)
      ) { $0.record.floor?.text },
      .init(
        "floorFeet", "INTEGER",
        "Feet above mean sea level, 0 for the surface; NULL if it is a height above ground.",
        from: limit("LOWER"), .function(.limitAboveSea)
      ) { $0.record.floor?.comparableFeet },
      .init("floorMinimum", "TEXT", "What the floor keeps from the ground besides: 3000 ft AGL.") {
        $0.record.minimum?.text
      },
      .init(
        "ceiling", "INTEGER", "Feet from ceilingDatum, flight levels too.", from: limit("UPPER"),
        .function(.limit)
      ) { $0.record.ceiling?.feet },
      .init(
        "ceilingDatum", "TEXT",
        "As floorDatum, or unlimited; NULL where none is given: class E then ends below what lies over it.",
        from: limit("UPPER"), .function(.limitDatum)
      ) { $0.record.ceiling?.datum.rawValue },
      .init(
        "ceilingText", "TEXT", "As pilots read it; UNL is unlimited.", from: limit("UPPER"),
        .function(.limitText)
      ) { $0.record.ceiling?.text },
      .init(
        "ceilingFeet", "INTEGER",
        "Feet above mean sea level; NULL if it is a height above ground, or if there is none.",
        from: limit("UPPER"), .function(.limitAboveSea)
      ) { $0.record.ceiling?.comparableFeet },
      .init("ceilingMaximum", "TEXT", "What limits the ceiling besides.") { $0.record.maximum?.text },
      .init(
        "excluded", "TEXT",
        "Bands that are no part of it, and cannot be cut out without knowing the ground: SFC to 1500 ft AGL."
      ) { $0.record.excluded },
      .init("agency", "TEXT", "The facility that controls it.") { $0.record.agency },
      .init("usingAgency", "TEXT", "The facility that uses it.") { $0.record.usingAgency },
      .init("hours", "TEXT", "When it is in use, for people; NULL of class airspace.") { $0.record.hours },
      .init("times", "TEXT", "The same as a JSON array, as in airspaceTimes; NULL without a timetable.") {
        $0.times
      },
      .init("activity", "TEXT", "What goes on in it, in the FAA's words.") { $0.record.activity },
      .init("remark", "TEXT", "The FAA's description and notes.", from: ["WKHR_RMK", "note"], .text) {
        $0.record.remark
      },
      .init(
        "isComplete", "INTEGER NOT NULL",
        "0 where the FAA's data refer to a part that is not there, or that cannot be read."
      ) { $0.record.isComplete },
      .init(
        "geometry", "TEXT NOT NULL",
        "A GeoJSON Polygon or MultiPolygon in degrees, WGS84, cut at 180 degrees; straight between its corners.",
        from: ["horizontalProjection"], .function(.shape)
      ) { $0.record.shape.geoJSON },
      .init("south", "REAL NOT NULL", "Degrees: this and the next three are the box around the shape.") {
        $0.record.shape.box.south
      },
      .init("north", "REAL NOT NULL") { $0.record.shape.box.north },
      .init("west", "REAL NOT NULL", "Of an airspace across 180 degrees -180, and east is 180.") {
        $0.record.shape.box.west
      },
      .init("east", "REAL NOT NULL") { $0.record.shape.box.east },
    ],
    indexes: [["area"], ["designator"]], extent: .box, search: [("name", 4), ("designator", 20)])

  private static func limit(_ side: String) -> [String] { ["VAL", "UOM", "CODE"].map { "\(side)_\($0)" } }

  static let times = RecordTable<(area: Int, number: Int, sheet: AirspaceUsage.Timesheet)>(
    "airspaceTimes",
    "The timetable of special-use airspace: each row is a time when it is in use.",
    [
      .init("area", "INTEGER NOT NULL", "As in airspaces.") { $0.area },
      .init("number", "INTEGER NOT NULL", "Counts an area's rows from 1.") { $0.number },
      .init("day", "TEXT", "MON ... SUN, ANY, WORK_DAY, HOL ..., in the FAA's words.") { $0.sheet.day },
      .init("dayTo", "TEXT", "The last day of a range.") { $0.sheet.dayTo },
      .init("start", "TEXT", "The time of day, 0700; NULL where an event says it.") { $0.sheet.start },
      .init("end", "TEXT", "The same of the end.") { $0.sheet.end },
      .init("startEvent", "TEXT", "sunrise or sunset.") { $0.sheet.startEvent },
      .init("startMinutes", "INTEGER", "Minutes after the event, negative before it.") {
        $0.sheet.startMinutes
      },
      .init("endEvent", "TEXT", "sunrise or sunset.") { $0.sheet.endEvent },
      .init("endMinutes", "INTEGER", "Minutes after the event, negative before it.") { $0.sheet.endMinutes },
      .init("reference", "TEXT", "To what the times refer, in the FAA's words: UTC ...") {
        $0.sheet.reference
      },
      .init("utcOffset", "REAL", "Hours from UTC.") { $0.sheet.utcOffset },
      .init("hasDaylightSaving", "INTEGER", "0 or 1; NULL where it is not said.") {
        $0.sheet.hasDaylightSaving
      },
      .init("startDate", "TEXT", "In the FAA's words: 01-09.") { $0.sheet.startDate },
      .init("endDate", "TEXT", "In the FAA's words: 30-09.") { $0.sheet.endDate },
    ],
    constraints: ["PRIMARY KEY (area, number)"], isKeyed: true)

  static let frequencies = RecordTable<(area: Int, number: Int, channel: RadioChannel)>(
    "airspaceFrequencies",
    "On which frequencies special-use airspace is asked about.",
    [
      .init("area", "INTEGER NOT NULL", "As in airspaces.") { $0.area },
      .init("number", "INTEGER NOT NULL", "Counts an area's rows from 1.") { $0.number },
      .init("frequency", "REAL", "MHz, on which the facility transmits.") { $0.channel.transmits },
      .init("receives", "REAL", "MHz, on which the facility listens.") { $0.channel.receives },
      .init("mode", "TEXT", "In the FAA's words: AM ...") { $0.channel.mode },
      .init("traffic", "TEXT", "civil, military or all.") { $0.channel.traffic },
      .init("isCharted", "INTEGER", "0 or 1; NULL where it is not said.") { $0.channel.isCharted },
      .init("sector", "TEXT", "In the FAA's words.") { $0.channel.sector },
    ],
    constraints: ["PRIMARY KEY (area, number)"], isKeyed: true)
}

/// An area with one floor and one ceiling.
struct AirspaceRecord {
  /// `class` or `specialUse`
  var kind: String
  var classification: String
  var type: String
  var designator: String?
  var name: String
  var sector: String?
  var city: String?
  var state: String?
  var floor: AltitudeLimit?
  var ceiling: AltitudeLimit?
  /// An additional limit of the floor or the ceiling, such as a height above ground.
  var minimum: AltitudeLimit?
  var maximum: AltitudeLimit?
  /// Excluded bands whose datum is not comparable with that of the floor and ceiling.
  var excluded: String?
  var agency: String?
  var usingAgency: String?
  var hours: String?
  var activity: String?
  var remark: String?
  /// False where a part is missing or unreadable.
  var isComplete = true
  var shape: MapShape
}
