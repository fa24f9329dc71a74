internal import Core
internal import SQLiteIO

/// Checks that every number is in the range that the schema declares for its column.
struct DatabaseRanges: Rule {
  let name = "database-ranges"
  let protects =
    "No airport lies in the wrong ocean, and no radio is tuned to a frequency that does not exist."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    try database.known.flatMap { try findings(in: $0, database) }
  }

  /// Checks all columns in one scan of the table.
  private func findings(in table: TableSchema, _ database: DatabaseUnderTest) throws -> [Finding] {
    let columns = table.columns.compactMap { column in
      table.quantity(of: column).map { (name: column.name, quantity: $0) }
    }
    guard !columns.isEmpty else { return [] }
    let names = columns.map { "\"\($0.name)\"" }
    // SQLite orders text after all numbers, so text is found too. NULL is never out of range.
    let beyond = zip(names, columns).map { name, column in
      "\(name) NOT BETWEEN \(column.quantity.usual.lowerBound) AND \(column.quantity.usual.upperBound)"
    }
    return try database.connection.prepare(
      """
      SELECT \(table.label), \(names.joined(separator: ", ")) FROM \(table.name)
      WHERE \(beyond.joined(separator: " OR ")) ORDER BY 1
      """
    ).map { row in
      let place = database.place(table.name, row)
      return columns.enumerated().compactMap { number, column in
        finding(place, column.name, column.quantity, row, number + 1)
      }
    }.flatMap(\.self)
  }

  private func finding(
    _ place: String, _ name: String, _ quantity: Quantity, _ row: SQLiteRow, _ at: Int
  ) -> Finding? {
    guard !row.isNull(at) else { return nil }
    let value = row.isNumber(at) ? row.double(at) : .nan
    if !quantity.possible.contains(value) {
      let expected = Quantity.words(quantity.possible, quantity.unit)
      return error(place, "\(name) is \(row.text(at) ?? ""), not \(expected)")
    }
    guard !quantity.usual.contains(value) else { return nil }
    let expected = Quantity.words(quantity.usual, quantity.unit)
    return warning(place, "\(name) is \(row.text(at) ?? ""); \(expected) is usual")
  }
}

/// Compares the tables, columns and indexes of a database with those that this version builds.
struct DatabaseForms: Rule {
  let name = "database-schema"
  let protects =
    "An app finds every table, column and index that it needs, and runs nothing that was added later."

  /// Unchanged tables of the FAA.
  private static let rawPrefix = "table raw_"

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let expected = try database.form.objects()
    let found = try DatabaseForm.objects(of: database.connection)
    let missing = expected.keys.filter { found[$0] == nil }.sorted().map { "there is no \($0)" }
    // Another version may build more, so only missing objects are reported.
    guard database.metadata["version"] == ToolVersion.version else {
      return missing.map { warning(database.place, "\($0), which this version builds; build it again") }
    }
    let added = found.keys.filter { expected[$0] == nil && !$0.hasPrefix(Self.rawPrefix) }.sorted()
    let changed = expected.filter { name, sql in found[name].map { $0.plain != sql.plain } ?? false }.keys
    let all =
      missing + added.map { "there is an unexpected \($0)" }
      + changed.sorted().map { "the \($0) has other columns or declarations" }
    return all.map { error(database.place, $0 + "; build it again") }
  }
}

extension String {
  /// An SQL statement without comments and line ends.
  fileprivate var plain: String {
    split(separator: "\n").map {
      $0.split(separator: "--", maxSplits: 1, omittingEmptySubsequences: false)[0]
    }
    .joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

/// Finds unknown words for codes of the FAA. The build keeps an unknown code as it is, and an app would show it to the pilot.
struct DatabaseWords: Rule {
  let name = "database-words"
  let protects = "An app understands each word by which it chooses a symbol or a colour."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    // The build's warnings of columns in which too many of the FAA's codes were unknown, flags too.
    let ofBuild = database.metadata.filter { $0.key.hasPrefix("warnings.") }.sorted { $0.key < $1.key }
    return try ofBuild.map { warning(database.place, $0.value) }
      + database.known.flatMap { table in
        try table.columns.filter { !$0.words.isEmpty }.flatMap { try unknown($0, in: table, database) }
      }
  }

  private func unknown(
    _ column: TableSchema.Column, in table: TableSchema, _ database: DatabaseUnderTest
  ) throws -> [Finding] {
    let words = column.words.sorted().map { "'\($0)'" }.joined(separator: ", ")
    return try database.connection.prepare(
      """
      SELECT "\(column.name)", count(*), min(\(table.label)) FROM \(table.name)
      WHERE "\(column.name)" NOT IN (\(words)) GROUP BY 1 ORDER BY 1
      """
    ).map { row in
      let rows = row.int(1) == 1 ? "" : ", and of \(Counts.of(row.int(1) - 1, "row")) more"
      return warning(
        "\(database.place) \(table.name) \(row.text(2) ?? "")",
        "\(column.name) is \"\(row.text(0) ?? "")\"\(rows), an unknown word; if the FAA has a new code, "
          + "add its word to the schema")
    }
  }
}

/// Checks columns that hold JSON arrays.
struct DatabaseLists: Rule {
  let name = "database-lists"
  let protects = "An app that decodes a list, such as the fuels of an airport, does not fail on it."

  private static let lists = [
    (table: "airports", column: "fuelTypes"), (table: "airportDetails", column: "services"),
    (table: "airspaces", column: "times"),
  ]

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let known = try database.known
    let checks = Self.lists.flatMap { name, column in
      known.filter { $0.name == name && $0.has(column) }.map { table in
        RowCheck(
          .error, name, "\(table.label), '\(column) is \"' || substr(\(column), 1, 40) || '\"'",
          where:
            "CASE WHEN json_valid(\(column)) THEN json_type(\(column)) <> 'array' ELSE \(column) IS NOT NULL END",
          "which is not a JSON array")
      }
    }
    return try findings(of: checks, in: database)
  }
}

/// Finds duplicate airports. Of the 19,958 of 2023-04-20 no two have the same position.
struct DatabaseDoubles: Rule {
  let name = "database-doubles"
  let protects = "No airport is listed twice, once with old data."

  /// The FAA may list a closed field together with its successor.
  private static let most = 3

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let doubles = try database.connection.texts(
      """
      SELECT group_concat(icao, ' and ') FROM (SELECT icao, name, type, latitude, longitude FROM airports ORDER BY icao)
      GROUP BY latitude, longitude, name, type HAVING count(*) > 1 ORDER BY 1
      """)
    return doubles.map {
      finding(
        doubles.count > Self.most ? .error : .warning, "\(database.place) airports \($0)",
        "they have the same name and place, so one airport is listed twice")
    }
  }
}

/// Compares the two heights of each obstacle.
struct DatabaseObstacles: Rule {
  let name = "database-obstacles"
  let protects = "The map shows the true height of a tower, and never the elevation of its top as its height."

  /// Feet. Death Valley is at -282.
  private static let lowestGround = -300
  private static let sunkenShare = 0.02
  private static let fewest = 3

  /// Finds obstacles with a foot far below the sea: their heights are exchanged, or in different units.
  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let (all, sunken) =
      try database.connection.prepare(
        "SELECT count(*), coalesce(sum(heightMSL - heightAGL < \(Self.lowestGround)), 0) FROM obstacles"
      ).map { ($0.int(0), $0.int(1)) }.first ?? (0, 0)
    guard sunken >= Self.fewest, Double(sunken) > Self.sunkenShare * Double(all) else { return [] }
    return [
      error(
        "\(database.place) obstacles",
        "\(Counts.grouped(sunken)) of \(Counts.grouped(all)) are on ground more than 300 feet below the sea "
          + "(heightMSL minus heightAGL): the heights are exchanged, or in other units")
    ]
  }
}
