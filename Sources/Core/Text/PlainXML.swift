public import Foundation

/// Checks untrusted XML before Foundation's parser reads it, since the parser traps on some malformed texts.
public enum PlainXML {
  /// Returns the reason to reject the data, or nil when it is safe to parse.
  public static func objection(to data: Data) -> String? {
    // An entity can expand to gigabytes or include another file. Valid sources have none.
    if data.range(of: Data("<!DOCTYPE".utf8)) != nil {
      return "it has a document type, which may hide anything"
    }
    // In other encodings the search above would miss it.
    let start = data.starts(with: mark) ? data.dropFirst(mark.count) : data
    guard !start.prefix(256).contains(0), start.first(where: { !blanks.contains($0) }) == UInt8(ascii: "<")
    else { return "it is no XML, or damaged" }
    let head = String(decoding: start.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
    let encoding = head.firstMatch(of: /encoding\s*=\s*["']([^"']*)["']/)?.1.lowercased() ?? "utf-8"
    guard let isLatin = encodings[encoding] else { return "its encoding, \(encoding), is not supported" }
    // Foundation traps on an element name that is not valid text, and on an instruction without content.
    guard isLatin || String(bytes: data, encoding: .utf8) != nil, !hasOddInstruction(data) else {
      return "it is no XML, or damaged"
    }
    return nil
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let blanks: Set<UInt8> = [9, 10, 13, 32]
  private static let encodings = [
    "utf-8": false, "us-ascii": false, "iso-8859-1": true, "windows-1252": true,
  ]

  /// Whether any instruction is not a name, a space and content without another instruction. The parser skips one that is broken or starts
  /// in a comment, and then finds an empty one inside it.
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
