internal import Core
internal import SQLiteIO

/// More columns of airports, for a page about one airport.
extension SourceTable {
  static let airportDetails = SourceTable(
    "airportDetails", from: Airport.table, "More about each airport: services, lights, customs ...",
    [owner] + lights + services + access + place, constraints: ["PRIMARY KEY (airport)"], isKeyed: true,
    mayLack: false, waits: true)

  private static let owner = Field(
    "airport", .joined("TEXT REFERENCES airports(icao)", Origin(["SITE_NO", "SITE_TYPE_CODE"], .airport)),
    isRequired: true)

  private static let lights: [Field] = [
    detail("lightingSchedule", .text("LGT_SKED"), "SS-SR is sunset to sunrise; SEE RMK."),
    detail("beaconSchedule", .text("BCN_LGT_SKED"), "In the same way."),
    detail(
      "beaconColors", .text("BCN_LENS_COLOR"),
      "The FAA's code: WG is a land airport's, WY a seaplane base's ...; with C for W before 2023."),
    detail("windIndicator", .word("WIND_INDCR_FLAG", DetailCodes.markers), "none, unlighted or lighted."),
    detail(
      "segmentedCircle", .word("SEG_CIRCLE_MKR_FLAG", DetailCodes.markers), "none, unlighted or lighted."),
  ]

  private static let services: [Field] = [
    detail("airframeRepair", .word("AIRFRAME_REPAIR_SER_CODE", DetailCodes.repairs), "major, minor or none."),
    detail("powerPlantRepair", .word("PWR_PLANT_REPAIR_SER", DetailCodes.repairs), "major, minor or none."),
    detail(
      "bottledOxygen", .word("BOTTLED_OXY_TYPE", DetailCodes.oxygen), "high, low, highLow (pressure) or none."
    ),
    detail(
      "bulkOxygen", .word("BULK_OXY_TYPE", DetailCodes.oxygen), "high, low, highLow (pressure) or none."),
    detail(
      "services", DetailCodes.services,
      "A JSON array of airFreight, cropDusting, airAmbulance, avionics, beachingGear, cargo, charter, glider, instruction, "
        + "parachuteJumping, rental, sales, survey and gliderTowing."),
    flag("hasTieDowns", "TRNS_STRG_TIE_FLAG"),
    flag("hasHangars", "TRNS_STRG_HGR_FLAG", "For visitors."),
    flag("hasBuoys", "TRNS_STRG_BUOY_FLAG"),
    flag("hasContractFuel", "CONTR_FUEL_AVBL", "For the government's aircraft."),
    flag("hasLandingFee", "LNDG_FEE_FLAG"),
  ]

  private static let access: [Field] = [
    flag("isEntry", "CUST_FLAG", "An international airport of entry."),
    flag("hasLandingRights", "LNDG_RIGHTS_FLAG", "Of customs."),
    detail("userFee", .text("USER_FEE_FLAG"), "Whether customs takes a fee, in the FAA's words."),
    flag("isJointUse", "JOINT_USE_FLAG", "Civil and military."),
    flag("hasMilitaryLanding", "MIL_LNDG_FLAG", "Military aircraft may land."),
    flag("isMedical", "MEDICAL_USE_FLAG", "For medical purposes."),
    detail("part139", .text("FAR_139_TYPE_CODE"), "Class and fire-fighting index of its certificate: I A."),
    detail("coldTemperature", .text("CTA"), "Below which altitudes are corrected: -26C."),
    detail("notamID", .text("NOTAM_ID"), "The facility under which its NOTAMs are found."),
    flag("hasNotamD", "NOTAM_FLAG", "Whether its NOTAMs are distributed widely."),
    detail("fssPhone", .text("PHONE_NO"), "Of its flight service station."),
    detail("fssTollFreePhone", .text("TOLL_FREE_NO")),
  ]

  private static let place: [Field] = [
    detail("county", .text("COUNTY_NAME")),
    detail("distanceFromCity", .whole("DIST_CITY_TO_AIRPORT", 0...999), "Nautical miles."),
    detail("directionFromCity", .text("DIRECTION_CODE"), "N, SW ..."),
    detail("activated", .date("ACTIVATION_DATE"), "The month."),
    detail("inspected", .date("LAST_INSPECTION"), "The day."),
  ]

  private static func flag(_ name: String, _ column: String, _ comment: String? = nil) -> Field {
    Field(
      name, .flag(column), (comment.map { $0 + " " } ?? "") + "0 or 1; NULL where the FAA does not say.",
      mayLack: true)
  }

  /// A column that some cycles lack.
  static func detail(_ name: String, _ reading: Reading, _ comment: String? = nil) -> Field {
    Field(name, reading, comment, mayLack: true)
  }
}

/// The codes of these columns of APT_BASE.
enum DetailCodes {
  static let markers: CodeBook = ["N": "none", "NONE": "none", "Y": "unlighted", "Y-L": "lighted"]
  static let repairs: CodeBook = ["MAJOR": "major", "MINOR": "minor", "NONE": "none"]
  static let oxygen: CodeBook = ["HIGH": "high", "LOW": "low", "HIGH/LOW": "highLow", "NONE": "none"]

  static let services = Reading.computed(
    "TEXT NOT NULL", ["OTHER_SERVICES"], as: .services, pairs: serviceWords
  ) { row, at in
    let codes = row.text(at)?.split { $0 == "," || $0 == " " } ?? []
    let words = codes.compactMap { code -> String? in
      if let word = serviceWords[String(code)] { return "\"\(word)\"" }
      row.report(.unknownCode, at, "the code is not known")
      return nil
    }
    return .text("[" + words.joined(separator: ",") + "]")
  }

  private static let serviceWords: CodeBook = [
    "AFRT": "airFreight", "AGRI": "cropDusting", "AMB": "airAmbulance", "AVNCS": "avionics",
    "BCHGR": "beachingGear", "CARGO": "cargo", "CHTR": "charter", "GLD": "glider", "INSTR": "instruction",
    "PAJA": "parachuteJumping", "RNTL": "rental", "SALES": "sales", "SURV": "survey", "TOW": "gliderTowing",
  ]
}

/// Other tables about airports.
extension SourceTable {
  static let attendance = numbered(
    "attendance", from: "APT_ATT",
    "The times when the airport is attended, in the FAA's words and in local time.",
    [
      Field("months", .text("MONTH"), "ALL, MAY-NOV, IREG (irregular) ...; UNATNDD: never attended."),
      Field("days", .text("DAY"), "ALL, MON-FRI ..."),
      Field("hours", .text("HOUR"), "ALL, 0800-1700, DALGT (daylight) ..."),
    ])

  static let contacts = numbered(
    "contacts", from: "APT_CON", "Owners and managers of airports.",
    [
      Field(
        "role", .word("TITLE", ["MANAGER": "manager", "OWNER": "owner", "ASST-MGR": "assistantManager"]),
        "manager, assistantManager or owner.", isRequired: true),
      Field("name", .text("NAME")),
      Field("address", .text("ADDRESS1")),
      Field("addressLine2", .text("ADDRESS2")),
      Field("city", .text("TITLE_CITY")),
      Field("state", .text("STATE")),
      Field("zip", zipCode, "94303 or 94303-1234."),
      Field("phone", .text("PHONE_NO")),
    ])

  private static let zipCode = Reading.computed("TEXT", ["ZIP_CODE", "ZIP_PLUS_FOUR"], as: .zip) { row, at in
    let parts = [row.text(at), row.text(at + 1)].compactMap(\.self)
    return parts.isEmpty ? .null : .text(parts.joined(separator: "-"))
  }

  static let arrestingGear = numbered(
    "arrestingGear", from: "APT_ARS", "Devices that catch a military aircraft on the runway.",
    [
      Field("runway", .text("RWY_ID"), "As in runways.id.", isRequired: true),
      Field("runwayEnd", .text("RWY_END_ID"), isRequired: true),
      Field(
        "device", .text("ARREST_DEVICE_CODE"), "The FAA's code: BAK-12, E28, MA-1A ...", isRequired: true),
    ])

  static let classAirspaceHours = SourceTable(
    "classAirspaceHours", from: "CLS_ARSP", of: .airport,
    "Which classes of airspace are around an airport, and when: the one source of part-time class D.",
    [
      .airport,
      // Here alone the FAA documents an empty field as no: Y where there is such airspace, else nothing.
      Field("classB", .flag("CLASS_B_AIRSPACE", whenEmpty: false), "0 or 1."),
      Field("classC", .flag("CLASS_C_AIRSPACE", whenEmpty: false), "0 or 1."),
      Field("classD", .flag("CLASS_D_AIRSPACE", whenEmpty: false), "0 or 1."),
      Field("classE", .flag("CLASS_E_AIRSPACE", whenEmpty: false), "0 or 1; to the surface."),
      Field(
        "hours", .text("AIRSPACE_HRS"), "CLASS D SVC 0700-2100; OTHER TIMES CLASS G, local unless it has a Z."
      ),
      .remark,
    ],
    constraints: ["PRIMARY KEY (airport)"], isKeyed: true)

  static let militaryOperations = numbered(
    "militaryOperations", from: "MIL_OPS", "Military operations offices at airports.",
    [
      Field(
        "operator", .text("MIL_OPS_OPER_CODE"),
        "The FAA's code: A is the Air Force, N the Navy, R the Army ..."),
      Field("call", .text("MIL_OPS_CALL")),
      Field("hours", .text("MIL_OPS_HRS")),
      Field("commandPostHours", .text("AMCP_HRS"), "Of the Air Mobility Command's post."),
      Field("weatherHours", .text("PMSV_HRS"), "Of the pilot to metro service."),
      .remark,
    ])
}

extension SourceTable {
  static let remarks = SourceTable(
    "remarks", from: "APT_RMK", of: .airport, "The FAA's remarks to an airport.",
    [
      .airport,
      Field("number", .count, "Counts an airport's rows from 1."),
      Field(
        "subject", .text("TAB_NAME"), "What it is about: AIRPORT, RUNWAY, FUEL_TYPE ..., in the FAA's words.",
        isRequired: true),
      Field("element", .text("ELEMENT"), "Which one of them: 13/31, 100LL ..."),
      Field(
        "field", .text("REF_COL_NAME"), "The FAA's column: GENERAL_REMARK, RWY_LGT_CODE ...", isRequired: true
      ),
      Field("remark", .text("REMARK"), isRequired: true),
    ],
    constraints: ["PRIMARY KEY (airport, number)"], isKeyed: true, mayLack: false)
}
