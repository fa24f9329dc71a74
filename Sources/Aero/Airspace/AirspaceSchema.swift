internal import Core

/// The airspace tables.
enum AirspaceSchema {
  static let airspaces = TableSchema(
    "airspaces",
    "Airspace by class and for special use: one row for each area with one floor and one ceiling.",
    [
      .init("id", "INTEGER PRIMARY KEY", "The rowid, as in airspaces_rtree and airspaces_fts."),
      .init(
        "area", "INTEGER NOT NULL",
        "Which airspace of the FAA's it is, or a part of: one that has several floors or ceilings has several rows."
      ),
      .init("kind", "TEXT NOT NULL", "class or specialUse."),
      .init(
        "class", "TEXT NOT NULL",
        "bravo, charlie, delta, echo; prohibited, restricted, moa, alert, warning, nationalSecurity, other.",
        origin: Origin(["CLASS", "suaType"], .function(.airspaceClass), pairs: ClassAirspaceReader.classes)),
      .init(
        "type", "TEXT NOT NULL", "The FAA's own word: CLASS_E5, MOA ...; empty where it has none.",
        origin: Origin(["LOCAL_TYPE", "suaType"], .text)),
      .init(
        "designator", "TEXT",
        "R-2508, MEGLINAW; of class airspace the identifier of its airport, if it has one.",
        origin: Origin(["IDENT", "designator"], .text)),
      .init(
        "name", "TEXT NOT NULL", "As the FAA has it: SAN FRANCISCO CLASS B, R-2508 COMPLEX ...",
        origin: Origin(["NAME", "name", "designator"], .text)),
      .init("sector", "TEXT", "Which shelf or part, in the FAA's words.", origin: Origin(["SECTOR"], .text)),
      .init(
        "city", "TEXT", "Of special-use airspace, where the FAA names one.", origin: Origin(["city"], .text)),
      .init(
        "state", "TEXT", "Post office code.",
        origin: Origin(["administrativeArea"], .function(.state), pairs: StateNames.codes)),
      .init(
        "floor", "INTEGER", "Feet from floorDatum, flight levels too.",
        origin: limit("LOWER", .limit)),
      .init(
        "floorDatum", "TEXT",
        "surface, msl, agl, standard (a flight level) or other; NULL where none is given.",
        origin: limit("LOWER", .limitDatum)),
      .init(
        "floorText", "TEXT", "As pilots read it: SFC, 700 ft AGL, 4000 ft MSL, FL180.",
        origin: limit("LOWER", .limitText)),
      .init(
        "floorFeet", "INTEGER",
        "Feet above mean sea level, 0 for the surface; NULL where it hangs on the ground.",
        origin: limit("LOWER", .limitAboveSea)),
      .init("floorMinimum", "TEXT", "What the floor keeps from the ground besides: 3000 ft AGL."),
      .init(
        "ceiling", "INTEGER", "Feet from ceilingDatum, flight levels too.",
        origin: limit("UPPER", .limit)),
      .init(
        "ceilingDatum", "TEXT",
        "As floorDatum, or unlimited; NULL where none is given: class E then ends below what lies over it.",
        origin: limit("UPPER", .limitDatum)),
      .init(
        "ceilingText", "TEXT", "As pilots read it; UNL is unlimited.",
        origin: limit("UPPER", .limitText)),
      .init(
        "ceilingFeet", "INTEGER", "Feet above mean sea level; NULL where it hangs on the ground or is none.",
        origin: limit("UPPER", .limitAboveSea)),
      .init("ceilingMaximum", "TEXT", "What limits the ceiling besides."),
      .init(
        "excluded", "TEXT",
        "Bands that are no part of it, and cannot be cut out without knowing the ground: SFC to 1500 ft AGL."),
      .init("agency", "TEXT", "The facility that controls it."),
      .init("usingAgency", "TEXT", "The facility that uses it."),
      .init("hours", "TEXT", "When it is in use, for people; NULL of class airspace."),
      .init("times", "TEXT", "The same as a JSON array, as in airspaceTimes; NULL without a timetable."),
      .init("activity", "TEXT", "What goes on in it, in the FAA's words."),
      .init(
        "remark", "TEXT", "The FAA's description and notes.",
        origin: Origin(["WKHR_RMK", "note"], .text)),
      .init(
        "isComplete", "INTEGER NOT NULL",
        "0 where the FAA's data refer to a part that is not there, or that cannot be read."),
      .init(
        "geometry", "TEXT NOT NULL",
        "A GeoJSON Polygon or MultiPolygon in degrees, WGS84, cut at 180 degrees; straight between its corners.",
        origin: Origin(["horizontalProjection"], .function(.shape))
      ),
      .init("south", "REAL NOT NULL", "Degrees: this and the next three are the box around the shape."),
      .init("north", "REAL NOT NULL"),
      .init("west", "REAL NOT NULL", "Of an airspace across 180 degrees -180, and east is 180."),
      .init("east", "REAL NOT NULL"),
    ],
    indexes: [["area"], ["designator"]], extent: .box, search: [("name", 4), ("designator", 20)])

  private static func limit(_ side: String, _ function: Origin.Function) -> Origin {
    Origin(["VAL", "UOM", "CODE"].map { "\(side)_\($0)" }, .function(function))
  }

  static let times = TableSchema(
    "airspaceTimes",
    "The timetable of special-use airspace: each row is a time when it is in use.",
    [
      .init("area", "INTEGER NOT NULL", "As in airspaces."),
      .init("number", "INTEGER NOT NULL", "Counts an area's rows from 1."),
      .init("day", "TEXT", "MON ... SUN, ANY, WORK_DAY, HOL ..., in the FAA's words."),
      .init("dayTo", "TEXT", "The last day of a range."),
      .init("start", "TEXT", "The time of day, 0700; NULL where an event says it."),
      .init("end", "TEXT", "The same of the end."),
      .init("startEvent", "TEXT", "sunrise or sunset."),
      .init("startMinutes", "INTEGER", "Minutes after the event, negative before it."),
      .init("endEvent", "TEXT", "sunrise or sunset."),
      .init("endMinutes", "INTEGER", "Minutes after the event, negative before it."),
      .init("reference", "TEXT", "To what the times refer, in the FAA's words: UTC ..."),
      .init("utcOffset", "REAL", "Hours from UTC."),
      .init("hasDaylightSaving", "INTEGER", "0 or 1; NULL where it is not said."),
      .init("startDate", "TEXT", "In the FAA's words: 01-09."),
      .init("endDate", "TEXT", "In the FAA's words: 30-09."),
    ],
    constraints: ["PRIMARY KEY (area, number)"], isKeyed: true)

  static let frequencies = TableSchema(
    "airspaceFrequencies",
    "On which frequencies special-use airspace is asked about.",
    [
      .init("area", "INTEGER NOT NULL", "As in airspaces."),
      .init("number", "INTEGER NOT NULL", "Counts an area's rows from 1."),
      .init("frequency", "REAL", "MHz, on which the facility transmits."),
      .init("receives", "REAL", "MHz, on which the facility listens."),
      .init("mode", "TEXT", "In the FAA's words: AM ..."),
      .init("traffic", "TEXT", "civil, military or all."),
      .init("isCharted", "INTEGER", "0 or 1; NULL where it is not said."),
      .init("sector", "TEXT", "In the FAA's words."),
    ],
    constraints: ["PRIMARY KEY (area, number)"], isKeyed: true)
}

/// A row of `airspaces`: an area with one floor and one ceiling.
struct AirspaceRecord {
  enum Kind: String {
    case classAirspace = "class"
    case specialUse
  }

  var kind: Kind
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
