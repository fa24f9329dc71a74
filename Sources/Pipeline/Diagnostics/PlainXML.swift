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
    guard isLatin || String(validating: data, as: UTF8.self) != nil, !hasBareInstruction(data) else {
      return "it is no XML, or damaged"
    }
    return nil
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let blanks: Set<UInt8> = [9, 10, 13, 32]
  private static let encodings = [
    "utf-8": false, "us-ascii": false, "iso-8859-1": true, "windows-1252": true,
  ]

  /// `<?name?>`
  private static func hasBareInstruction(_ data: Data) -> Bool {
    var rest = data[...]
    while let open = rest.range(of: Data("<?".utf8)) {
      rest = rest[open.upperBound...]
      guard let close = rest.range(of: Data("?>".utf8)) else { return false }
      guard rest[..<close.lowerBound].contains(where: blanks.contains) else { return true }
      rest = rest[close.upperBound...]
    }
    return false
  }
}
