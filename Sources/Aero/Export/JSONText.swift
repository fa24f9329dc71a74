internal import SQLiteIO

/// Values as JSON has them.
enum JSONText {
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Nil for NULL, and for what JSON has no form of.
  static func of(_ value: SQLiteValue) -> String? {
    switch value {
    case .null, .blob: nil
    case .integer(let number): String(number)
    case .real(let number): of(number)
    case .text(let text): quoted(text)
    }
  }

  /// The shortest digits that give the number again, and no `.0`.
  static func of(_ number: Double) -> String? {
    guard number.isFinite else { return nil }
    return abs(number) < 1e15 && number == number.rounded() ? String(Int(number)) : "\(number)"
  }

  /// The members of an object that have a value, in this order.
  static func object(_ members: [(String, String?)]) -> String {
    let there = members.compactMap { name, value in value.map { "\(quoted(name)):\($0)" } }
    return "{\(there.joined(separator: ","))}"
  }
}
