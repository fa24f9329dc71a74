internal import Core
internal import SQLiteIO

extension SourceTable {
  package static let plates = SourceTable(
    "charts", from: "TPP",
    "The charts of the terminal procedures in the order of the FAA's list, those that it deleted included.",
    [
      .id,
      Field(
        "airport", .either("ICAO_IDENT", "APT_IDENT"),
        "As in `aviation.sqlite`: the ICAO code, or else the FAA's identifier.", isRequired: true),
      Field("faaID", .text("APT_IDENT"), "The FAA's identifier: SFO."),
      Field("airportName", .text("AIRPORT_NAME")),
      Field("city", .text("CITY")),
      Field("state", .text("STATE"), "CA."),
      Field("stateName", .text("STATE_NAME")),
      Field("volume", .text("VOLUME"), "Of the printed procedures: SW-2."),
      Field("operator", .word("MILITARY", PlateCodes.operators), "Of the airport: civil or military."),
      Field("airportNumber", .text("ALNUM"), "The number with which the names of its PDFs begin."),
      Field("sequence", .whole("CHARTSEQ", 0...999_999), "The order of charts at an airport."),
      Field("code", .text("CHART_CODE"), "In the FAA's words: IAP, APD, DP, ODP, STAR, MIN, HOT, LAH, DAU."),
      Field(
        "kind", .word("CHART_CODE", PlateCodes.kinds),
        "approach, airportDiagram, departure, obstacleDeparture, arrival, minimums, hotSpots, landAndHoldShort or diverseVectors."
      ),
      Field(
        "name", .text("CHART_NAME"), "ILS OR LOC RWY 28R; further pages end in CONT.1.", isRequired: true),
      Field(
        "change", .word("USERACTION", PlateCodes.changes),
        "Since the last cycle: added, changed or deleted; NULL for none."),
      Field(
        "pdf", .computed("TEXT", ["PDF_NAME"], as: .pdf, PlateCodes.pdf),
        "The file. Booklets, such as SW2TO.PDF, are shared by many airports; a deleted chart has none."),
      Field("hasNotice", .flag("CN_FLG"), "Whether a change notice has it.", mayLack: true),
      Field("noticeSection", .text("CNSECTION"), mayLack: true),
      Field("noticePage", .text("CNPAGE"), mayLack: true),
      Field("volumeSection", .text("BVSECTION"), mayLack: true),
      Field("volumePage", .text("BVPAGE"), mayLack: true),
      Field("procedureID", .text("PROCUID"), "The FAA's number of the procedure.", mayLack: true),
      Field("isTwoColored", .flag("TWO_COLORED"), mayLack: true),
      Field("civil", .text("CIVIL"), "The FAA's code.", mayLack: true),
      Field("oldCIFP", .text("FAANFD15"), "The older form of cifp.", mayLack: true),
      Field(
        "cifp", .text("FAANFD18"),
        "The procedure: of an approach its identifier in `procedures.sqlite`, I28R; of a departure or an arrival that identifier and a fix, CREPE3.CREPE or RAIDR.RAIDR3."
      ),
      Field("isForHelicopters", .flag("COPTER"), mayLack: true),
      Field("amendment", .text("AMDTNUM"), "2B, or ORIG.", mayLack: true),
      Field(
        "amended", .computed("TEXT", ["AMDTDATE"], as: .americanDate, PlateCodes.date),
        "The day of the amendment: 2014-05-29.", mayLack: true),
    ],
    indexes: [["airport"], ["pdf"], ["state"]], mayLack: false)
}

/// The codes of the list of terminal procedures.
enum PlateCodes {
  static let operators: CodeBook = ["N": "civil", "M": "military"]
  static let changes: CodeBook = ["A": "added", "C": "changed", "D": "deleted"]
  static let kinds: CodeBook = [
    "IAP": "approach", "APD": "airportDiagram", "DP": "departure", "ODP": "obstacleDeparture",
    "STAR": "arrival", "MIN": "minimums", "HOT": "hotSpots", "LAH": "landAndHoldShort",
    "DAU": "diverseVectors",
  ]

  static let pdf: Reading.Compute = { row, at in
    guard let name = row.text(at), name != PlateList.deleted else { return .null }
    return PlateList.isFile(name)
      ? .text(name) : SQLiteValue(row.drop(at, "it is not the name of a PDF") as String?)
  }

  /// Reads `5/29/2014` and `05/29/2014`.
  static let date: Reading.Compute = { row, at in
    guard let text = row.text(at) else { return .null }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).compactMap { Int($0) }
    guard parts.count == 3, let day = CalendarDay(year: parts[2], month: parts[0], day: parts[1]) else {
      return SQLiteValue(row.drop(at, "it is no date") as String?)
    }
    return .text(day.description)
  }
}

/// The tables of `plates.sqlite`, and of the sets of PDFs.
public enum PlateSchema {
  /// "PLT1"
  static let applicationID = 0x504C_5431
  /// Raised when a column changes its meaning or is removed; a new column needs no new version.
  static let version = 1

  public static let form = DatabaseForm(
    applicationID: applicationID, version: version,
    tables: [SourceTable.plates.schema, DatabaseSchema.metadata], finishing: [DatabaseSchema.analysis])
}
