/// The airports and what belongs to them.
enum AirportSchema {
  static let airports = TableSchema(
    "airports",
    "Landing facilities of every kind, one row each, ordered by icao.",
    [
      .init("id", "INTEGER PRIMARY KEY", "The rowid, as in airports_rtree and airports_fts."),
      .init(
        "icao", "TEXT NOT NULL UNIQUE",
        "The ICAO code, else the FAA identifier: the airport's identity in every table.",
        from: "ICAO_ID, ARPT_ID"),
      .init("faaID", "TEXT NOT NULL", "The FAA location identifier, such as PAO.", from: "ARPT_ID"),
      .init(
        "siteNumber", "TEXT NOT NULL", "The FAA's landing facility site number, such as 02022. with its dot.",
        from: "SITE_NO"),
      .init(
        "siteType", "TEXT NOT NULL", "The FAA's site type code; unique only together with siteNumber.",
        from: "SITE_TYPE_CODE"),
      .init("name", "TEXT NOT NULL", from: "ARPT_NAME"),
      .init("city", "TEXT", from: "CITY"),
      .init("state", "TEXT", "Post office code; NULL outside the United States.", from: "STATE_CODE"),
      .init("country", "TEXT", "Two letters.", from: "COUNTRY_CODE"),
      .init("latitude", "REAL NOT NULL", "Degrees, NAD83, south negative.", from: "LAT_DECIMAL"),
      .init("longitude", "REAL NOT NULL", "Degrees, NAD83, west negative.", from: "LONG_DECIMAL"),
      .init("elevation", "REAL", "Feet above mean sea level.", from: "ELEV"),
      .init(
        "type", "TEXT NOT NULL",
        "airport, heliport, seaplane, ultralight, gliderport, balloonport or vertiport.",
        from: "SITE_TYPE_CODE"),
      .init("ownership", "TEXT", "public, private or military.", from: "OWNERSHIP_TYPE_CODE"),
      .init("use", "TEXT", "public or private.", from: "FACILITY_USE_CODE"),
      .init("status", "TEXT", "operational, closedIndefinitely or closedPermanently.", from: "ARPT_STATUS"),
      .init("ctafFrequency", "REAL", "MHz, VHF.", from: "FRQ.FREQ"),
      .init("unicomFrequency", "REAL", "MHz, VHF.", from: "FRQ.FREQ"),
      .init("artccID", "TEXT", "The center in whose area it lies.", from: "RESP_ARTCC_ID"),
      .init("fssID", "TEXT", "The flight service station that serves it.", from: "FSS_ID"),
      .init(
        "magneticVariation", "REAL", "Degrees, west negative; magnetic bearing = true bearing - variation.",
        from: "MAG_VARN, MAG_HEMIS"),
      .init("patternAltitude", "REAL", "Feet above ground, only where the FAA publishes one.", from: "TPA"),
      .init("fuelTypes", "TEXT NOT NULL", "A JSON array, such as [\"100LL\",\"JetA\"].", from: "FUEL_TYPES"),
      .init("hasBeaconLight", "INTEGER NOT NULL", "0 or 1.", from: "BCN_LENS_COLOR"),
      .init("isTowered", "INTEGER NOT NULL", "0 or 1.", from: "TWR_TYPE_CODE"),
      .init("longestRunway", "INTEGER", "Feet.", from: "APT_RWY.RWY_LEN"),
      .init("chart", "TEXT", "The sectional chart on which it is drawn.", from: "CHART_NAME"),
      .init(
        "effectiveDate", "TEXT NOT NULL", "The day on which the FAA's row took effect: 2026-11-26.",
        from: "EFF_DATE"),
    ],
    source: Airport.table, constraints: ["UNIQUE (siteNumber, siteType)"],
    indexes: [["faaID"]], extent: .point,
    // The FAA identifier weighs more than the ICAO code, since `PAO` is also how Alaskan ICAO codes begin.
    search: [("icao", 10), ("faaID", 20), ("name", 4), ("city", 2)])

  static let runways = TableSchema(
    "runways",
    "Runways, water lanes and helipads.",
    [
      .init("airport", "TEXT NOT NULL REFERENCES airports(icao)", from: "SITE_NO, SITE_TYPE_CODE"),
      .init("id", "TEXT NOT NULL", "As the FAA writes it: 13/31, 05W/23W, N/S, H1.", from: "RWY_ID"),
      .init("length", "INTEGER", "Feet; NULL where the FAA has none.", from: "RWY_LEN"),
      .init("width", "INTEGER", "Feet; NULL where the FAA has none.", from: "RWY_WIDTH"),
      .init(
        "surface", "TEXT", "asphalt, concrete, turf, gravel, dirt, water ...; two kinds as asphalt-concrete.",
        from: "SURFACE_TYPE_CODE"),
      .init("condition", "TEXT", "excellent, good, fair, poor or failed.", from: "COND"),
      .init(
        "lighting", "TEXT NOT NULL",
        "none, partTime (by schedule, on request, or not said when) or fullTime (sunset to sunrise).",
        from: "RWY_LGT_CODE, APT_BASE.LGT_SKED"),
      .init(
        "edgeLights", "TEXT",
        "high, medium, low, nonstandard, perimeter, flood or strobe; NULL without lights.",
        from: "RWY_LGT_CODE"),
      .init("baseEndID", "TEXT NOT NULL", from: "RWY_ID"),
      .init(
        "baseEndLatitude", "REAL", "Degrees, of the end of the pavement and not of a displaced threshold.",
        from: "APT_RWY_END.LAT_DECIMAL"),
      .init("baseEndLongitude", "REAL", from: "APT_RWY_END.LONG_DECIMAL"),
      .init("baseEndElevation", "REAL", "Feet above mean sea level.", from: "APT_RWY_END.RWY_END_ELEV"),
      .init(
        "baseEndTouchdownElevation", "REAL", "Feet above mean sea level: the touchdown zone's (TDZE).",
        from: "APT_RWY_END.TDZ_ELEV"),
      .init("baseEndTrueHeading", "REAL", "Degrees true.", from: "APT_RWY_END.TRUE_ALIGNMENT"),
      .init("baseEndDisplacedThreshold", "INTEGER", "Feet.", from: "APT_RWY_END.DISPLACED_THR_LEN"),
      .init(
        "baseEndTraffic", "TEXT", "left or right; NULL where the FAA does not say.",
        from: "APT_RWY_END.RIGHT_HAND_TRAFFIC_PAT_FLAG"),
      .init(
        "baseEndVGSI", "TEXT",
        "The FAA's code of the visual glide slope indicator: P4L, V2R ...; NULL without one.",
        from: "APT_RWY_END.VGSI_CODE"),
      .init(
        "baseEndMarking", "TEXT",
        "precision, nonprecision, basic, numbersOnly, nonstandard, buoys, stol or none.",
        from: "APT_RWY_END.RWY_MARKING_TYPE_CODE"),
      .init(
        "reciprocalEndID", "TEXT", "NULL for a helipad and wherever there is one end only.", from: "RWY_ID"),
      .init("reciprocalEndLatitude", "REAL", from: "APT_RWY_END.LAT_DECIMAL"),
      .init("reciprocalEndLongitude", "REAL", from: "APT_RWY_END.LONG_DECIMAL"),
      .init("reciprocalEndElevation", "REAL", from: "APT_RWY_END.RWY_END_ELEV"),
      .init("reciprocalEndTouchdownElevation", "REAL", from: "APT_RWY_END.TDZ_ELEV"),
      .init("reciprocalEndTrueHeading", "REAL", from: "APT_RWY_END.TRUE_ALIGNMENT"),
      .init("reciprocalEndDisplacedThreshold", "INTEGER", from: "APT_RWY_END.DISPLACED_THR_LEN"),
      .init("reciprocalEndTraffic", "TEXT", from: "APT_RWY_END.RIGHT_HAND_TRAFFIC_PAT_FLAG"),
      .init("reciprocalEndVGSI", "TEXT", from: "APT_RWY_END.VGSI_CODE"),
      .init("reciprocalEndMarking", "TEXT", from: "APT_RWY_END.RWY_MARKING_TYPE_CODE"),
    ],
    source: Runway.table, constraints: ["PRIMARY KEY (airport, id)"], isKeyed: true)

  static let frequencies = TableSchema(
    "frequencies",
    "Radio frequencies of airports; a frequency of two uses has two rows.",
    [
      .init(
        "airport", "TEXT NOT NULL REFERENCES airports(icao)",
        from: "SERVICED_FACILITY, SERVICED_SITE_TYPE, SERVICED_STATE"),
      .init(
        "number", "INTEGER NOT NULL",
        "Counts an airport's rows from 1: the common frequency first, then the tower ..."),
      .init(
        "type", "TEXT NOT NULL",
        "ctaf, tower, ground, clearance, atis, awos, approach, departure, unicom, multicom, emergency or other.",
        from: "FREQ_USE, SERVICED_SITE_TYPE"),
      .init("frequency", "REAL NOT NULL", "MHz, military UHF and oceanic HF too.", from: "FREQ"),
      .init(
        "name", "TEXT", "The call, such as NORCAL; else the name of the facility.",
        from: "TOWER_OR_COMM_CALL, PRIMARY_APPROACH_RADIO_CALL, FAC_NAME"),
      .init("remark", "TEXT", from: "REMARK"),
      .init("use", "TEXT", "The FAA's own words: LCL/P, APCH/P DEP/P IC, CLASS C ...", from: "FREQ_USE"),
      .init("vhf", "INTEGER NOT NULL", "1 within 118 to 137 MHz, which civil radios receive.", from: "FREQ"),
      .init(
        "receiveOnly", "INTEGER NOT NULL", "1 where the station listens on it and does not transmit.",
        from: "FREQ"),
      .init("channel", "TEXT", "The TACAN channel paired with it: 35X.", from: "FREQ"),
      .init("sector", "TEXT", "For which runways or directions, in the FAA's words.", from: "SECTORIZATION"),
      .init("hours", "TEXT", "The tower's hours, in the FAA's words.", from: "TOWER_HRS"),
    ],
    source: Frequency.table, constraints: ["PRIMARY KEY (airport, number)"], isKeyed: true)
}
