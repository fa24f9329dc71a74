internal import SQLiteIO

/// The tables of `procedures.sqlite` about legs, path points and airspace.
extension SourceTable {
  static let cifpPathPoints = cifp(
    "pathPoints", from: "PP HP",
    "Final approach segments of approaches with vertical guidance by satellites.",
    [
      .cifpAirport, .cifpRegion, Field("procedure", .text("PROCEDURE"), isRequired: true),
      Field("runway", .text("RUNWAY")), Field("operation", .text("OPERATION")),
      Field("routeIndicator", .text("ROUTE_INDICATOR")), Field("sbas", .text("SBAS"), "The provider."),
      Field("selector", .text("SELECTOR")), Field("path", .text("PATH"), "W04A."),
      Field("designator", .text("APD")),
      Field(
        "latitude", .coded("LTP_LATITUDE", as: .fineLatitude), "Degrees, of the landing threshold point."),
      Field("longitude", .coded("LTP_LONGITUDE", as: .fineLongitude)),
      Field("ellipsoidHeight", .coded("LTP_HEIGHT", as: .tenths), "Metres, of the same."),
      Field("glidePathAngle", .coded("GPA", as: .hundredths), "Degrees."),
      Field(
        "alignmentLatitude", .coded("FPAP_LATITUDE", as: .fineLatitude),
        "Degrees, of the flight path alignment point."),
      Field("alignmentLongitude", .coded("FPAP_LONGITUDE", as: .fineLongitude)),
      Field("courseWidthAtThreshold", .coded("COURSE_WIDTH", as: .hundredths), "Metres."),
      Field("lengthOffset", .coded("LENGTH_OFFSET", as: .whole), "Metres."),
      Field("pathCrossingHeight", .coded("TCH", as: .tenths), "Feet or metres, as crossingHeightUnit says."),
      Field("crossingHeightUnit", .text("TCH_UNIT"), "F feet, M metres."),
      Field("horizontalAlertLimit", .coded("HAL", as: .tenths), "Metres."),
      Field("verticalAlertLimit", .coded("VAL", as: .tenths), "Metres."),
      Field("crc", .text("CRC"), "Of the final approach segment's data block, hexadecimal."),
      Field("alignmentEllipsoidHeight", .coded("FPAP_HEIGHT", as: .tenths), "Metres."),
      Field("alignmentHeight", .coded("FPAP_SEA_HEIGHT", as: .tenths), "Metres above mean sea level."),
      Field("thresholdHeight", .coded("LTP_SEA_HEIGHT", as: .tenths), "Metres above mean sea level."),
      Field("approachType", .text("APPROACH_TYPE"), "LPV, LP."), Field("channel", .text("CHANNEL")),
      Field("helicopterCourse", .text("HELICOPTER_COURSE")),
      Field("continuationNumber", .text("CONTINUATION_NUMBER")),
      Field("continuationChanged", .text("CONTINUATION_CHANGED")),
    ], indexes: [["airport", "procedure"]], extent: .point)

  static let cifpLegs = cifp(
    "legs", from: "PD PE PF HD HE HF",
    "The legs of departures (PD, HD), arrivals (PE, HE) and approaches (PF, HF), in the order of the file.",
    [
      .cifpSection, .cifpAirport, .cifpRegion,
      Field("procedure", .text("PROCEDURE"), "I04R.", isRequired: true),
      Field(
        "routeType", .text("ROUTE_TYPE"),
        "A for the transition of an approach, else the FAA's code of its kind."),
      Field(
        "transition", .text("TRANSITION"),
        "A fix, a runway such as RW16B (both sides), or ALL; NULL for none."),
      Field("sequence", .coded("SEQUENCE", as: .whole), "010, 020 ... within the transition."),
      Field("type", .text("LEG"), "Path terminator: IF, TF, CF, RF, HM ..."),
      Field("fix", .text("FIX")),
    ] + CIFPFields.named("fix", "FIX") + [
      Field(
        "latitude", .coded("FIX_LATITUDE", as: .latitude),
        "Degrees, of the fix; NULL where the file does not have it."),
      Field("longitude", .coded("FIX_LONGITUDE", as: .longitude)),
      Field(
        "description", .coded("DESCRIPTION", as: .kept),
        "Four characters: kind of fix; Y fly-over, E end, B both; M begins the missed approach; F FAF, M MAP, A IAF ..."
      ),
      Field("isMissed", .flag("MISSED"), "Whether it is of the missed approach."),
      Field("turn", .text("TURN"), "L, R, or E for either."),
      Field("isTurnValid", .flag("TURN_VALID"), "Whether the turn comes before the leg."),
      Field("requiredPerformance", .coded("RNP", as: .performance), "Nautical miles."),
      Field("navaid", .text("NAVAID"), "To which theta and rho refer."),
    ] + CIFPFields.named("navaid", "NAVAID") + [
      Field("navaidLatitude", .coded("NAVAID_LATITUDE", as: .latitude)),
      Field("navaidLongitude", .coded("NAVAID_LONGITUDE", as: .longitude)),
      Field("theta", .coded("THETA", as: .tenths), "Degrees from the navaid, magnetic."),
      Field("rho", .coded("RHO", as: .tenths), "Nautical miles from the navaid; the radius of an AF leg."),
      Field("course", .coded("COURSE", as: .course), "Degrees, magnetic unless isTrueCourse."),
      Field("isTrueCourse", .coded("COURSE", as: .isTrueCourse)),
      Field(
        "distance", .coded("DISTANCE", as: .miles), "Nautical miles: length of the leg; of PI the farthest."),
      Field("minutes", .coded("DISTANCE", as: .minutes), "Length of the leg in time."),
      Field("arcRadius", .coded("ARC_RADIUS", as: .thousandths), "Nautical miles, of an RF leg."),
      Field("center", .text("CENTER"), "Of an RF leg; of the others the centre of minimum sector altitudes."),
    ] + CIFPFields.named("center", "CENTER") + [
      Field("multipleCode", .text("MULTIPLE")),
      Field("centerLatitude", .coded("CENTER_LATITUDE", as: .latitude)),
      Field("centerLongitude", .coded("CENTER_LONGITUDE", as: .longitude)),
      Field(
        "altitudeCode", .text("ALTITUDE_CODE"),
        "NULL at altitude, + at or above, - at or below, B between; G, H, I, J: secondAltitude is the glide slope's."
      ),
      Field("altitude", .coded("ALTITUDE", as: .altitude), "Feet."),
      Field(
        "altitudeWord", .coded("ALTITUDE", as: .altitudeWord), "Where altitude is no plain number: FL180."),
      Field("secondAltitude", .coded("SECOND_ALTITUDE", as: .altitude), "Feet."),
      Field("secondAltitudeWord", .coded("SECOND_ALTITUDE", as: .altitudeWord)),
      Field("atc", .text("ATC"), "A where ATC assigns the altitude."),
      Field("transitionAltitude", .coded("TRANSITION_ALTITUDE", as: .altitude), "Feet."),
      Field("transitionAltitudeWord", .coded("TRANSITION_ALTITUDE", as: .altitudeWord)),
      Field("speedLimit", .coded("SPEED", as: .whole), "Knots."),
      Field("speedCode", .text("SPEED_SIGN"), "NULL at, + at least, - at most."),
      Field("verticalAngle", .coded("ANGLE", as: .hundredths), "Degrees, down negative."),
      Field("gnss", .text("GNSS")), Field("qualifiers", .coded("QUALIFIERS", as: .kept)),
      Field("levelCode", .text("LEVEL"), "A where the next is authorized, else N."),
      Field("verticalLevelCode", .text("VNAV")), Field("lateralLevelCode", .text("LNAV")),
      Field("levelName", .text("LEVEL_NAME"), "LPV or LP."), Field("verticalLevelName", .text("VNAV_NAME")),
      Field("lateralLevelName", .text("LNAV_NAME")),
    ]
      + (1...4).flatMap { number in
        [
          Field(
            "performance\(number)Code", .text("RNP_\(number)"),
            number == 1 ? "A where the next is authorized." : nil),
          Field(
            "performance\(number)", .coded("RNP_\(number)_VALUE", as: .performance),
            number == 1
              ? "Nautical miles: one of the navigation performances of an RNAV (RNP) approach." : nil),
        ]
      } + [
        Field("levelsNumber", .text("LEVELS_NUMBER"), "The record number of the levels."),
        Field("levelsChanged", .text("LEVELS_CHANGED")),
      ], indexes: [["airport", "procedure"]], extent: .point)

  static let cifpAirspaces = cifp(
    "airspaces", from: "UC UR",
    "Class B, C and D airspace (UC), and areas of special use and other rules (UR).",
    [
      .cifpSection, .cifpRegion,
      Field(
        "type", .text("TYPE"),
        "T class B, A class C, Z class D; A, M, P, R, W, and U for areas of other rules."),
      Field(
        "designation", .coded("DESIGNATION", as: .kept),
        "Ten characters, whose blanks count; UC: centre, section, class."),
      Field("center", .coded("KIND", "CENTER", as: .controlled), "Of class airspace: KJFK."),
      Field("centerSection", .coded("KIND", "CENTER_SECTION", as: .controlled)),
      Field("class", .coded("KIND", "CLASS", as: .controlled), "B, C or D."),
      Field("multipleCode", .text("MULTIPLE"), "Distinguishes the areas of one centre or designation."),
      Field("level", .text("LEVEL")), Field("timeCode", .text("TIME_CODE")), Field("notam", .text("NOTAM")),
      Field("name", .text("NAME")),
      Field("floor", .coded("FLOOR", as: .altitude), "Feet, 0 for the ground."),
      Field("floorWord", .coded("FLOOR", as: .altitudeWord), "Where floor is no plain number: GND, FL180."),
      Field("floorUnit", .text("FLOOR_UNIT"), "M above mean sea level, A above ground."),
      Field("ceiling", .coded("CEILING", as: .altitude), "Feet; NULL where it is unlimited."),
      Field("ceilingWord", .coded("CEILING", as: .altitudeWord), "UNLTD, FL180."),
      Field("ceilingUnit", .text("CEILING_UNIT")),
      Field(
        "isHole", .coded("FLOOR", "CEILING", as: .isHole),
        "Whether it is excluded from the areas around it (floor GND, ceiling 00000)."),
      Field("agency", .text("AGENCY"), "The controlling agency."),
      Field("agencyTimeCode", .text("CONTROL_TIME_CODE")), Field("agencyNotam", .text("CONTROL_NOTAM")),
      Field("agencyTimes", .coded("CONTROL_TIMES", as: .kept)),
      Field("agencyNumber", .text("CONTROL_NUMBER"), "The record number of the agency."),
      Field("agencyChanged", .text("CONTROL_CHANGED")),
      CIFPFields.side("south", "The box around it; -180 to 180 where it is cut."), CIFPFields.side("north"),
      CIFPFields.side("west"), CIFPFields.side("east"),
      Field(
        "geometry",
        .computed("TEXT", ["GEOMETRY"], as: .shape) { row, at in SQLiteValue(row.text(at)) },
        "GeoJSON with arcs as lines of at most 5 m error; NULL where the file has not the whole boundary."),
    ], indexes: [["designation"]], extent: .box)

  static let cifpAirspacePoints = cifp(
    "airspacePoints", from: "UC UR", "The corners of airspace as the FAA codes them.",
    [
      .cifpSection,
      Field("airspace", .whole("AREA_NUMBER", 1...1_000_000), "The id of the area.", isRequired: true),
      Field("sequence", .coded("SEQUENCE", as: .whole)),
      Field(
        "via", .coded("VIA", as: .kept),
        "To the next corner: G great circle, H rhumb line, L arc anticlockwise, R arc clockwise, C circle; E second at the last."
      ),
    ] + CIFPFields.position + [
      Field("arcLatitude", .coded("ARC_LATITUDE", as: .latitude), "Degrees, of the centre of the arc."),
      Field("arcLongitude", .coded("ARC_LONGITUDE", as: .longitude)),
      Field("radius", .coded("ARC_DISTANCE", as: .tenths), "Nautical miles."),
      Field("bearing", .coded("ARC_BEARING", as: .tenths), "Degrees, true, from the centre to this corner."),
      Field("requiredPerformance", .coded("RNP", as: .performance), "Nautical miles."),
    ], indexes: [["airspace"]])
}
