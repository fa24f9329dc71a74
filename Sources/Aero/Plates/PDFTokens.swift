/// The tokens of a page description. Comments, hexadecimal texts and pictures come as meaningless tokens.
struct PDFTokens: Sequence, IteratorProtocol {
  enum Token: Equatable {
    case number(Double)
    case text([UInt8])
    /// An operator, a bracket, or a name with its slash.
    case word(String)

    var number: Double? { if case .number(let number) = self { number } else { nil } }
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  private static let brackets = Array("()<>[]{}".utf8)

  mutating func next() -> Token? {
    rest = rest.drop { $0 <= 0x20 }
    guard let first = rest.popFirst() else { return nil }
    guard first != UInt8(ascii: "(") else { return .text(text()) }
    guard !PDFTokens.brackets.contains(first) else { return .word(String(UnicodeScalar(first))) }
    let bytes =
      [first] + rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") && !PDFTokens.brackets.contains($0) }
    rest = rest.dropFirst(bytes.count - 1)
    let word = String(decoding: bytes, as: UTF8.self)
    // Swift reads `nan` and `1e9` too, which PDF does not have.
    guard bytes.allSatisfy({ (0x2B...0x39).contains($0) }), let number = Double(word) else {
      return .word(word)
    }
    return .number(number)
  }

  /// The rest of `(text (with) \(brackets\) or codes \260)`. No label has the other escapes.
  private mutating func text() -> [UInt8] {
    var (found, depth) = ([UInt8](), 1)
    while var byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\") {
        let digits = rest.prefix(3).prefix { (0x30...0x37).contains($0) }
        byte = digits.isEmpty ? rest.first ?? 0 : digits.reduce(0) { $0 << 3 | ($1 & 7) }
        rest = rest.dropFirst(Swift.max(1, digits.count))
      } else {
        depth += byte == UInt8(ascii: "(") ? 1 : byte == UInt8(ascii: ")") ? -1 : 0
        if depth == 0 { break }
      }
      found.append(byte)
    }
    return found
  }
}
