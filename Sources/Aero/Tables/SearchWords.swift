internal import SQLiteIO

/// Other spellings of the words of an airport's name and city, under which pilots look for it: the text index takes an apostrophe
/// for a blank, and the FAA writes MC GHEE, ST PAUL and FORT WORTH.
enum SearchWords {
  private static let spellings: [Substring: String] = [
    "ST": "SAINT", "STE": "SAINTE", "SAINT": "ST", "FT": "FORT", "FORT": "FT", "MT": "MOUNT", "MOUNT": "MT",
  ]

  /// Of the texts of two columns; NULL where there are none, as for most airports.
  @Sendable static func value(_ row: SourceRow, _ at: Int) -> SQLiteValue {
    var words: [String] = []
    for value in [row.value(at), row.value(at + 1)] where mayHaveSome(value) {
      words += others(value.text).filter { !words.contains($0) }
    }
    return words.isEmpty ? .null : .text(words.joined(separator: " "))
  }

  /// OHARE for O'HARE, MCGHEE for MC GHEE, SAINT for ST.
  private static func others(_ text: String) -> [String] {
    let words = text.uppercased().split { " /-(),.".contains($0) }
    return words.indices.compactMap { index in
      let word = words[index]
      if word == "MC", index + 1 < words.count { return "MC" + words[index + 1].filter { $0 != "'" } }
      return word.contains("'") ? word.filter { $0 != "'" } : spellings[word]
    }
  }

  /// Whether it is worth to take the text apart: whether it has an apostrophe, or a word that begins like one of those above.
  private static func mayHaveSome(_ value: CSVValue) -> Bool {
    guard let bytes = value.asciiBytes else { return true }
    var isStart = true
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == UInt8(ascii: "'") { return true }
      if isStart, index + 1 < bytes.count, isBeginning(byte, bytes[index + 1]) { return true }
      isStart = byte < UInt8(ascii: "0")
    }
    return false
  }

  private static func isBeginning(_ first: UInt8, _ second: UInt8) -> Bool {
    switch first {
    case UInt8(ascii: "M"):
      second == UInt8(ascii: "C") || second == UInt8(ascii: "T") || second == UInt8(ascii: "O")
    case UInt8(ascii: "S"): second == UInt8(ascii: "T") || second == UInt8(ascii: "A")
    case UInt8(ascii: "F"): second == UInt8(ascii: "T") || second == UInt8(ascii: "O")
    default: false
    }
  }
}
