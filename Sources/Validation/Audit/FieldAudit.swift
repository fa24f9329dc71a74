internal import SQLiteIO

/// Audits the tables that have a row for each row of a table of the FAA.
struct FieldAudit: Sendable {
  static let tables = DatabaseSchema.allSources

  let sources: AuditSources
  /// The filled tables; nil for all of them.
  let selection: Set<String>?

  /// Tables that are filled together with another one.
  private static let companions = [
    "airportDetails": "airports", "runwayDetails": "runways", "runwayEndDetails": "runways",
    "runwayEnds": "runways",
  ]

  func result(of table: SourceTable, _ database: SQLiteConnection) throws -> AuditResult {
    let name = Self.companions[table.schema.name] ?? table.schema.name
    let isFilled = name == "airports" || selection?.contains(name) ?? true
    let file = isFilled ? try name == "obstacles" ? sources.obstacles() : sources.file(table.source) : nil
    return try result(of: table, in: file ?? AuditFile(table.source, []), database)
  }

  func result(of table: SourceTable, in file: AuditFile, _ database: SQLiteConnection) throws -> AuditResult {
    try audit(of: table, file, database).result(database)
  }

  private func audit(of table: SourceTable, _ file: AuditFile, _ database: SQLiteConnection) throws
    -> TableAudit
  {
    guard table.schema.name != "runwayEnds" else { return try endsAudit(table, file) }
    let there = Set(try database.columns(of: table.schema.name))
    let compared = try table.fields.compactMap { field in
      try there.contains(field.column.name) ? value(field, file).map { (field, $0) } : nil
    }
    let names = compared.map(\.0.column.name)
    return TableAudit(
      table: table.schema.name, columns: compared.map { ($0.column.name, $1) },
      required: compared.indices.filter { compared[$0].0.isRequired }.map { [$0] },
      unique: table.schema.uniqueColumns.map { $0.compactMap(names.firstIndex) },
      query:
        "SELECT \(table.schema.label), \(names.map { "\"\($0)\"" }.joined(separator: ", ")) FROM \(table.schema.name)",
      rows: rows(of: table, file))
  }

  private func value(_ field: Field, _ file: AuditFile) throws -> AuditExpectation.Value? {
    // The importance of airports orders them; `DerivedAudit` checks it.
    if field.column.name == "id", file.name.hasPrefix("APT_BASE") { return nil }
    guard field.column.origin.table == nil else { return nil }
    return try AuditExpectation(field.column.origin, file, sources).value()
  }

  /// The ends of runways, which are columns of the runways.
  private func endsAudit(_ table: SourceTable, _ file: AuditFile) throws -> TableAudit {
    let keys = [Origin.airport] + ["RWY_ID", "RWY_END_ID"].map(Origin.text)
    let names = table.fields.map(\.column.name)
    let values = try (keys + table.fields.map(\.column.origin)).map {
      try AuditExpectation($0, file, sources).value() ?? { _, _ in .null }
    }
    let queries = ["baseEnd", "reciprocalEnd"].map { side in
      let columns = names.map { side + $0 }.joined(separator: ", ")
      return "SELECT airport || ' ' || \(side)ID, airport, id, \(side)ID, \(columns) FROM runways "
        + "WHERE coalesce(\(columns)) IS NOT NULL"
    }
    return TableAudit(
      table: "runways", columns: Array(zip(["airport", "id", "end"] + names, values)),
      required: [Array(3..<values.count)], unique: [[0, 1, 2]],
      query: queries.joined(separator: " UNION ALL "),
      rows: rows(of: table, file))
  }

  private func rows(of table: SourceTable, _ file: AuditFile) -> TableAudit.Rows {
    let keys = table.keys.map { ($0, $0.columns.map(file.place)) }
    let isWanted = filter(table, file)
    let owner = owner(of: table, file)
    return { each in
      var (kept, counts) = (0, [String: Int]())
      var found = [[String: Int?]](repeating: [:], count: keys.count)
      try file.scan { row in
        guard var context = owner(row), isWanted(row) else { return }
        let group = context.airport?.site ?? context.owner.map(String.init) ?? ""
        (context.number, context.count) = (kept + 1, counts[group, default: 0] + 1)
        guard try each(row, context) else { return }
        kept += 1
        counts[group] = context.count
        for (index, key) in keys.enumerated() {
          guard let text = row.key(key.1) else { continue }
          let isNew = found[index].index(forKey: text) == nil
          found[index].updateValue(isNew ? kept : nil, forKey: text)
        }
      }
      for (key, numbers) in zip(keys, found) { sources.set(numbers, of: key.0) }
    }
  }

  /// What a row belongs to; nil if it must belong to something that is not there.
  private func owner(of table: SourceTable, _ file: AuditFile) -> (AuditRow) -> AuditContext? {
    let (site, type) = (file.place("SITE_NO"), file.place("SITE_TYPE_CODE"))
    let airport = { [airports = sources.airports] (row: AuditRow) in airports[row.text(site), row.text(type)]
    }
    switch table.owner {
    case .nothing where table.source != "APT_BASE": return { _ in AuditContext() }
    case .nothing, .airport: return { row in airport(row).map { AuditContext(airport: $0) } }
    case .perhapsAirport: return { row in AuditContext(airport: airport(row)) }
    case .stationAirport: return station(file)
    case .row(let key, let columns):
      let (places, numbers) = (columns.map(file.place), sources.numbers(of: key))
      return { row in
        row.key(places).flatMap { numbers[$0] ?? nil }.map { AuditContext(owner: $0) }
      }
    }
  }

  /// The airport of a weather station: by its site number, else by its identifier.
  private func station(_ file: AuditFile) -> (AuditRow) -> AuditContext? {
    let names = ["SITE_NO", "SITE_TYPE_CODE", "ASOS_AWOS_ID", "STATE_CODE"].map(file.place)
    let position = file.position
    return { [airports = sources.airports] row in
      let texts = names.map(row.text)
      if let found = airports[texts[0], texts[1] ?? "A"] { return AuditContext(airport: found) }
      guard let (latitude, longitude) = position(row) else { return AuditContext() }
      return AuditContext(airport: airports.near(texts[2], state: texts[3], latitude, longitude))
    }
  }

  /// Whether a row of the ends of runways is an end of a runway, whether an obstacle is not dismantled, and whether a row of a procedure
  /// is the one that has its route; any other row passes.
  private func filter(_ table: SourceTable, _ file: AuditFile) -> (AuditRow) -> Bool {
    if table.schema.name == "obstacles" {
      let action = file.place("ACTION")
      return { !$0[action].elementsEqual("D".utf8) }
    }
    if let column = table.onlyWhereEmpty {
      let place = file.place(column)
      return { $0[place].isEmpty }
    }
    guard table.source == "APT_RWY_END" else { return { _ in true } }
    let places = ["SITE_NO", "SITE_TYPE_CODE", "RWY_ID", "RWY_END_ID"].map(file.place)
    return { [runways = sources.runways] row in
      let texts = places.map { row.text($0) ?? "" }
      let ends = texts[2].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      let isEnd =
        ends.count == 2 && !ends.contains("") ? ends.contains { $0 == texts[3] } : texts[2] == texts[3]
      return isEnd && runways.contains(texts.prefix(3).joined(separator: "\0"))
    }
  }
}

extension TableSchema {
  /// The groups of columns that no two rows share.
  fileprivate var uniqueColumns: [[String]] {
    constraints.compactMap { constraint in
      guard let start = constraint.firstIndex(of: "("), constraint.hasSuffix(")") else { return nil }
      return constraint[start...].dropFirst().dropLast().split(separator: ", ").map(String.init)
    }
  }
}
