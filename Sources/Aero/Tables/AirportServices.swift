internal import SQLiteIO

/// What else is to be known of an airport.
extension SourceTable {
  static let attendance = SourceTable(
    "attendance", from: "APT_ATT", of: .airport,
    "When somebody is there, in the FAA's words and in local time.",
    [
      .airport, .number,
      Field("months", .text("MONTH"), "ALL, MAY-NOV, IREG (irregular) ...; UNATNDD where nobody ever is."),
      Field("days", .text("DAY"), "ALL, MON-FRI ..."),
      Field("hours", .text("HOUR"), "ALL, 0800-1700, DALGT (daylight) ..."),
    ],
    constraints: ["PRIMARY KEY (airport, number)"], isKeyed: true)

  static let contacts = SourceTable(
    "contacts", from: "APT_CON", of: .airport, "Owners and managers of airports.",
    [
      .airport, .number,
      Field(
        "role", .word("TITLE", ["MANAGER": "manager", "OWNER": "owner"]), "manager or owner.",
        isRequired: true),
      Field("name", .text("NAME")),
      Field("address", .text("ADDRESS1")),
      Field("addressLine2", .text("ADDRESS2")),
      Field("city", .text("TITLE_CITY")),
      Field("state", .text("STATE")),
      Field("zip", zipCode, "94303 or 94303-1234."),
      Field("phone", .text("PHONE_NO")),
    ],
    constraints: ["PRIMARY KEY (airport, number)"], isKeyed: true)

  private static let zipCode = Field.Reading.made("TEXT", ["ZIP_CODE", "ZIP_PLUS_FOUR"]) { row, at in
    let parts = [row.text(at), row.text(at + 1)].compactMap(\.self)
    return parts.isEmpty ? .null : .text(parts.joined(separator: "-"))
  }

  static let arrestingGear = SourceTable(
    "arrestingGear", from: "APT_ARS", of: .airport, "Devices that catch a military aircraft on the runway.",
    [
      .airport, .number,
      Field("runway", .text("RWY_ID"), "As in runways.id.", isRequired: true),
      Field("runwayEnd", .text("RWY_END_ID"), isRequired: true),
      Field(
        "device", .text("ARREST_DEVICE_CODE"), "The FAA's code: BAK-12, E28, MA-1A ...", isRequired: true),
    ],
    constraints: ["PRIMARY KEY (airport, number)"], isKeyed: true)

  static let classAirspaceHours = SourceTable(
    "classAirspaceHours", from: "CLS_ARSP", of: .airport,
    "Which classes of airspace are around an airport, and when: the one source of part-time class D.",
    [
      .airport,
      Field("classB", .flag("CLASS_B_AIRSPACE"), "0 or 1."),
      Field("classC", .flag("CLASS_C_AIRSPACE"), "0 or 1."),
      Field("classD", .flag("CLASS_D_AIRSPACE"), "0 or 1."),
      Field("classE", .flag("CLASS_E_AIRSPACE"), "0 or 1; to the surface."),
      Field(
        "hours", .text("AIRSPACE_HRS"), "CLASS D SVC 0700-2100; OTHER TIMES CLASS G, local unless it has a Z."
      ),
      Field("remark", .text("REMARK")),
    ],
    constraints: ["PRIMARY KEY (airport)"], isKeyed: true)

  static let militaryOperations = SourceTable(
    "militaryOperations", from: "MIL_OPS", of: .airport, "Military operations offices at airports.",
    [
      .airport, .number,
      Field(
        "operator", .text("MIL_OPS_OPER_CODE"),
        "The FAA's code: A is the Air Force, N the Navy, R the Army ..."),
      Field("call", .text("MIL_OPS_CALL")),
      Field("hours", .text("MIL_OPS_HRS")),
      Field("commandPostHours", .text("AMCP_HRS"), "Of the Air Mobility Command's post."),
      Field("weatherHours", .text("PMSV_HRS"), "Of the pilot to metro service."),
      Field("remark", .text("REMARK")),
    ],
    constraints: ["PRIMARY KEY (airport, number)"], isKeyed: true)
}
