extension SourceTable {
  static let navaids = SourceTable(
    "navaids", from: "NAV_BASE", "Radio navigation aids.",
    [
      Field("id", .number, "The rowid, as in navaids_rtree and navaids_fts."),
      Field("identifier", .text("NAV_ID"), "Not unique, not even together with the type.", isRequired: true),
      Field("name", .either("NAME", "NAV_ID"), isRequired: true),
      Field(
        "type", .word("NAV_TYPE", NavaidCodes.types),
        "vor, vortac, vorDme, tacan, dme, ndb, ndbDme, uhfNdb, marineNdb, fanMarker, vot ...",
        isRequired: true),
      Field("city", .text("CITY")),
      Field("state", .text("STATE_CODE")),
      Field("country", .text("COUNTRY_CODE")),
      Field("latitude", .real("LAT_DECIMAL", -90...90), isRequired: true),
      Field("longitude", .real("LONG_DECIMAL", -180...180), isRequired: true),
      Field("elevation", .real("ELEV", -1500...30_000), "Feet above mean sea level."),
      Field(
        "frequency", .real("FREQ", 50...2000), "kHz for an ndb, ndbDme and marineNdb, MHz for the others."),
      Field("channel", .text("CHAN"), "The TACAN channel: 70X."),
      Field(
        "magneticVariation", .variation("MAG_VARN", "MAG_VARN_HEMIS"),
        "Degrees, west negative; to what the radials are set."),
      Field(
        "status", .word("NAV_STATUS", NavaidCodes.statuses),
        "operational, restricted, vfrOnly, shutdown or decommissioned."),
      Field(
        "serviceVolume", .word("ALT_CODE", NavaidCodes.volumes), "terminal, low, high, vorLow or vorHigh.",
        mayLack: true),
      Field("isPublic", .flag("PUBLIC_USE_FLAG"), "0 or 1."),
    ],
    keys: [.navaid, .navaidOfType], indexes: [["identifier"]], extent: .point,
    search: [("identifier", 20), ("name", 4), ("city", 2)], mayLack: false)
}

/// The codes of NAV_BASE.
enum NavaidCodes {
  static let types: CodeBook = [
    "VOR": "vor", "VOR/DME": "vorDme", "VORTAC": "vortac", "TACAN": "tacan", "DME": "dme", "NDB": "ndb",
    "NDB/DME": "ndbDme", "UHF/NDB": "uhfNdb", "MARINE NDB": "marineNdb", "MARINE NDB/DME": "marineNdbDme",
    "FAN MARKER": "fanMarker", "VOT": "vot", "CONSOLAN": "consolan",
  ]
  static let statuses: CodeBook = [
    "OPERATIONAL IFR": "operational", "OPERATIONAL RESTRICTED": "restricted",
    "OPERATIONAL VFR ONLY": "vfrOnly", "SHUTDOWN": "shutdown", "DECOMMISSIONED": "decommissioned",
  ]
  static let volumes: CodeBook = [
    "T": "terminal", "L": "low", "H": "high", "VL": "vorLow", "VH": "vorHigh",
  ]
}
