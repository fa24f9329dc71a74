public import Foundation

/// Which XML may be given to a parser at all, when a stranger wrote it.
public enum PlainXML {
  /// What speaks against it; nil when nothing does.
  public static func objection(to data: Data) -> String? {
    // An entity can stand for gigabytes, or for another file. What we read has none.
    if data.range(of: Data("<!DOCTYPE".utf8)) != nil {
      return "it has a document type, which may hide anything"
    }
    // In other encodings the same could be written in bytes that are not found so.
    let start = data.starts(with: mark) ? data.dropFirst(mark.count) : data
    guard !start.prefix(256).contains(0), start.first(where: { !blanks.contains($0) }) == UInt8(ascii: "<")
    else { return "it is no XML, or damaged" }
    let head = String(decoding: start.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
    let told = head.firstMatch(of: /encoding\s*=\s*["']([^"']*)["']/)?.1.lowercased() ?? "utf-8"
    guard let isLatin = encodings[told] else { return "its encoding, \(told), is not read here" }
    // Foundation traps where the name of an element is no text, and where an instruction has nothing but a name.
    guard isLatin || String(validating: data, as: UTF8.self) != nil, !hasOddInstruction(data) else {
      return "it is no XML, or damaged"
    }
    return nil
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let blanks: Set<UInt8> = [9, 10, 13, 32]
  private static let encodings = [
    "utf-8": false, "us-ascii": false, "iso-8859-1": true, "windows-1252": true,
  ]

  /// Whether any instruction is not as it should be: a name, a blank, and something besides, but no other instruction: what begins
  /// in a comment, or is broken, the parser passes over, and finds a bare one behind it.
  private static func hasOddInstruction(_ data: Data) -> Bool {
    let begin = Data("<?".utf8)
    var rest = data[...]
    while let open = rest.range(of: begin) {
      guard let close = rest[open.upperBound...].range(of: Data("?>".utf8)) else { return true }
      let instruction = rest[open.upperBound..<close.lowerBound]
      guard isPlain(instruction), instruction.range(of: begin) == nil else { return true }
      rest = rest[close.upperBound...]
    }
    return false
  }

  private static func isPlain(_ instruction: Data) -> Bool {
    let name = instruction.prefix { !blanks.contains($0) }
    let isName = name.allSatisfy { $0 == UInt8(ascii: "-") || letters.contains($0 | 0x20) }
    return isName && !name.isEmpty && instruction.dropFirst(name.count).contains { !blanks.contains($0) }
  }

  private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
}
