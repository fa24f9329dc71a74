internal import Airac
internal import Foundation

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
    for (index, correction) in corrections.enumerated() {
      let isTwice = corrections[..<index].contains { $0.place == correction.place }
      if let problem = isTwice ? "it is there twice" : correction.problem {
        throw DefinitionPart.corrections.fault(url, "[\(index)] (\(correction.place)): \(problem)")
      }
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
  /// What the types alone cannot forbid; nil when all is well.
  fileprivate var problem: String? {
    if row.isEmpty { return "`row` names no column that tells the row" }
    if let odd = ([table] + columns).first(where: { !$0.isNameOfTheFAA }) {
      return "\"\(odd)\" is no name of a table or a column of the FAA"
    }
    if column == "EFF_DATE" { return "the date of a row tells its cycle, and cannot be corrected" }
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
