/// The airports and what belongs to them.
enum AirportSchema {
  static let airports = TableSchema(
    "airports",
    "Landing facilities of every kind, one row each, ordered by icao.",
    [
      .init("id", "INTEGER PRIMARY KEY", "The rowid, as in airports_rtree and airports_fts."),
      .init(
        "icao", "TEXT NOT NULL UNIQUE",
        "The ICAO code, else the FAA identifier: the airport's identity in every table."),
      .init("faaID", "TEXT NOT NULL", "The FAA location identifier, such as PAO."),
      .init(
        "siteNumber", "TEXT NOT NULL", "The FAA's landing facility site number, such as 02022. with its dot."),
      .init("siteType", "TEXT NOT NULL", "The FAA's site type code; unique only together with siteNumber."),
      .init("name", "TEXT NOT NULL"),
      .init("city", "TEXT"),
      .init("state", "TEXT", "Post office code; NULL outside the United States."),
      .init("country", "TEXT", "Two letters."),
      .init("latitude", "REAL NOT NULL", "Degrees, NAD83, south negative."),
      .init("longitude", "REAL NOT NULL", "Degrees, NAD83, west negative."),
      .init("elevation", "REAL", "Feet above mean sea level."),
      .init(
        "type", "TEXT NOT NULL",
        "airport, heliport, seaplane, ultralight, gliderport, balloonport or vertiport."),
      .init("ownership", "TEXT", "public, private or military."),
      .init("use", "TEXT", "public or private."),
      .init("status", "TEXT", "operational, closedIndefinitely or closedPermanently."),
      .init("ctafFrequency", "REAL", "MHz, VHF."),
      .init("unicomFrequency", "REAL", "MHz, VHF."),
      .init("artccID", "TEXT", "The center in whose area it lies."),
      .init("fssID", "TEXT", "The flight service station that serves it."),
      .init(
        "magneticVariation", "REAL", "Degrees, west negative; magnetic bearing = true bearing - variation."),
      .init("patternAltitude", "REAL", "Feet above ground, only where the FAA publishes one."),
      .init("fuelTypes", "TEXT NOT NULL", "A JSON array, such as [\"100LL\",\"JetA\"]."),
      .init("hasBeaconLight", "INTEGER NOT NULL", "0 or 1."),
      .init("isTowered", "INTEGER NOT NULL", "0 or 1."),
      .init("longestRunway", "INTEGER", "Feet."),
      .init("chart", "TEXT", "The sectional chart on which it is drawn."),
      .init("customs", "INTEGER", "1 at an international airport of entry; NULL where the FAA does not say."),
      .init(
        "landingRights", "INTEGER",
        "1 where customs must be asked for the right to land first; NULL where the FAA does not say."),
      .init("effectiveDate", "TEXT NOT NULL", "The day on which the FAA's row took effect: 2026-11-26."),
    ],
    constraints: ["UNIQUE (siteNumber, siteType)"],
    indexes: [["faaID"]], extent: .point,
    // The FAA identifier weighs more than the ICAO code, since `PAO` is also how Alaskan ICAO codes begin.
    search: [("icao", 10), ("faaID", 20), ("name", 4), ("city", 2)])

  static let runways = TableSchema(
    "runways",
    "Runways, water lanes and helipads.",
    [
      .init("airport", "TEXT NOT NULL REFERENCES airports(icao)"),
      .init("id", "TEXT NOT NULL", "As the FAA writes it: 13/31, 05W/23W, N/S, H1."),
      .init("length", "INTEGER", "Feet; NULL where the FAA has none."),
      .init("width", "INTEGER", "Feet; NULL where the FAA has none."),
      .init(
        "surface", "TEXT", "asphalt, concrete, turf, gravel, dirt, water ...; two kinds as asphalt-concrete."),
      .init("condition", "TEXT", "excellent, good, fair, poor or failed."),
      .init(
        "lighting", "TEXT NOT NULL",
        "none, partTime (by schedule, on request, or not said when) or fullTime (sunset to sunrise)."),
      .init(
        "edgeLights", "TEXT",
        "high, medium, low, nonstandard, perimeter, flood or strobe; NULL without lights."),
      .init("baseEndID", "TEXT NOT NULL"),
      .init(
        "baseEndLatitude", "REAL", "Degrees, of the end of the pavement and not of a displaced threshold."),
      .init("baseEndLongitude", "REAL"),
      .init("baseEndElevation", "REAL", "Feet above mean sea level."),
      .init("baseEndTouchdownElevation", "REAL", "Feet above mean sea level: the touchdown zone's (TDZE)."),
      .init("baseEndTrueHeading", "REAL", "Degrees true."),
      .init("baseEndDisplacedThreshold", "INTEGER", "Feet."),
      .init("baseEndTraffic", "TEXT", "left or right; NULL where the FAA does not say."),
      .init(
        "baseEndVGSI", "TEXT",
        "The FAA's code of the visual glide slope indicator: P4L, V2R ...; NULL without one."),
      .init(
        "baseEndMarking", "TEXT",
        "precision, nonprecision, basic, numbersOnly, nonstandard, buoys, stol or none."),
      .init("reciprocalEndID", "TEXT", "NULL for a helipad and wherever there is one end only."),
      .init("reciprocalEndLatitude", "REAL"),
      .init("reciprocalEndLongitude", "REAL"),
      .init("reciprocalEndElevation", "REAL"),
      .init("reciprocalEndTouchdownElevation", "REAL"),
      .init("reciprocalEndTrueHeading", "REAL"),
      .init("reciprocalEndDisplacedThreshold", "INTEGER"),
      .init("reciprocalEndTraffic", "TEXT"),
      .init("reciprocalEndVGSI", "TEXT"),
      .init("reciprocalEndMarking", "TEXT"),
    ],
    constraints: ["PRIMARY KEY (airport, id)"], isKeyed: true)

  static let frequencies = TableSchema(
    "frequencies",
    "Radio frequencies of airports; a frequency of two uses has two rows.",
    [
      .init("airport", "TEXT NOT NULL REFERENCES airports(icao)"),
      .init(
        "number", "INTEGER NOT NULL",
        "Counts an airport's rows from 1: the common frequency first, then the tower ..."),
      .init(
        "type", "TEXT NOT NULL",
        "ctaf, tower, ground, clearance, approach, departure, atis, unicom, multicom or other."),
      .init("frequency", "REAL NOT NULL", "MHz, military UHF and oceanic HF too."),
      .init("name", "TEXT", "The call, such as NORCAL; else the name of the facility."),
      .init("remark", "TEXT"),
      .init("use", "TEXT", "The FAA's own words: LCL/P, APCH/P DEP/P IC, CLASS C ..."),
      .init("vhf", "INTEGER NOT NULL", "1 within 118 to 137 MHz, which civil radios receive."),
      .init("receiveOnly", "INTEGER NOT NULL", "1 where the station listens on it and does not transmit."),
      .init("channel", "TEXT", "The TACAN channel paired with it: 35X."),
      .init("sector", "TEXT", "For which runways or directions, in the FAA's words."),
      .init("hours", "TEXT", "The tower's hours, in the FAA's words."),
    ],
    constraints: ["PRIMARY KEY (airport, number)"], isKeyed: true)
}
