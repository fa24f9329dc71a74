/// The columns of the records, counted from 1 as the standard counts them, both ends included.
///
/// A record is presented as a row of its 132 columns, its kind and the number of its continuation, the columns of its continuation (`c`; blank without one), and values
/// that the program adds (`x`).
package enum CIFPLayout {
  private static let all =
    "RECORD_TYPE 1-1 AREA 2-4 RECORD_NUMBER 124-128 CHANGED 129-132 KIND 133-134 CONTINUED 135-135"
  private static let place =
    "AIRPORT 7-10 REGION 11-12 IATA 14-16 LIMIT_ALTITUDE 23-27 IFR 31-31 LATITUDE 33-41 LONGITUDE 42-51 VARIATION 52-56 "
    + "ELEVATION 57-61 SPEED_LIMIT 62-64 NAVAID 65-68 NAVAID_REGION 69-70 TRANSITION_ALTITUDE 71-75 TRANSITION_LEVEL 76-80 "
    + "USAGE 81-81 TIME_ZONE 82-84 DAYLIGHT 85-85 NAME 94-123 "
  private static let facility =
    "AIRPORT 7-10 AIRPORT_REGION 11-12 IDENT 14-17 REGION 20-21 FREQUENCY 23-27 CLASS 28-32 LATITUDE 33-41 LONGITUDE 42-51 "
    + "VARIATION 75-79 DATUM 91-93 NAME 94-123 "
  private static let leg =
    "AIRPORT 7-10 REGION 11-12 PROCEDURE 14-19 ROUTE_TYPE 20-20 TRANSITION 21-25 SEQUENCE 27-29 FIX 30-34 FIX_REGION 35-36 "
    + "FIX_SECTION 37-38 DESCRIPTION 40-43 IAF 43-43 TURN 44-44 RNP 45-47 LEG 48-49 TURN_VALID 50-50 NAVAID 51-54 "
    + "NAVAID_REGION 55-56 ARC_RADIUS 57-62 THETA 63-66 RHO 67-70 COURSE 71-74 DISTANCE 75-78 NAVAID_SECTION 79-80 "
    + "ALTITUDE_CODE 83-83 ATC 84-84 ALTITUDE 85-89 SECOND_ALTITUDE 90-94 TRANSITION_ALTITUDE 95-99 SPEED 100-102 ANGLE 103-106 "
    + "CENTER 107-111 MULTIPLE 112-112 CENTER_REGION 113-114 CENTER_SECTION 115-116 GNSS 117-117 SPEED_SIGN 118-118 "
    + "QUALIFIERS 119-120 "
    + "LEVEL c41-41 LEVEL_NAME c42-51 VNAV c52-52 VNAV_NAME c53-62 LNAV c63-63 LNAV_NAME c64-73 RNP_1 c89-89 RNP_1_VALUE c90-92 "
    + "RNP_2 c93-93 RNP_2_VALUE c94-96 RNP_3 c97-97 RNP_3_VALUE c98-100 RNP_4 c101-101 RNP_4_VALUE c102-104 "
    + "LEVELS_NUMBER c124-128 LEVELS_CHANGED c129-132 "
    + "FIX_LATITUDE x1-9 FIX_LONGITUDE x10-19 NAVAID_LATITUDE x20-28 NAVAID_LONGITUDE x29-38 CENTER_LATITUDE x39-47 "
    + "CENTER_LONGITUDE x48-57 MISSED x58-58 "

  /// By the sources of the tables: the kinds of their records.
  private static let texts: [(kinds: [StaticString], columns: String)] = [
    (["PA"], place + "LONGEST_RUNWAY 28-30 SURFACE 32-32 MAGNETIC 86-86 DATUM 87-89 "),
    (["HA"], place + "PAD 17-21 DATUM 28-30 PAD_SIZE 86-91 MAGNETIC 92-92 "),
    (
      ["PG"],
      "AIRPORT 7-10 REGION 11-12 RUNWAY 14-18 LENGTH 23-27 BEARING 28-31 LATITUDE 33-41 LONGITUDE 42-51 GRADIENT 52-56 "
        + "ELLIPSOID_HEIGHT 61-66 ELEVATION 67-71 DISPLACEMENT 72-75 TCH 76-77 WIDTH 78-80 TCH_SOURCE 81-81 ILS 82-85 "
        + "ILS_CATEGORY 86-86 STOPWAY 87-90 SECOND_ILS 91-94 SECOND_CATEGORY 95-95 REMARK 102-123 "
    ),
    (
      ["EA", "PC", "HC"],
      "AIRPORT 7-10 AIRPORT_REGION 11-12 IDENT 14-18 REGION 20-21 TYPE 27-29 USAGE 30-31 LATITUDE 33-41 LONGITUDE 42-51 "
        + "VARIATION 75-79 DATUM 85-87 NAME_FORMAT 96-98 NAME 99-123 "
    ),
    (
      ["D ", "DB", "PN"],
      facility
        + "DME 52-55 DME_LATITUDE 56-64 DME_LONGITUDE 65-74 ELEVATION 80-84 FIGURE_OF_MERIT 85-85 DME_BIAS 86-87 "
        + "PROTECTION 88-90 "
    ),
    (
      ["PI"],
      "AIRPORT 7-10 AIRPORT_REGION 11-12 IDENT 14-17 CATEGORY 18-18 FREQUENCY 23-27 RUNWAY 28-32 LATITUDE 33-41 LONGITUDE 42-51 "
        + "BEARING 52-55 GS_LATITUDE 56-64 GS_LONGITUDE 65-74 LOC_DISTANCE 75-78 LOC_REFERENCE 79-79 GS_DISTANCE 80-83 WIDTH 84-87 "
        + "GS_ANGLE 88-90 DECLINATION 91-95 TCH 96-97 GS_ELEVATION 98-102 SUPPORT 103-106 SUPPORT_REGION 107-108 "
        + "SUPPORT_SECTION 109-110 "
    ),
    (
      ["ER"],
      "ROUTE 14-18 SIXTH 19-19 SEQUENCE 26-29 FIX 30-34 FIX_REGION 35-36 FIX_SECTION 37-38 DESCRIPTION 40-43 BOUNDARY 44-44 "
        + "TYPE 45-45 LEVEL 46-46 DIRECTION 47-47 CRUISE 48-49 RESTRICTION 50-50 NAVAID 51-54 NAVAID_REGION 55-56 RNP 57-59 "
        + "THETA 63-66 RHO 67-70 OUTBOUND 71-74 DISTANCE 75-78 INBOUND 79-82 MEA 84-88 MEA_OPPOSITE 89-93 MAA 94-98 "
        + "FIX_RADIUS 99-102 FIX_LATITUDE x1-9 FIX_LONGITUDE x10-19 "
    ),
    (
      ["PS", "HS"],
      "AIRPORT 7-10 REGION 11-12 CENTER 14-18 CENTER_REGION 19-20 CENTER_SECTION 21-22 MULTIPLE 23-23 MAGNETIC 120-120 "
        + "CENTER_LATITUDE x1-9 CENTER_LONGITUDE x10-19 SECTOR x20-20 FROM x21-23 TO x24-26 ALTITUDE x27-29 RADIUS x30-31 "
    ),
    (["AS"], "LATITUDE 14-16 LONGITUDE 17-20 SOUTH x1-9 WEST x10-19 ALTITUDE x20-22 "),
    (["PD", "PE", "PF", "HD", "HE", "HF"], leg),
    (
      ["PP", "HP"],
      "AIRPORT 7-10 REGION 11-12 PROCEDURE 14-19 RUNWAY 20-24 OPERATION 25-26 ROUTE_INDICATOR 28-28 SBAS 29-30 SELECTOR 31-32 "
        + "PATH 33-36 APD 37-37 LTP_LATITUDE 38-48 LTP_LONGITUDE 49-60 LTP_HEIGHT 61-66 GPA 67-70 FPAP_LATITUDE 71-81 "
        + "FPAP_LONGITUDE 82-93 COURSE_WIDTH 94-98 LENGTH_OFFSET 99-102 TCH 103-108 TCH_UNIT 109-109 HAL 110-112 VAL 113-115 "
        + "CRC 116-123 FPAP_HEIGHT c29-34 FPAP_SEA_HEIGHT c35-40 LTP_SEA_HEIGHT c41-46 APPROACH_TYPE c47-56 CHANNEL c57-61 "
        + "HELICOPTER_COURSE c72-74 CONTINUATION_NUMBER c124-128 CONTINUATION_CHANGED c129-132 "
    ),
    (
      ["UC", "UR"],
      "REGION 7-8 TYPE 9-9 DESIGNATION 10-19 CENTER 10-14 CENTER_SECTION 15-16 CLASS 17-17 MULTIPLE 20-20 SEQUENCE 21-24 "
        + "LEVEL 26-26 TIME_CODE 27-27 NOTAM 28-28 VIA 31-32 LATITUDE 33-41 LONGITUDE 42-51 ARC_LATITUDE 52-60 ARC_LONGITUDE 61-70 "
        + "ARC_DISTANCE 71-74 ARC_BEARING 75-78 RNP 79-81 FLOOR 82-86 FLOOR_UNIT 87-87 CEILING 88-92 CEILING_UNIT 93-93 "
        + "NAME 94-123 CONTROL_TIME_CODE c27-27 CONTROL_NOTAM c28-28 CONTROL_TIMES c29-99 AGENCY c100-123 "
        + "CONTROL_NUMBER c124-128 CONTROL_CHANGED c129-132 "
        + "AREA_NUMBER x1-9 SOUTH x10-21 NORTH x22-33 WEST x34-45 EAST x46-57 GEOMETRY x58-9999999 "
    ),
  ]

  struct Layout: Sendable {
    let names: [String]
    /// Counted from 0. The last one may be beyond the end of a row.
    let places: [Range<Int>]
  }

  /// The layout of the records of a kind.
  static func layout(of kind: CIFPRecord.Kind) -> Layout { layouts[kind] ?? Layout(names: [], places: []) }
  static func isKnown(_ kind: CIFPRecord.Kind) -> Bool { layouts[kind] != nil }

  /// For the audit: the names of the columns and their places in a row.
  package static func columns(of kind: String) -> (names: [String], places: [Range<Int>]) {
    let bytes = Array(kind.utf8)
    guard bytes.count == 2 else { return ([], []) }
    let layout = layout(of: CIFPRecord.Kind(section: bytes[0], subsection: bytes[1]))
    return (layout.names, layout.places)
  }

  private static let layouts: [CIFPRecord.Kind: Layout] = {
    var found: [CIFPRecord.Kind: Layout] = [:]
    for (kinds, columns) in texts {
      let layout = parsed(all + " " + columns)
      for kind in kinds { found[CIFPRecord.Kind(kind)] = layout }
    }
    return found
  }()

  private static func parsed(_ text: String) -> Layout {
    let words = text.split(separator: " ").map(String.init)
    let pairs = stride(from: 0, to: words.count - 1, by: 2).map { (words[$0], words[$0 + 1]) }
    return Layout(names: pairs.map(\.0), places: pairs.map { place($0.1) })
  }

  private static func place(_ text: String) -> Range<Int> {
    let base = text.hasPrefix("c") ? CIFPRow.continuation : text.hasPrefix("x") ? CIFPRow.added : 0
    let ends = text.drop { !$0.isNumber }.split(separator: "-").compactMap { Int($0) }
    guard ends.count == 2, ends[0] >= 1, ends[0] <= ends[1] else { return 0..<0 }
    return base + ends[0] - 1..<base + ends[1]
  }
}

/// Makes the bytes of rows from records.
struct CIFPRow {
  /// Where the columns of the continuation, and the added values, begin.
  static let continuation = CIFPRecord.width + 3
  static let added = continuation + CIFPRecord.width

  private let file: CIFPFile
  private(set) var bytes: [UInt8]

  init(_ file: CIFPFile) {
    self.file = file
    bytes = [UInt8](repeating: 0x20, count: Self.added)
  }

  /// Takes a record, and removes what was added to the one before.
  mutating func take(_ record: CIFPRecord, of kind: CIFPRecord.Kind) {
    bytes.removeSubrange(Self.added...)
    bytes.replaceSubrange(
      0..<CIFPRecord.width, with: file.bytes[record.start..<record.start + CIFPRecord.width])
    bytes[CIFPRecord.width] = kind.section
    bytes[CIFPRecord.width + 1] = kind.subsection
    bytes[CIFPRecord.width + 2] = CIFPRecord.continuationColumn[kind].map { bytes[$0] } ?? 0x20
    let place = Self.continuation..<Self.added
    if let start = record.continuation {
      bytes.replaceSubrange(place, with: file.bytes[start..<start + CIFPRecord.width])
    } else if bytes[Self.continuation] != 0x20 {
      bytes.replaceSubrange(place, with: repeatElement(0x20, count: place.count))
    }
  }

  /// Adds some bytes, or blanks in place of them.
  mutating func add(_ value: some Collection<UInt8>, width: Int) {
    bytes.append(contentsOf: value.prefix(width))
    for _ in 0..<max(0, width - value.count) { bytes.append(0x20) }
  }
}
