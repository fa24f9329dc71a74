internal import SQLiteIO

/// Audits a table of frequencies, whose rows are rows of FRQ: of airports one for each type, of stations one.
struct FrequencyAudit {
  /// A table, the stations that own its rows (nil for the airports), and the families of the served sites.
  typealias Table = (name: String, stations: String?, families: Set<String>)

  static let tables: [Table] = [
    ("frequencies", nil, []),
    ("weatherStationFrequencies", "weatherStations", ["weather"]),
    ("outletFrequencies", "communicationOutlets", ["rco", "rcag"]),
    ("controlFrequencies", "controlFacilities", ["tracon", "cerap", "artcc"]),
    ("flightServiceFrequencies", "flightServiceStations", ["fss"]),
  ]

  static let columns = tables.map { "\($0.name).number" }

  let sources: AuditSources
  let selection: Set<String>?
  let table: Table

  func result(_ database: SQLiteConnection) throws -> AuditResult {
    let isFilled =
      selection.map { $0.isSuperset(of: [table.stations, "frequencies"].compactMap(\.self)) } ?? true
    let file = try (isFilled ? sources.file("FRQ") : nil) ?? AuditFile("FRQ.csv", [])
    guard let schema = DatabaseSchema.tables.first(where: { $0.name == table.name }) else {
      return AuditResult()
    }
    let columns = try AuditExpectation.columns(of: table.name, in: file, sources)
    let names = columns.map { "\"\($0.0)\"" }.joined(separator: ", ")
    var result = try TableAudit(
      table: table.name, columns: columns, query: "SELECT \(schema.label), \(names) FROM \(table.name)",
      rows: rows(file, try stations(database))
    ).result(database)
    result += try order(database, of: schema.columns[0].name)
    return result
  }

  /// The types in the order in which apps show them.
  private static let types = [
    "ctaf", "tower", "ground", "clearance", "atis", "awos", "approach", "departure", "unicom", "multicom",
    "emergency", "other",
  ]

  /// Compares the numbers of rows, which count from 1 for each owner: by type, civil before military, by frequency.
  private func order(_ database: SQLiteConnection, of owner: String) throws -> AuditResult {
    let cases = Self.types.enumerated().map { "WHEN '\($1)' THEN \($0)" }.joined(separator: " ")
    let keys =
      table.stations == nil
      ? ["CASE type \(cases) END", "1 - vhf", "coalesce(use, '')", "frequency"] : ["1 - vhf", "frequency"]
    let before = keys.map { "lag(\($0)) OVER own" }.joined(separator: ", ")
    return try database.texts(
      """
      SELECT \(owner) || ' ' || number FROM (
        SELECT \(owner), number, row_number() OVER own AS place, (\(keys.joined(separator: ", "))) < (\(before)) AS isEarly
        FROM \(table.name) WINDOW own AS (PARTITION BY \(owner) ORDER BY number))
      WHERE number <> place OR isEarly ORDER BY 1
      """
    ).reduce(into: AuditResult()) { result, row in
      result.add(table.name, row, "its number is not that of its place in the order of types and frequencies")
    }
  }

  // MARK: - Rows

  private struct Station {
    let id: Int
    let names: Set<String>
    let name: String?
    let type: String
    let state: String?
    let airport: String?
  }

  private func stations(_ database: SQLiteConnection) throws -> [String: [Station]] {
    let table = table.stations ?? "weatherStations"
    let name = table == "communicationOutlets" ? "name" : "NULL"
    let airport = table == "weatherStations" ? "airport" : "NULL"
    let all = try database.prepare(
      "SELECT id, identifier, \(name), type, state, \(airport) FROM \(table)"
    ).map { row in
      Station(
        id: row.int(0), names: Set([row.text(1), row.text(2)].compactMap(\.self)), name: row.text(2),
        type: (row.text(3) ?? "").lowercased(), state: row.text(4), airport: row.text(5))
    }
    return Dictionary(grouping: all.flatMap { station in station.names.map { ($0, station) } }, by: \.0)
      .mapValues { $0.map(\.1) }
  }

  /// Kinds of stations that the FAA's tables call by several names.
  private static func family(_ kind: String) -> String {
    let word = kind.lowercased()
    if word.hasPrefix("asos") || word.hasPrefix("awos") { return "weather" }
    return ["rco1": "rco", "radio": "fss"][word] ?? word
  }

  private static let sites = [
    "AIRPORT": "A", "BALLOONPORT": "B", "SEAPLANE BASE": "C", "GLIDERPORT": "G", "HELIPORT": "H",
    "ULTRALIGHT": "U", "VERTIPORT": "V",
  ]

  private func rows(_ file: AuditFile, _ stations: [String: [Station]]) -> TableAudit.Rows {
    let columns = [
      "SERVICED_SITE_TYPE", "SERVICED_FACILITY", "SERVICED_STATE", "SERVICED_FAC_NAME", "FREQ", "FREQ_USE",
    ].map(file.place)
    return { each in
      let byIdentity = sources.airports.byIdentity
      try file.scan { row in
        let texts = columns.map(row.text)
        guard let kind = texts[0], let served = texts[1], let radio = texts[4], AuditRadio(radio) != nil
        else { return }
        var context = AuditContext()
        if table.stations == nil, let type = Self.sites[kind] {
          context.airport = sources.airports.served(served, type: type, state: texts[2])
          guard context.airport != nil else { return }
          for type in types(texts[5] ?? "") {
            context.type = type
            _ = try each(row, context)
          }
          return
        }
        let family = Self.family(kind)
        guard table.stations == nil ? family == "weather" : table.families.contains(family),
          let station = station(stations[served] ?? [], kind, state: texts[2], name: texts[3])
        else { return }
        context.owner = station.id
        context.type = "awos"
        context.airport = station.airport.flatMap { byIdentity[$0] }
        if table.stations != nil || context.airport != nil { _ = try each(row, context) }
      }
    }
  }

  /// The one station of a kind. Its type, its state and its longer name decide between several.
  private func station(_ named: [Station], _ kind: String, state: String?, name: String?) -> Station? {
    var left = named.filter { Self.family($0.type) == Self.family(kind) }
    let tests: [(Station) -> Bool] = [
      { $0.type == kind.lowercased() }, { $0.state == state }, { $0.name == name },
    ]
    for test in tests where left.contains(where: test) { left = left.filter(test) }
    return left.count == 1 ? left[0] : nil
  }

  /// The types of a use: `APCH/P DEP/P IC` is both approach and departure. A use that ends in STAR or DP is that of a procedure.
  private func types(_ use: String) -> [String] {
    let words = use.split(separator: " ").map(String.init)
    if words.isEmpty || words.last == "STAR" || words.last == "DP" { return ["other"] }
    if use.hasPrefix("CD PRE ") { return ["clearance"] }
    let found = Set(
      words.compactMap { word in
        tokens[word] ?? word.firstIndex(of: "/").flatMap { tokens[String(word[...$0])] }
      })
    return found.isEmpty ? ["other"] : found.sorted()
  }

  private var tokens: [String: String] { DatabaseSchema.words(of: "type", in: "frequencies") }
}
