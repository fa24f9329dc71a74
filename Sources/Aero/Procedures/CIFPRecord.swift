/// A record of FAACIFP18: where it is in the file, and what it is.
struct CIFPRecord {
  static let width = 132

  /// The section and the subsection: `PA`, `EA`, `D `.
  struct Kind: Hashable, Sendable, CustomStringConvertible {
    let section: UInt8
    let subsection: UInt8

    var description: String { String(decoding: [section, subsection], as: UTF8.self) }

    init(_ text: StaticString) { (section, subsection) = (text.bytes[0], text.bytes[1]) }

    /// The subsection is in column 6, and of airports and heliports in column 13. A terminal radio beacon has it in column 6.
    init(_ line: UnsafeBufferPointer<UInt8>) {
      section = line[4]
      let isOfPlace =
        section == UInt8(ascii: "H") || (section == UInt8(ascii: "P") && line[5] != UInt8(ascii: "N"))
      subsection = isOfPlace ? line[12] : line[5]
    }
  }

  /// How many columns name a record of a kind without continuations.
  static let keyWidth = 20

  /// The column of the continuation number, counted from 0; nil for a kind without continuations.
  static let continuationColumn: [Kind: Int] = {
    let columns: [(String, Int)] = [
      ("PA HA PG PC HC EA D  DB PN PI", 21), ("PD PE PF HD HE HF ER PS HS", 38), ("PP HP", 26), ("UC UR", 24),
    ]
    var found: [Kind: Int] = [:]
    for (kinds, column) in columns {
      let bytes = Array(kinds.utf8)
      for at in stride(from: 0, to: bytes.count, by: 3) {
        found[Kind(section: bytes[at], subsection: bytes[at + 1])] = column
      }
    }
    return found
  }()

  /// The application of the continuations that are read, in the column after their number.
  static let applications: [Kind: UInt8] = [
    Kind("PP"): UInt8(ascii: "E"), Kind("HP"): UInt8(ascii: "E"), Kind("PF"): UInt8(ascii: "W"),
    Kind("HF"): UInt8(ascii: "W"), Kind("UR"): UInt8(ascii: "C"), Kind("UC"): UInt8(ascii: "C"),
  ]

  let line: Int
  /// The place of its first byte.
  let start: Int
  /// That of its continuation; nil for a record without one.
  var continuation: Int?
}

extension CIFPRecord.Kind {
  init(section: UInt8, subsection: UInt8) { (self.section, self.subsection) = (section, subsection) }
}
