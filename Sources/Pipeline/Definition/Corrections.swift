internal import Core
public import Foundation

/// A fault of the FAA's data that somebody has found out, and what is right.
///
/// It is about one field of one row, and names the value that is wrong: where the FAA mends or changes it, the FAA's word
/// counts again.
public struct Correction: Equatable, Sendable {
  /// The FAA's name of the table, such as `APT_BASE`.
  public var table: String
  /// What tells the row from all others: the FAA's columns with their values.
  public var row: [String: String]
  /// The FAA's column that is wrong.
  public var column: String
  /// What the FAA has there, as it is written in the file.
  public var faa: String
  public var right: String
  /// For those who read it later: how it is known.
  public var why: String
  /// The day on which the FAA was told.
  public var reported: String?
  /// The last AIRAC cycle in which it may be used.
  public var until: String?

  public init(
    table: String, row: [String: String], column: String, faa: String, right: String, why: String,
    reported: String? = nil, until: String? = nil
  ) {
    self.table = table
    self.row = row
    self.column = column
    self.faa = faa
    self.right = right
    self.why = why
    self.reported = reported
    self.until = until
  }

  /// `APT_BASE with ARPT_ID PAO, SITE_TYPE_CODE A: ELEV`
  public var place: String {
    let keys = row.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return "\(table) with \(keys.joined(separator: ", ")): \(column)"
  }

  /// All columns that it needs.
  public var columns: [String] { row.keys.sorted() + [column] }
}

extension Correction: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case table, row, column, faa, right, why, reported, until
  }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self)
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    table = try keys.decode(String.self, forKey: .table)
    row = try keys.decode([String: String].self, forKey: .row)
    column = try keys.decode(String.self, forKey: .column)
    faa = try keys.decode(String.self, forKey: .faa)
    right = try keys.decode(String.self, forKey: .right)
    why = try keys.decode(String.self, forKey: .why)
    reported = try keys.decodeIfPresent(String.self, forKey: .reported)
    until = try keys.decodeIfPresent(String.self, forKey: .until)
  }
}

/// The corrections of a pipeline: a file of their own beside its definition, and part of it.
///
/// In the definition it is the file's name. What is hashed is the content, so a database is built again when a correction
/// changes, and not when a comment does.
public struct CorrectionList: Equatable, Sendable {
  public let file: String
  public private(set) var corrections: [Correction] = []

  public init(file: String, corrections: [Correction] = []) {
    self.file = file
    self.corrections = corrections
  }

  /// Reads the file; every fault names it, and the correction.
  mutating func load(from folder: URL) throws {
    let url = folder.appending(path: file)
    corrections = try DefinitionPart.corrections.read([Correction].self, from: url)
    try check(url)
  }

  private func check(_ url: URL) throws {
    for (index, correction) in corrections.enumerated() {
      let isTwice = corrections[..<index].contains { $0.place == correction.place }
      if let problem = isTwice ? "it is there twice" : correction.problem {
        throw DefinitionPart.corrections.fault(url, "[\(index)] (\(correction.place)): \(problem)")
      }
    }
  }

  /// The same list with one correction more; throws what is wrong with it.
  public func adding(_ correction: Correction, in folder: URL) throws -> CorrectionList {
    let list = CorrectionList(file: file, corrections: corrections + [correction])
    try list.check(folder.appending(path: file))
    return list
  }

  /// Writes the list's last correction to the end of its file, whose comments and form stay as they are.
  public func appendLast(in folder: URL) throws {
    guard let correction = corrections.last else { return }
    let url = folder.appending(path: file)
    let old = try String(contentsOf: url, encoding: .utf8)
    let new = try CorrectionList.inserting(correction.json5, into: old)
    // The text is not parsed to find the place, so the result must read as what it should be.
    guard let new, (try? JSON5.decode([Correction].self, from: Data(new.utf8))) == corrections else {
      throw DefinitionPart.corrections.fault(
        url, "the end of its list is not found; add this yourself:\n\(correction.json5)")
    }
    try Data(new.utf8).write(to: url, options: .atomic)
  }

  /// Nil where the text ends in no list.
  private static func inserting(_ element: String, into text: String) throws -> String? {
    guard let end = text.lastIndex(of: "]") else { return nil }
    var before = text[..<end]
    while before.last?.isWhitespace == true { before.removeLast() }
    let comma = before.hasSuffix(",") || before.hasSuffix("[") ? "" : ","
    return before + comma + "\n" + element + "\n" + text[end...]
  }
}

extension CorrectionList: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(file: try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws { try corrections.encode(to: encoder) }
}

extension Correction {
  /// As a person writes it into the file.
  var json5: String {
    let keys = row.sorted { $0.key < $1.key }.map {
      "\($0.key.isName ? $0.key : $0.key.quoted): \($0.value.quoted)"
    }
    let fields: [(String, String)] =
      [
        ("table", table.quoted), ("row", "{ \(keys.joined(separator: ", ")) }"), ("column", column.quoted),
        ("faa", faa.quoted), ("right", right.quoted), ("why", why.quoted),
      ]
      + [("reported", reported), ("until", until)].compactMap { name, value in value.map { (name, $0.quoted) }
      }
    return "  {\n" + fields.map { "    \($0.0): \($0.1),\n" }.joined() + "  },"
  }

  /// What the types alone cannot forbid; nil when all is well.
  fileprivate var problem: String? {
    if row.isEmpty { return "`row` names no column that identifies the row" }
    if let odd = ([table] + columns).first(where: { !$0.isNameOfTheFAA }) {
      return "\"\(odd)\" is no name of a table or a column of the FAA"
    }
    if column == "EFF_DATE" { return "the date of a row names its cycle, and cannot be corrected" }
    if why.allSatisfy(\.isWhitespace) { return "`why` is empty" }
    if faa == right { return "`faa` and `right` are the same" }
    // A value is compared without the blanks around it, and a line more would move all that come after it.
    if let odd = ([faa, right] + row.values.sorted()).first(where: { !$0.isPlainValue }) {
      return "\"\(odd)\" holds a line end, or blanks around it"
    }
    if let until, AiracCycle(identifier: until) == nil { return "`until`: there is no AIRAC cycle \(until)" }
    if let reported, CalendarDay(reported) == nil { return "`reported`: \"\(reported)\" is no day" }
    return nil
  }
}

extension String {
  /// Whether JSON5 takes it for a key without quotes.
  fileprivate var isName: Bool { first?.isLetter == true && !contains(" ") }

  /// As a JSON text.
  fileprivate var quoted: String {
    let escaped = unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case _ where scalar.value < 0x20: "\\u" + String(scalar.value + 0x10000, radix: 16).dropFirst()
      default: String(scalar)
      }
    }
    return "\"" + escaped.joined() + "\""
  }

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
