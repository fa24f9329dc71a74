internal import Core
internal import SQLiteIO

/// Runs SQLite's integrity and foreign key checks.
struct DatabaseIntegrity: Rule {
  let name = "database-integrity"
  let protects = "The app's database opens, and no runway belongs to a missing airport."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let damage = try database.connection.damage().map { error(database.place, $0) }
    return damage.isEmpty ? try orphans(database) : damage
  }

  private func orphans(_ database: DatabaseUnderTest) throws -> [Finding] {
    try database.connection.prepare(
      """
      SELECT "table", "parent", count(*) FROM pragma_foreign_key_check
      GROUP BY 1, 2 ORDER BY 1, 2
      """
    ).map {
      let rows = $0.int(2) == 1 ? "1 row belongs" : "\($0.int(2)) rows belong"
      return error(database.place("table", $0), "\(rows) to no row of \($0.text(1) ?? "")")
    }
  }
}

/// Checks the database's header and metadata: its kind, version, cycle, dates and row counts.
struct DatabaseIdentity: Rule {
  let name = "database-identity"
  let protects = "The app knows whether it can read the database, and the pilot whether it has expired."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let missing = database.missingTables.map { "there is no table `\($0)`" }
    let all =
      try missing + marks(database) + dates(database.metadata, isOfAirports: database.isOfAirports)
      + strayRows(database) + counts(database)
    return all.map { error(database.place, $0) }
  }

  private func marks(_ database: DatabaseUnderTest) throws -> [String] {
    var problems: [String] = []
    let mark = database.form.applicationID
    if try database.connection.numbers("PRAGMA application_id") != [mark] {
      problems.append(
        "its application_id is not 0x\(String(mark, radix: 16)), the id of \(database.kind.name)")
    }
    let version = try database.connection.numbers("PRAGMA user_version").first ?? 0
    if version < 1 { problems.append("its user_version, the version of the schema, is not set") }
    let stated = database.metadata["schema_version"]
    if stated != "\(version)" {
      problems.append(
        "the metadata's `schema_version` is \(stated ?? "missing"), but its user_version is \(version)")
    }
    return problems
  }

  private func dates(_ metadata: [String: String], isOfAirports: Bool) -> [String] {
    guard let text = metadata["cycle"], let cycle = AiracCycle(identifier: text) else {
      return ["the metadata's `cycle` is \(metadata["cycle"] ?? "missing"), which is not a cycle"]
    }
    let expected = [
      ("effective", cycle.effective.description), ("expires", cycle.expires.description),
      ("edition", cycle.effectiveDay.description),
    ]
    let slow = [
      ("edition_56_day", cycle.edition(.every56Days).issue.description),
      ("expires_56_day", cycle.edition(.every56Days).expires.description),
    ]
    return (expected + (isOfAirports ? slow : [])).compactMap { key, date in
      let found = metadata[key]
      guard found != date else { return nil }
      return "the metadata's `\(key)` is \(found ?? "missing"); cycle \(text) needs \(date)"
    }
  }

  /// The FAA dates each airport's row, so rows of another cycle can be found.
  private func strayRows(_ database: DatabaseUnderTest) throws -> [String] {
    guard let text = database.metadata["cycle"], let cycle = AiracCycle(identifier: text),
      database.missingTables.isEmpty, database.isOfAirports
    else { return [] }
    let day = cycle.effectiveDay.description
    let stray = try database.connection.count("airports WHERE effectiveDate IS NOT '\(day)'")
    return stray == 0 ? [] : ["\(Counts.of(stray, "airport")) are not of \(day), the date of cycle \(text)"]
  }

  private func counts(_ database: DatabaseUnderTest) throws -> [String] {
    let prefix = "counts."
    let counted = database.metadata.keys.filter { $0.hasPrefix(prefix) }.map {
      String($0.dropFirst(prefix.count))
    }
    let known = try database.known.map(\.name).filter { !["metadata", "queries"].contains($0) }
    return try Set(counted + known).intersection(database.tables).sorted().compactMap { table in
      let rows = try database.connection.count("\"" + table.replacing("\"", with: "\"\"") + "\"")
      let stated = database.metadata[prefix + table]
      // An empty table needs no count.
      guard stated != "\(rows)", stated != nil || rows > 0 else { return nil }
      return "the metadata's `\(prefix)\(table)` is \(stated ?? "missing"), but there are \(rows) rows"
    }
  }
}

/// Compares the text indexes with new ones of the same rows. SQLite's own check would have to write.
struct DatabaseFTS: Rule {
  let name = "database-fts"
  let protects = "A pilot who types an identifier or a name finds the airport, and only that one."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    try database.known.filter { !$0.search.isEmpty }.flatMap { table -> [Finding] in
      let index = TextIndexComparison(
        table: table.name, columns: table.search.map(\.column), label: table.label)
      return try index.problems(database).map { error("\(database.place) \($0.place)", $0.text) }
    }
  }
}

/// Compares the R-trees with the positions in their tables.
struct DatabaseRTree: Rule {
  let name = "database-rtree"
  let protects = "A nearby airport is on the map, and in the list of the nearest."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    try database.known.filter { $0.extent != nil }.flatMap { table -> [Finding] in
      let sides =
        table.extent == .point ? "latitude, latitude, longitude, longitude" : "south, north, west, east"
      return try treeProblems(database, over: table.name, label: table.label, sides: sides).map {
        error("\(database.place) \($0.place)", $0.text)
      }
    }
  }
}

/// Compares columns that the FAA must have right together; the audit finds the errors of a build.
///
/// Of whole cycles of 2023 and 2026: none of 576 towered airports is without its tower's frequency, and 4 of 735 airports with such a
/// frequency are not towered.
struct DatabaseAgreement: Rule {
  let name = "database-agreement"
  let protects =
    "An app never shows half of the towers, or procedures backwards, because the FAA's files are wrong."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let tables = Set(try database.known.filter { $0.name != "metadata" }.map(\.name))
    return try Self.comparisons.filter { $0.tables.allSatisfy(tables.contains) }.flatMap { comparison in
      try problems(comparison, database.connection).map {
        error("\(database.place) \(comparison.tables[0])", "\($0) \(comparison.message)")
      }
    }
  }

  /// A comparison of rows with those of another table. The SQL selects the state, or NULL, and whether the row disagrees. A few wrong
  /// rows, up to a share of all, may come from the FAA; many are an error of the build.
  private typealias Comparison = (tables: [String], share: Double, message: String, sql: String)

  /// The share of wrong rows of a state that is accepted.
  private static let stateShare = 0.5
  private static let fewest = 4

  private func problems(_ comparison: Comparison, _ connection: SQLiteConnection) throws -> [String] {
    func isTooMany(_ wrong: Int, of rows: Int, _ share: Double) -> Bool {
      wrong >= Self.fewest && Double(wrong) > share * Double(rows)
    }
    let states = try connection.prepare(
      "SELECT state, coalesce(sum(isWrong), 0), count(*) FROM (\(comparison.sql)) GROUP BY 1 ORDER BY 1"
    ).map { (name: $0.text(0), wrong: $0.int(1), rows: $0.int(2)) }
    let (wrong, rows) = states.reduce((0, 0)) { ($0.0 + $1.wrong, $0.1 + $1.rows) }
    if isTooMany(wrong, of: rows, comparison.share) {
      return ["\(Counts.grouped(wrong)) of \(Counts.grouped(rows))"]
    }
    return states.compactMap { name, wrong, rows in
      guard let name, isTooMany(wrong, of: rows, Self.stateShare) else { return nil }
      return "\(Counts.grouped(wrong)) of \(Counts.grouped(rows)) of \(name)"
    }
  }

  private static let comparisons: [Comparison] = [
    (
      ["airports", "frequencies"], 0.1, "towered airports have no tower frequency",
      """
      SELECT state, NOT EXISTS (SELECT 1 FROM frequencies WHERE airport = icao AND type = 'tower') AS isWrong FROM airports
      WHERE isTowered AND use IS NOT 'private' AND coalesce(country, 'US') = 'US' AND EXISTS (SELECT 1 FROM frequencies)
      """
    ),
    (
      ["airports", "frequencies"], 0.05, "airports with a tower frequency are listed without a tower",
      """
      SELECT state, NOT isTowered AS isWrong FROM airports
      WHERE EXISTS (SELECT 1 FROM frequencies WHERE airport = icao AND type = 'tower')
      """
    ),
    (
      ["airwaySegments"], 0.01,
      "segments of airways have a minimum enroute altitude below that for clearing obstacles",
      "SELECT state, mea < moca AS isWrong FROM airwaySegments WHERE mea IS NOT NULL AND moca IS NOT NULL"
    ),
    flightOrder("departurePoints"), flightOrder("arrivalPoints"),
    namedEnd("departure", order: "DESC", name: "substr(code, instr(code, '.') + 1)"),
    namedEnd("arrival", order: "ASC", name: "substr(code, 1, instr(code, '.') - 1)"),
  ]

  /// The code of a transition has the name of its outer end: SALAD5.ALTAM, ORRCA.RISTI1. In 3,976 transitions of 2023-11-30 it is another
  /// one in 11.
  private static func namedEnd(_ kind: String, order: String, name: String) -> Comparison {
    (
      ["\(kind)Points", "\(kind)Routes"], 0.05,
      "transitions are not flown to or from the point of their code",
      """
      SELECT NULL AS state, \(name) IS NOT (
        SELECT point FROM \(kind)Points WHERE route = r.id ORDER BY sequence \(order) LIMIT 1) AS isWrong
      FROM \(kind)Routes r WHERE kind = 'transition' AND code IS NOT NULL
      """
    )
  }

  private static func flightOrder(_ points: String) -> Comparison {
    (
      [points], 0.01, "points of procedures do not follow the point that their rows name",
      """
      SELECT NULL AS state, previousPoint IS NOT lag(point) OVER (PARTITION BY route ORDER BY sequence) AS isWrong
      FROM \(points)
      """
    )
  }
}
