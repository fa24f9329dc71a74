internal import Foundation

/// The FAA's list of terminal procedures as a table, read from its tags without a parser of XML.
struct AuditPlateList {
  /// The attributes whose values hold for all records in an element, with their columns.
  private static let outer = [
    "state_code": ["ID": "STATE", "state_fullname": "STATE_NAME"],
    "city_name": ["ID": "CITY", "volume": "VOLUME"],
    "airport_name": [
      "ID": "AIRPORT_NAME", "military": "MILITARY", "apt_ident": "APT_IDENT", "icao_ident": "ICAO_IDENT",
      "alnum": "ALNUM",
    ],
  ]
  private var values: [String: String] = [:]
  private var rows: [[String: String]] = []

  /// The table of the list in a container: the list itself, or a zip with it.
  static func file(in container: SourceContainer) throws -> AuditFile {
    let member = container.members.first { $0.fileName.lowercased().hasSuffix("metafile.xml") }
    var list = AuditPlateList()
    if let member { list.read(String(decoding: try container.read(member), as: UTF8.self)) }
    let columns = Set(list.rows.flatMap(\.keys)).sorted()
    let lines = [columns] + list.rows.map { row in columns.map { row[$0] ?? "" } }
    let quoted = lines.map { line in
      line.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",") + "\n"
    }
    return try AuditFile("TPP.csv", Array(quoted.joined().utf8))
  }

  private mutating func read(_ text: String) {
    for piece in text.split(separator: "<") where !piece.hasPrefix("!") && !piece.hasPrefix("?") {
      guard let end = piece.firstIndex(of: ">") else { continue }
      let tag = piece[..<end]
      let name = String(tag.prefix { !$0.isWhitespace && $0 != "/" })
      if tag.hasPrefix("/record") {
        rows.append(values)
      } else if name == "record" {
        values = values.filter { key, _ in Self.outer.values.contains { $0.values.contains(key) } }
      } else if let columns = Self.outer[name] {
        for (attribute, column) in columns { values[column] = Self.attribute(attribute, of: tag) ?? "" }
      } else if !name.isEmpty {
        values[name.uppercased()] = Self.plain(piece[piece.index(after: end)...])
      }
    }
  }

  private static func attribute(_ name: String, of tag: Substring) -> String? {
    for quote in ["\"", "'"] {
      guard let start = tag.firstRange(of: " \(name)=\(quote)") else { continue }
      return plain(tag[start.upperBound...].prefix { String($0) != quote })
    }
    return nil
  }

  /// A text without blanks at its ends, with the characters that its entities stand for.
  private static func plain(_ text: Substring) -> String {
    guard text.contains("&") else { return text.trimmingCharacters(in: .whitespacesAndNewlines) }
    let names = ["&lt;": "<", "&gt;": ">", "&quot;": "\"", "&apos;": "'", "&amp;": "&"]
    let numbered = text.replacing(/&#([0-9]+);/) { match in
      Int(match.1).flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? String(match.0)
    }
    let order = ["&lt;", "&gt;", "&quot;", "&apos;", "&amp;"]
    return order.reduce(String(numbered)) { $0.replacing($1, with: names[$1] ?? "") }
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
