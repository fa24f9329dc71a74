internal import Core
internal import Foundation

/// A correction of an error in the FAA's data.
///
/// It applies to one field of one row and states the wrong value. If the FAA changes the value, the FAA's new value is used.
public struct Correction: Equatable, Sendable {
  /// The FAA's name of the table, such as `APT_BASE`, or one of `airspaceTables`.
  public var table: String
  /// The FAA's columns and values that identify the row.
  public var row: [String: String]
  /// The FAA's column that is wrong.
  public var column: String
  /// The FAA's value, as in its file.
  public var faa: String
  public var right: String
  /// The evidence for the correct value.
  public var why: String
  /// The day on which the error was reported to the FAA.
  public var reported: String?
  /// The last AIRAC cycle in which it may be used.
  public var until: String?

  /// `APT_BASE with ARPT_ID PAO, SITE_TYPE_CODE A: ELEV`
  public var place: String {
    let keys = row.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return "\(table) with \(keys.joined(separator: ", ")): \(column)"
  }

  /// All columns that the correction reads or changes.
  public var columns: [String] { row.keys.sorted() + [column] }
}

extension Correction: DefinitionObject, Codable {
  enum CodingKeys: String, DefinitionKey {
    case table, row, column, faa, right, why, reported, until
  }
}

extension Correction {
  /// The rows of the shapefile, and of the AIXM the airspaces and their volumes.
  static let airspaceTables: Set = ["Class_Airspace", "Airspace", "AirspaceVolume"]

  /// The end of the name of a file with a list of them.
  static let ending = "corrections.json5"

  static func list(at url: URL) throws -> [Correction] {
    try JSON5.list(
      at: url, ending: ending, "reading the corrections",
      suggestion: "Correct the file; the comment at the head of pipelines/corrections.json5 shows its form."
    ) { (correction: Correction, index, earlier) in
      let isTwice = earlier.contains { $0.place == correction.place }
      return (isTwice ? "it occurs twice" : correction.problem).map {
        "[\(index)] (\(correction.place)): \($0)"
      }
    }
  }

  /// The first problem that decoding does not detect; nil if there is none.
  fileprivate var problem: String? {
    if row.isEmpty { return "`row` names no column that identifies the row" }
    let names = Correction.airspaceTables.contains(table) ? [] : [table] + columns
    if let odd = names.first(where: { !$0.isNameOfTheFAA }) {
      return "\"\(odd)\" is not the name of a table or column of the FAA"
    }
    if column == "EFF_DATE" { return "the date of a row names its cycle, and cannot be corrected" }
    if why.allSatisfy(\.isWhitespace) { return "`why` is empty" }
    if faa == right { return "`faa` and `right` are the same" }
    // Values are compared without spaces around them, and another line would shift the following line numbers.
    if let odd = ([faa, right] + row.values.sorted()).first(where: { !$0.isPlainValue }) {
      return "\"\(odd)\" contains a line end, or begins or ends with a space"
    }
    if let until, AiracCycle(identifier: until) == nil { return "`until`: there is no AIRAC cycle \(until)" }
    if let reported, CalendarDay(reported) == nil { return "`reported`: \"\(reported)\" is not a date" }
    return nil
  }
}

extension String {
  fileprivate var isNameOfTheFAA: Bool {
    !isEmpty
      && utf8.allSatisfy {
        (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F || $0 == 0x20
      }
  }

  fileprivate var isPlainValue: Bool {
    first?.isWhitespace != true && last?.isWhitespace != true && !contains(where: \.isNewline)
  }
}
