internal import Core
internal import Foundation

/// A correction of an error in the FAA's data.
///
/// It applies to one field of one row and states the wrong value. If the FAA changes the value, the FAA's new value is used.
public struct Correction: Equatable, Sendable {
  /// The FAA's name of the table, such as `APT_BASE`.
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

extension Correction: PlainDefinition, Codable {
  enum CodingKeys: String, DefinitionKey {
    case table, row, column, faa, right, why, reported, until
  }
}

/// The corrections of a pipeline, in a separate file beside its definition.
///
/// The definition holds the file's name. Its hash covers the content, so a database is built again when a correction
/// changes, and not when a comment does.
public struct CorrectionList: Equatable, Sendable {
  public let file: String
  public private(set) var corrections: [Correction] = []

  /// The end of the file's name, which distinguishes it from a pipeline.
  static let ending = "corrections.json5"

  /// Reads the file. Errors name the file and the correction.
  mutating func load(from folder: URL) throws {
    let url = folder.appending(path: file)
    func fault(_ problem: String, _ causes: [any Error] = []) -> UserError {
      UserError(
        .badInput, operation: "reading the corrections", path: url.path, reason: problem,
        suggestion:
          "Correct the file; the comment at the head of pipelines/corrections.json5 shows its form.",
        causes: causes)
    }
    guard file.hasSuffix(CorrectionList.ending) else {
      throw fault("its name must end in \(CorrectionList.ending)")
    }
    corrections = try JSON5.list(of: Correction.self, at: url) { fault($0, [$1]) }
    for (index, correction) in corrections.enumerated() {
      let isTwice = corrections[..<index].contains { $0.place == correction.place }
      if let problem = isTwice ? "it occurs twice" : correction.problem {
        throw fault("[\(index)] (\(correction.place)): \(problem)")
      }
    }
  }
}

extension JSON5 {
  /// The elements of a file beside a definition.
  static func list<Item: PlainDefinition & Decodable>(
    of type: Item.Type, at url: URL, fault: (_ reason: String, any Error) -> UserError
  ) throws -> [Item] {
    var data = Data()
    return try explaining({ error in
      fault((error as? DecodingError)?.whereAndWhy(in: data, "JSON5") ?? error.fileErrorReason, error)
    }) {
      data = try Data(contentsOf: url)
      return try decode([Checked<Item>].self, from: data).map(\.value)
    }
  }
}

extension CorrectionList: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(file: try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws { try corrections.encode(to: encoder) }
}

extension Correction {
  /// The first problem that decoding does not detect; nil if there is none.
  fileprivate var problem: String? {
    if row.isEmpty { return "`row` names no column that identifies the row" }
    if let odd = ([table] + columns).first(where: { !$0.isNameOfTheFAA }) {
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
