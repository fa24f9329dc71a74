/// What `aviation.sqlite` is made of.
///
/// The comments are part of the file: SQLite keeps them, so `.schema` explains each column to whoever opens it,
/// and the pages of documentation are made from the same words. A column's comment stands on its own line.
enum DatabaseSchema {
  /// Raised when a column changes its meaning or goes; a new column is no new version.
  static let version = 1
  /// "AVN1", in the file's header.
  static let applicationID = 0x4156_4e31
  /// Fixed, since the library's default has changed before and the bytes must not.
  static let pageSize = 4096

  /// The tables that hold rows of the source, in the order in which they are filled.
  static let tables: [(name: String, sql: String)] = [
    ("airports", airports), ("runways", runways), ("frequencies", frequencies), ("remarks", remarks),
    ("navaids", navaids), ("fixes", fixes), ("metadata", metadata),
  ]

  static let airports = """
    CREATE TABLE airports (  -- Landing facilities of every kind, one row each, ordered by icao.
      id INTEGER PRIMARY KEY,  -- The rowid, as in airports_rtree and airports_fts.
      icao TEXT NOT NULL UNIQUE,  -- The ICAO code, else the FAA identifier: the airport's identity in every table.
      faaID TEXT NOT NULL,  -- The FAA location identifier, such as PAO.
      siteNumber TEXT NOT NULL,  -- The FAA's landing facility site number, such as 02022. with its dot.
      siteType TEXT NOT NULL,  -- The FAA's site type code; unique only together with siteNumber.
      name TEXT NOT NULL,
      city TEXT,
      state TEXT,  -- Post office code; NULL outside the United States.
      country TEXT,  -- Two letters.
      latitude REAL NOT NULL,  -- Degrees, NAD83, south negative.
      longitude REAL NOT NULL,  -- Degrees, NAD83, west negative.
      elevation REAL,  -- Feet above mean sea level.
      type TEXT NOT NULL,  -- airport, heliport, seaplane, ultralight, gliderport, balloonport or vertiport.
      ownership TEXT,  -- public, private or military.
      use TEXT,  -- public or private.
      status TEXT,  -- operational, closedIndefinitely or closedPermanently.
      ctafFrequency REAL,  -- MHz, VHF.
      unicomFrequency REAL,  -- MHz, VHF.
      artccID TEXT,  -- The center in whose area it lies.
      fssID TEXT,  -- The flight service station that serves it.
      magneticVariation REAL,  -- Degrees, west negative; magnetic bearing = true bearing - variation.
      patternAltitude REAL,  -- Feet above ground, only where the FAA publishes one.
      fuelTypes TEXT NOT NULL,  -- A JSON array, such as ["100LL","JetA"].
      hasBeaconLight INTEGER NOT NULL,  -- 0 or 1.
      isTowered INTEGER NOT NULL,  -- 0 or 1.
      longestRunway INTEGER,  -- Feet.
      chart TEXT,  -- The sectional chart on which it is drawn.
      effectiveDate TEXT NOT NULL,  -- The day on which the FAA's row took effect: 2026-11-26.
      UNIQUE (siteNumber, siteType)
    )
    """

  static let runways = """
    CREATE TABLE runways (  -- Runways, water lanes and helipads.
      airport TEXT NOT NULL REFERENCES airports(icao),
      id TEXT NOT NULL,  -- As the FAA writes it: 13/31, 05W/23W, N/S, H1.
      length INTEGER,  -- Feet; NULL where the FAA has none.
      width INTEGER,  -- Feet; NULL where the FAA has none.
      surface TEXT,  -- asphalt, concrete, turf, gravel, dirt, water ...; two kinds as asphalt-concrete.
      condition TEXT,  -- excellent, good, fair, poor or failed.
      lighting TEXT NOT NULL,  -- none, partTime (by schedule, on request, or not said when) or fullTime (sunset to sunrise).
      edgeLights TEXT,  -- high, medium, low, nonstandard, perimeter, flood or strobe; NULL without lights.
      baseEndID TEXT NOT NULL,
      baseEndLatitude REAL,  -- Degrees, of the end of the pavement and not of a displaced threshold.
      baseEndLongitude REAL,
      baseEndElevation REAL,  -- Feet above mean sea level.
      baseEndTouchdownElevation REAL,  -- Feet above mean sea level: the touchdown zone's (TDZE).
      baseEndTrueHeading REAL,  -- Degrees true.
      baseEndDisplacedThreshold INTEGER,  -- Feet.
      baseEndTraffic TEXT,  -- left or right; NULL where the FAA does not say.
      baseEndVGSI TEXT,  -- The FAA's code of the visual glide slope indicator: P4L, V2R ...; NULL without one.
      baseEndMarking TEXT,  -- precision, nonprecision, basic, numbersOnly, nonstandard, buoys, stol or none.
      reciprocalEndID TEXT,  -- NULL for a helipad and wherever there is one end only.
      reciprocalEndLatitude REAL,
      reciprocalEndLongitude REAL,
      reciprocalEndElevation REAL,
      reciprocalEndTouchdownElevation REAL,
      reciprocalEndTrueHeading REAL,
      reciprocalEndDisplacedThreshold INTEGER,
      reciprocalEndTraffic TEXT,
      reciprocalEndVGSI TEXT,
      reciprocalEndMarking TEXT,
      PRIMARY KEY (airport, id)
    ) WITHOUT ROWID
    """

  static let frequencies = """
    CREATE TABLE frequencies (  -- Radio frequencies of airports; a frequency of two uses has two rows.
      airport TEXT NOT NULL REFERENCES airports(icao),
      number INTEGER NOT NULL,  -- Counts an airport's rows from 1: the common frequency first, then the tower ...
      type TEXT NOT NULL,  -- ctaf, tower, ground, clearance, approach, departure, atis, unicom, multicom or other.
      frequency REAL NOT NULL,  -- MHz, military UHF and oceanic HF too.
      name TEXT,  -- The call, such as NORCAL; else the name of the facility.
      remark TEXT,
      use TEXT,  -- The FAA's own words: LCL/P, APCH/P DEP/P IC, CLASS C ...
      vhf INTEGER NOT NULL,  -- 1 within 118 to 137 MHz, which civil radios receive.
      receiveOnly INTEGER NOT NULL,  -- 1 where the station listens on it and does not transmit.
      channel TEXT,  -- The TACAN channel paired with it: 35X.
      sector TEXT,  -- For which runways or directions, in the FAA's words.
      hours TEXT,  -- The tower's hours, in the FAA's words.
      PRIMARY KEY (airport, number)
    ) WITHOUT ROWID
    """

  static let remarks = """
    CREATE TABLE remarks (  -- The FAA's remarks to an airport.
      airport TEXT NOT NULL REFERENCES airports(icao),
      number INTEGER NOT NULL,  -- Counts an airport's rows from 1.
      subject TEXT NOT NULL,  -- What it is about: AIRPORT, RUNWAY, FUEL_TYPE ..., in the FAA's words.
      element TEXT,  -- Which one of them: 13/31, 100LL ...
      field TEXT NOT NULL,  -- The FAA's column: GENERAL_REMARK, RWY_LGT_CODE ...
      remark TEXT NOT NULL,
      PRIMARY KEY (airport, number)
    ) WITHOUT ROWID
    """

  static let navaids = """
    CREATE TABLE navaids (  -- Radio navigation aids, ordered by identifier.
      id INTEGER PRIMARY KEY,  -- The rowid, as in navaids_rtree and navaids_fts.
      identifier TEXT NOT NULL,  -- Not unique, not even together with the type.
      name TEXT NOT NULL,
      type TEXT NOT NULL,  -- vor, vortac, vorDme, tacan, dme, ndb, ndbDme, marineNdb, fanMarker, vot ...
      city TEXT,
      state TEXT,
      country TEXT,
      latitude REAL NOT NULL,
      longitude REAL NOT NULL,
      elevation REAL,  -- Feet above mean sea level.
      frequency REAL,  -- kHz for an ndb, ndbDme and marineNdb, MHz for the others.
      channel TEXT,  -- The TACAN channel: 70X.
      magneticVariation REAL,  -- Degrees, west negative; to what the radials are set.
      status TEXT,  -- operational, restricted, vfrOnly, shutdown or decommissioned.
      serviceVolume TEXT,  -- terminal, low, high, vorLow or vorHigh.
      isPublic INTEGER NOT NULL  -- 0 or 1.
    )
    """

  static let fixes = """
    CREATE TABLE fixes (  -- Named points: waypoints, reporting points, VFR waypoints ...
      id INTEGER PRIMARY KEY,
      identifier TEXT NOT NULL,  -- Unique only together with the region, the state and the country.
      region TEXT NOT NULL,  -- ICAO region, such as K2.
      state TEXT,
      country TEXT,
      latitude REAL NOT NULL,
      longitude REAL NOT NULL,
      type TEXT NOT NULL,  -- waypoint, reportingPoint, vfr, computer, militaryReporting, militaryWaypoint, nrs, radar.
      artccLow TEXT,
      artccHigh TEXT,
      charts TEXT  -- On which charts it is drawn, in the FAA's words.
    )
    """

  static let metadata = """
    CREATE TABLE metadata (  -- What this file is: cycle, dates, source, row counts.
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) WITHOUT ROWID
    """
}
