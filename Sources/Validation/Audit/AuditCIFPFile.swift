internal import Foundation

/// FAACIFP18, read a second time: its records by kind, and the rows that they give.
///
/// A row is the record, its kind, its continuation, and values of other records, each in fixed columns. Where the columns are, is known from
/// `CIFPLayout`; everything else is read anew.
final class AuditCIFPFile: Sendable {
  struct Record: Sendable {
    let line: Int
    let text: [UInt8]
    var continuation: [UInt8] = []

    /// The text of some columns, counted from 1.
    func text(_ first: Int, _ last: Int) -> String { String(decoding: text[first - 1..<last], as: UTF8.self) }
  }

  /// An area of airspace.
  struct Area {
    let name: String
    let records: [Record]
  }

  let records: [String: [Record]]
  private let positions: [String: String?]

  init(_ container: SourceContainer) throws {
    let files = container.members
    let file = files.count == 1 ? files[0] : files.first { $0.fileName.uppercased() == "FAACIFP18" }
    let bytes = try file.map { try container.read($0) } ?? []
    records = Self.records(bytes)
    positions = Self.positions(records)
  }

  private static func records(_ bytes: [UInt8]) -> [String: [Record]] {
    var (found, previous): ([String: [Record]], String) = ([:], "")
    for (index, piece) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      let text = Array(piece.last == 0x0D ? piece.dropLast() : piece)
      guard text.count == 132, text.allSatisfy({ $0 >= 0x20 }), !text.starts(with: "HDR".utf8) else {
        if text.contains(where: { $0 > 0x20 }), !text.starts(with: "HDR".utf8) { previous = "" }
        continue
      }
      let record = Record(line: index + 1, text: text)
      let kind = kind(of: record)
      guard let (_, column, application) = forms.first(where: { $0.kinds.contains(kind) }) else { continue }
      let number = column == 0 ? "0" : record.text(column, column)
      let name = kind + record.text(1, column == 0 ? 20 : column - 1)
      let last = (found[kind]?.count ?? 0) - 1
      if number <= "1" {
        if previous != name { found[kind, default: []].append(record) }
        previous = name
      } else if record.text(column + 1, column + 1) == application, previous == name, last >= 0,
        found[kind]?[last].continuation.isEmpty == true
      {
        found[kind]?[last].continuation = text
      }
    }
    return found
  }

  private static func kind(of record: Record) -> String {
    let section = record.text(5, 5)
    let isOfPlace = section == "H" || (section == "P" && record.text(6, 6) != "N")
    return section + (isOfPlace ? record.text(13, 13) : record.text(6, 6))
  }

  /// The kinds, with the column of the number of a continuation and the application of those that are read.
  private static let forms: [(kinds: [String], column: Int, application: String)] = [
    (["PA", "HA", "PG", "PC", "HC", "EA", "D ", "DB", "PN", "PI"], 22, ""), (["PF", "HF"], 39, "W"),
    (["PD", "PE", "HD", "HE", "ER", "PS", "HS"], 39, ""), (["PP", "HP"], 27, "E"), (["UC", "UR"], 25, "C"),
    (["AS"], 0, ""),
  ]

  // MARK: - Positions

  /// By the airport, if it has one, the identifier, the region and the section; nil for a name of several places.
  private static func positions(_ records: [String: [Record]]) -> [String: String?] {
    var (found, enroute): ([String: String?], [String: String?]) = ([:], [:])
    /// Nil for a name of several places.
    func add(_ place: String, _ name: String, to list: inout [String: String?]) {
      if let old = list[name], old != place { list[name] = String?.none } else { list[name] = place }
    }
    for (kind, records) in records.sorted(by: { $0.key < $1.key }) {
      guard let (ident, region) = names[kind] else { continue }
      for record in records {
        let own = record.text(33, 51)
        let place = own.hasPrefix(" ") ? record.text(56, 74) : own
        if place.hasPrefix(" ") { continue }
        let airport = record.text(7, 10)
        let name = name(record.text(ident.0, ident.1), record.text(region, region + 1), kind)
        if airport == "ENRT" || airport == "    " {
          add(place, name, to: &enroute)
        } else {
          add(place, airport + name, to: &found)
          if !["PC", "HC", "PG"].contains(kind) { add(place, name, to: &found) }
        }
      }
    }
    return found.merging(enroute) { $1 }
  }

  private static let names: [String: (ident: (Int, Int), region: Int)] = [
    "EA": ((14, 18), 20), "PC": ((14, 18), 20), "HC": ((14, 18), 20), "D ": ((14, 17), 20),
    "DB": ((14, 17), 20),
    "PN": ((14, 17), 20), "PG": ((14, 18), 11), "PI": ((14, 17), 11), "PA": ((7, 10), 11),
    "HA": ((7, 10), 11),
  ]

  private static func name(_ ident: String, _ region: String, _ section: String) -> String {
    "\(ident.padding(toLength: 5, withPad: " ", startingAt: 0))\(region)\(section)"
  }

  /// The position that columns of a record name: of the identifier, the region and the section.
  private func position(_ record: Record, _ ident: (Int, Int), _ region: Int, _ section: Int) -> String {
    let text = record.text(ident.0, ident.1)
    guard !text.hasPrefix(" ") else { return Self.none }
    let name = Self.name(text, record.text(region, region + 1), record.text(section, section + 1))
    return (positions[record.text(7, 10) + name] ?? positions[name] ?? nil) ?? Self.none
  }

  private static let none = String(repeating: " ", count: 19)

  // MARK: - Rows

  /// The rows of a table, read by its columns.
  func file(of table: SourceTable) throws -> AuditFile {
    let kinds = stride(from: 0, to: table.source.count - 1, by: 3).map { start in
      String(table.source.dropFirst(start).prefix(2))
    }
    let (names, places) = CIFPLayout.columns(of: kinds[0])
    return AuditFile("FAACIFP18", columns: names) { [self] each in
      var (fields, width) = ([Range<Int>](), 0)
      try forEachRow(table.schema.name, kinds) { text, line in
        try text.withUnsafeBufferPointer { bytes in
          var row = AuditRow(bytes)
          row.line = line
          if width != bytes.count {
            width = bytes.count
            fields = places.map { $0.clamped(to: 0..<width) }
          }
          row.fields = fields
          try each(row)
        }
      }
    }
  }

  private func forEachRow(_ table: String, _ kinds: [String], _ each: ([UInt8], Int) throws -> Void) throws {
    if table.hasPrefix("airspace") {
      for (number, area) in areas.enumerated() {
        let kind = area.name.prefix(2)
        for record in table == "airspaces" ? [area.records[0]] : area.records {
          try each(Self.row(record, String(kind), "\(number + 1)"), record.line)
        }
      }
      return
    }
    var (route, isMissed) = ("", false)
    for kind in kinds {
      for record in records[kind] ?? [] {
        switch table {
        case "airways": try each(Self.row(record, kind, position(record, (30, 34), 35, 37)), record.line)
        case "legs":
          if route != record.text(7, 25) { (route, isMissed) = (record.text(7, 25), false) }
          if kind.hasSuffix("F"), record.text(42, 42) == "M" { isMissed = true }
          let places =
            position(record, (30, 34), 35, 37) + position(record, (51, 54), 55, 79)
            + position(record, (107, 111), 113, 115)
          try each(Self.row(record, kind, places + (isMissed ? "Y" : "N")), record.line)
        case "msas":
          let center = position(record, (14, 18), 19, 21)
          for number in 1...7 {
            let sector = record.text(32 + 11 * number, 42 + 11 * number)
            if number > 1, sector.allSatisfy({ $0 == " " }) { continue }
            try each(Self.row(record, kind, center + "\(number)" + sector), record.line)
          }
        case "gridMoras":
          for number in 0..<30 { try each(Self.row(record, kind, Self.square(record, number)), record.line) }
        default: try each(Self.row(record, kind, ""), record.line)
        }
      }
    }
  }

  private static func square(_ record: Record, _ number: Int) -> String {
    let value = record.text(31 + 3 * number, 33 + 3 * number)
    guard let west = Int(record.text(18, 20)), west <= 180 else {
      return record.text(14, 16) + "000000          " + value
    }
    var longitude = (record.text(17, 17) == "W" ? -west : west) + number
    if longitude >= 180 { longitude -= 360 }
    let digits = "00\(abs(longitude))".suffix(3)
    return record.text(14, 16) + "000000" + (longitude < 0 ? "W" : "E") + digits + "000000" + value
  }

  private static func row(_ record: Record, _ kind: String, _ added: String) -> [UInt8] {
    let continuation = record.continuation.isEmpty ? Array(repeating: 0x20, count: 132) : record.continuation
    let column = forms.first { $0.kinds.contains(kind) }?.column ?? 0
    let number = column == 0 ? 0x20 : record.text[column - 1]
    return record.text + Array(kind.utf8) + [number] + continuation + Array(added.utf8)
  }

  // MARK: - Airspace

  /// The areas in the order of the file: each ends with the record that returns to its start.
  var areas: [Area] {
    ["UC", "UR"].flatMap { kind in
      var areas: [Area] = []
      var isOpen = false
      for record in records[kind] ?? [] {
        let name = kind + record.text(7, 20)
        if isOpen, let last = areas.last, last.name == name {
          areas[areas.count - 1] = Area(name: name, records: last.records + [record])
        } else {
          areas.append(Area(name: name, records: [record]))
        }
        isOpen = record.text(32, 32) != "E"
      }
      return areas
    }
  }
}
