internal import SQLiteIO

/// The tables of `procedures.sqlite` about airports, fixes, navaids and airways. The columns of a table's source are in `CIFPLayout`.
extension SourceTable {
  /// A table with a row for each record of some kinds.
  static func cifp(
    _ name: String, from kinds: String, _ comment: String, _ fields: [Field], indexes: [[String]] = [],
    extent: TableSchema.Extent? = nil
  ) -> SourceTable {
    SourceTable(
      name, from: kinds, comment, [.id] + fields + CIFPFields.common, indexes: indexes, extent: extent,
      mayLack: false)
  }

  static let cifpAirports = cifp(
    "airports", from: "PA", "Airports.",
    CIFPFields.place + [
      Field("longestRunway", .coded("LONGEST_RUNWAY", as: .hundreds), "Feet."),
      Field("surface", .text("SURFACE"), "Of the longest runway: H hard, S soft."),
      Field("magneticOrTrue", .text("MAGNETIC"), "To which its courses refer: M or T."),
      Field("datum", .text("DATUM")),
    ], indexes: [["icao"]], extent: .point)

  static let cifpHeliports = cifp(
    "heliports", from: "HA", "Heliports.",
    CIFPFields.place + [
      Field("pad", .text("PAD")), Field("padSize", .text("PAD_SIZE"), "Feet by feet, as the FAA codes it."),
      Field("magneticOrTrue", .text("MAGNETIC"), "To which its courses refer: M or T."),
      Field("datum", .text("DATUM")),
    ], indexes: [["icao"]], extent: .point)

  static let cifpRunways = cifp(
    "runways", from: "PG", "The ends of runways.",
    [
      .cifpAirport, .cifpRegion, Field("identifier", .text("RUNWAY"), "RW04L.", isRequired: true),
      Field("length", .coded("LENGTH", as: .whole), "Feet."),
      Field("course", .coded("BEARING", as: .course), "Degrees, magnetic unless isTrueCourse."),
      Field("isTrueCourse", .coded("BEARING", as: .isTrueCourse)),
    ] + CIFPFields.position + [
      Field("gradient", .coded("GRADIENT", as: .thousandths), "Percent, up positive."),
      Field("ellipsoidHeight", .coded("ELLIPSOID_HEIGHT", as: .tenths), "Metres, of the threshold."),
      Field("elevation", .coded("ELEVATION", as: .whole), "Feet, of the threshold for landing."),
      Field("displacedThreshold", .coded("DISPLACEMENT", as: .whole), "Feet."),
      Field("thresholdCrossingHeight", .coded("TCH", as: .whole), "Feet."),
      Field("thresholdCrossingSource", .text("TCH_SOURCE")),
      Field("width", .coded("WIDTH", as: .whole), "Feet."),
      Field("localizer", .text("ILS")), Field("localizerCategory", .text("ILS_CATEGORY")),
      Field("stopway", .coded("STOPWAY", as: .whole), "Feet."),
      Field("secondLocalizer", .text("SECOND_ILS")),
      Field("secondLocalizerCategory", .text("SECOND_CATEGORY")),
      Field("remark", .text("REMARK")),
    ], indexes: [["airport"]], extent: .point)

  static let cifpLocalizers = cifp(
    "localizers", from: "PI", "Localizers with their glide slopes. An airport may list that of another one.",
    [
      .cifpAirport, Field("airportRegion", .coded("AIRPORT_REGION", as: .kept)), .cifpIdentifier,
      Field("category", .text("CATEGORY"), "0 localizer, 1 to 3 ILS; letters for LDA, SDF and IGS."),
      Field("frequency", .coded("FREQUENCY", as: .hundredths), "MHz."),
      Field("runway", .text("RUNWAY"), "RW04L."),
    ] + CIFPFields.position + [
      Field("course", .coded("BEARING", as: .course), "Degrees, magnetic unless isTrueCourse."),
      Field("isTrueCourse", .coded("BEARING", as: .isTrueCourse)),
      Field("glideSlopeLatitude", .coded("GS_LATITUDE", as: .latitude)),
      Field("glideSlopeLongitude", .coded("GS_LONGITUDE", as: .longitude)),
      Field("localizerOffset", .coded("LOC_DISTANCE", as: .whole), "Feet from the end of the runway."),
      Field("localizerReference", .text("LOC_REFERENCE"), "Where it is: + before, - after the approach end."),
      Field("glideSlopeOffset", .coded("GS_DISTANCE", as: .whole), "Feet from the threshold."),
      Field("courseWidth", .coded("WIDTH", as: .hundredths), "Degrees."),
      Field("glidePathAngle", .coded("GS_ANGLE", as: .hundredths), "Degrees."),
      Field("declination", .coded("DECLINATION", as: .variation), CIFPFields.east),
      Field("thresholdCrossingHeight", .coded("TCH", as: .whole), "Feet."),
      Field("glideSlopeElevation", .coded("GS_ELEVATION", as: .whole), "Feet."),
      Field("support", .text("SUPPORT"), "The facility that supports it."),
      Field("supportRegion", .coded("SUPPORT_REGION", as: .kept)),
      Field("supportSection", .coded("SUPPORT_SECTION", as: .kept)),
    ], indexes: [["airport"], ["identifier"]], extent: .point)

  static let cifpWaypoints = cifp(
    "waypoints", from: "EA PC HC", "Waypoints: enroute (EA), and of airports (PC) and heliports (HC).",
    [
      .cifpSection, .cifpAirport, Field("airportRegion", .coded("AIRPORT_REGION", as: .kept)),
      .cifpIdentifier,
      .cifpRegion, Field("type", .coded("TYPE", as: .kept), "The FAA's code, three characters."),
      Field(
        "usage", .coded("USAGE", as: .kept),
        "Two characters: R in the first for RNAV; B, H or L for the altitudes."),
    ] + CIFPFields.position + [
      Field(
        "magneticVariation", .coded("VARIATION", as: .variation),
        CIFPFields.east + " It is that of the world magnetic model."),
      Field("datum", .text("DATUM")), Field("nameFormat", .coded("NAME_FORMAT", as: .kept)),
      Field("name", .text("NAME")),
    ], indexes: [["identifier"], ["airport"]], extent: .point)

  static let cifpNavaids = cifp(
    "navaids", from: "D  DB PN", "VOR, DME and TACAN (D), radio beacons (DB), and those of airports (PN).",
    [
      .cifpSection, Field("airport", .text("AIRPORT"), "That of an ILS, or of a terminal facility."),
      Field("airportRegion", .coded("AIRPORT_REGION", as: .kept)), .cifpIdentifier, .cifpRegion,
      Field(
        "frequency", .coded("KIND", "FREQUENCY", as: .frequency),
        "MHz, or kHz of a radio beacon; NULL where not published."),
      Field("class", .coded("CLASS", as: .kept), "The FAA's code, five characters."),
      Field(
        "latitude", .coded("LATITUDE", "DME_LATITUDE", as: .latitude), "Degrees, of the VOR or else the DME."),
      Field("longitude", .coded("LONGITUDE", "DME_LONGITUDE", as: .longitude)),
      Field("vorLatitude", .coded("LATITUDE", as: .latitude), "NULL for a DME or TACAN alone."),
      Field("vorLongitude", .coded("LONGITUDE", as: .longitude)),
      Field("dme", .text("DME"), "The identifier of the DME."),
      Field("dmeLatitude", .coded("DME_LATITUDE", as: .latitude)),
      Field("dmeLongitude", .coded("DME_LONGITUDE", as: .longitude)),
      Field(
        "magneticVariation", .coded("VARIATION", as: .variation),
        CIFPFields.east + " Of a VOR it is the one that it is set to, to which its radials refer."),
      Field("elevation", .coded("ELEVATION", as: .whole), "Feet, of the DME."),
      Field("figureOfMerit", .text("FIGURE_OF_MERIT")), Field("dmeBias", .text("DME_BIAS")),
      Field("protection", .text("PROTECTION"), "Nautical miles in which the frequency is protected."),
      Field("datum", .text("DATUM")), Field("name", .text("NAME")),
    ], indexes: [["identifier"]], extent: .point)

  static let cifpAirways = cifp(
    "airways", from: "ER", "Airways, a row for each fix in order.",
    [
      Field("route", .text("ROUTE"), "V16, J60, T222.", isRequired: true),
      Field("routeSuffix", .text("SIXTH")),
      Field("sequence", .coded("SEQUENCE", as: .whole)),
      Field("fix", .text("FIX"), isRequired: true),
    ] + CIFPFields.named("fix", "FIX") + [
      Field("description", .coded("DESCRIPTION", as: .kept), "Four characters, as of a leg."),
      Field("boundary", .text("BOUNDARY")), Field("type", .text("TYPE"), "O conventional, R RNAV."),
      Field("level", .text("LEVEL"), "L of V and T, H of J and Q routes, blank for others."),
      Field("direction", .text("DIRECTION")), Field("cruise", .text("CRUISE")),
      Field("restriction", .text("RESTRICTION")),
      Field("navaid", .text("NAVAID")), Field("navaidRegion", .coded("NAVAID_REGION", as: .kept)),
      Field("requiredPerformance", .coded("RNP", as: .performance), "Nautical miles."),
      Field("theta", .coded("THETA", as: .tenths), "Degrees from the navaid, magnetic."),
      Field("rho", .coded("RHO", as: .tenths), "Nautical miles from the navaid."),
      Field(
        "course", .coded("OUTBOUND", as: .course), "Degrees to the next fix, magnetic unless isTrueCourse."),
      Field("isTrueCourse", .coded("OUTBOUND", as: .isTrueCourse)),
      Field("distance", .coded("DISTANCE", as: .miles), "Nautical miles to the next fix."),
      Field("minutes", .coded("DISTANCE", as: .minutes), "The same in time."),
      Field(
        "inboundCourse", .coded("INBOUND", as: .course),
        "Degrees, to this fix from the one before it, magnetic unless isTrueInboundCourse."),
      Field("isTrueInboundCourse", .coded("INBOUND", as: .isTrueCourse)),
      Field(
        "mea", .coded("MEA", as: .altitude),
        "Feet: minimum enroute altitude; NULL where it is not established."),
      Field("meaWord", .coded("MEA", as: .altitudeWord), "Where mea is no plain number: FL180, UNKNN."),
      Field("meaOpposite", .coded("MEA_OPPOSITE", as: .altitude), "Feet, in the other direction."),
      Field("meaOppositeWord", .coded("MEA_OPPOSITE", as: .altitudeWord)),
      Field("maa", .coded("MAA", as: .altitude), "Feet: maximum authorized altitude."),
      Field("maaWord", .coded("MAA", as: .altitudeWord)), Field("fixRadius", .text("FIX_RADIUS")),
      Field(
        "latitude", .coded("FIX_LATITUDE", as: .latitude),
        "Degrees, of the fix; NULL where the file does not have it."),
      Field("longitude", .coded("FIX_LONGITUDE", as: .longitude)),
    ], indexes: [["route", "sequence"]], extent: .point)

  static let cifpMSAs = cifp(
    "msas", from: "PS HS", "Minimum sector altitudes: a row for each sector around a centre.",
    [
      .cifpSection, .cifpAirport, .cifpRegion, Field("center", .text("CENTER"), isRequired: true),
    ] + CIFPFields.named("center", "CENTER") + [
      Field("multipleCode", .text("MULTIPLE"), "Distinguishes several of one centre."),
      Field("sector", .coded("SECTOR", as: .whole), "Counts from 1."),
      Field(
        "fromBearing", .coded("FROM", as: .whole),
        "Degrees toward the centre, clockwise up to toBearing; a whole circle from equal ones."),
      Field("toBearing", .coded("TO", as: .whole)),
      Field("altitude", .coded("ALTITUDE", as: .hundreds), "Feet."),
      Field("radius", .coded("RADIUS", as: .whole), "Nautical miles."),
      Field("magneticOrTrue", .text("MAGNETIC"), "To which the bearings refer: M or T."),
      Field(
        "latitude", .coded("CENTER_LATITUDE", as: .latitude),
        "Degrees, of the centre; NULL where the file does not have it."),
      Field("longitude", .coded("CENTER_LONGITUDE", as: .longitude)),
    ], indexes: [["airport"]], extent: .point)

  static let cifpMORAs = cifp(
    "gridMoras", from: "AS",
    "Grid minimum off-route altitudes: a row for each degree of latitude and longitude.",
    [
      Field("rowLatitude", .text("LATITUDE"), "Of the record: the south-west corner of its first square."),
      Field("rowLongitude", .text("LONGITUDE")),
      Field(
        "latitude", .coded("SOUTH", as: .latitude), "Degrees, of the south-west corner.", isRequired: true),
      Field("longitude", .coded("WEST", as: .longitude), isRequired: true),
      Field("altitude", .coded("ALTITUDE", as: .hundreds), "Feet; NULL where it is not surveyed."),
    ], extent: .point)
}

/// Fields that several tables have.
enum CIFPFields {
  static let east = "Degrees, east positive: true = magnetic + variation."

  static let common = [
    Field("recordType", .text("RECORD_TYPE"), "S standard, T tailored."),
    Field("area", .text("AREA"), "The FAA's code of the part of the world: USA, CAN, PAC ..."),
    Field("continuation", .text("CONTINUED"), "0 none, 1 continued; its values are in the same row."),
    Field("recordNumber", .text("RECORD_NUMBER"), "Of the FAA's; they are not in order."),
    Field("changed", .text("CHANGED"), "The cycle in which the record last changed."),
  ]

  static let position = [
    Field("latitude", .coded("LATITUDE", as: .latitude), "Degrees, south negative."),
    Field("longitude", .coded("LONGITUDE", as: .longitude), "Degrees, west negative."),
  ]

  static let place: [Field] =
    [
      Field(
        "icao", .text("AIRPORT"), "As in `aviation.sqlite`: the ICAO code, or else the FAA's identifier.",
        isRequired: true),
      .cifpRegion, Field("faaID", .text("IATA"), "NULL where icao is the FAA's identifier."),
    ] + position + [
      Field("magneticVariation", .coded("VARIATION", as: .variation), east),
      Field("elevation", .coded("ELEVATION", as: .whole), "Feet."),
      Field("isIFR", .flag("IFR"), "Whether it has a published instrument approach."),
      Field("speedLimit", .coded("SPEED_LIMIT", as: .whole), "Knots, below speedLimitAltitude."),
      Field("speedLimitAltitude", .coded("LIMIT_ALTITUDE", as: .altitude), "Feet."),
      Field("speedLimitAltitudeWord", .coded("LIMIT_ALTITUDE", as: .altitudeWord)),
      Field("navaid", .text("NAVAID")), Field("navaidRegion", .coded("NAVAID_REGION", as: .kept)),
      Field("transitionAltitude", .coded("TRANSITION_ALTITUDE", as: .altitude), "Feet."),
      Field("transitionLevel", .coded("TRANSITION_LEVEL", as: .altitude), "Feet."),
      Field("transitionLevelWord", .coded("TRANSITION_LEVEL", as: .altitudeWord)),
      Field("use", .text("USAGE"), "C civil, M military, P private."),
      Field("timeZone", .text("TIME_ZONE")), Field("daylightSaving", .text("DAYLIGHT")),
      Field("name", .text("NAME")),
    ]

  /// A side of the box around a shape.
  static func side(_ name: String, _ comment: String? = nil) -> Field {
    Field(
      name,
      .computed("REAL", [name.uppercased()], as: .shape) { row, at in
        SQLiteValue(row.number(at, in: -180...180))
      },
      comment)
  }

  /// The region and the section that name a fix together with its identifier.
  static func named(_ name: String, _ column: String) -> [Field] {
    [
      Field(name + "Region", .coded(column + "_REGION", as: .kept)),
      Field(name + "Section", .coded(column + "_SECTION", as: .kept)),
    ]
  }
}

extension Field {
  static let cifpAirport = Field("airport", .text("AIRPORT"), "ENRT for none.", isRequired: true)
  static let cifpRegion = Field(
    "region", .coded("REGION", as: .kept), "Two characters, `K ` among them.")
  static let cifpIdentifier = Field("identifier", .text("IDENT"), isRequired: true)
  static let cifpSection = Field(
    "section", .coded("KIND", as: .kept), "The FAA's section and subsection: PC, or `D `.")
}
