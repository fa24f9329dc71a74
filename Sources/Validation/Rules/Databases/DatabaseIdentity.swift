internal import Aero
internal import Core
internal import Pipeline
internal import SQLiteIO

/// What the database says of itself: what it is, of which cycle, and how much is in it.
struct DatabaseIdentity: DatabaseRule {
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
      let file = database.isOfAirports ? "aviation.sqlite" : "obstacles.sqlite"
      problems.append("its application_id is not 0x\(String(mark, radix: 16)), the mark of \(file)")
    }
    let version = try database.connection.numbers("PRAGMA user_version").first ?? 0
    if version < 1 { problems.append("its user_version, the version of the schema, is not set") }
    let told = database.metadata["schema_version"]
    if told != "\(version)" {
      problems.append(
        "the metadata's `schema_version` is \(told ?? "missing"), but its user_version is \(version)")
    }
    return problems
  }

  private func dates(_ metadata: [String: String], isOfAirports: Bool) -> [String] {
    guard let text = metadata["cycle"], let cycle = AiracCycle(identifier: text) else {
      return ["the metadata's `cycle` is \(metadata["cycle"] ?? "missing"), which is no cycle"]
    }
    let expected = [
      ("effective", cycle.effective.description), ("expires", cycle.expires(.every28Days).description),
      ("edition", cycle.effectiveDay.description),
    ]
    let slow = [
      ("edition_56_day", cycle.issue(.every56Days).effectiveDay.description),
      ("expires_56_day", cycle.expires(.every56Days).description),
    ]
    return (expected + (isOfAirports ? slow : [])).compactMap { key, date in
      let found = metadata[key]
      guard found != date else { return nil }
      return "the metadata's `\(key)` is \(found ?? "missing"); cycle \(text) needs \(date)"
    }
  }

  /// The FAA dates each airport's row; a row of another cycle was left over.
  private func strayRows(_ database: DatabaseUnderTest) throws -> [String] {
    guard let text = database.metadata["cycle"], let cycle = AiracCycle(identifier: text),
      database.missingTables.isEmpty, database.isOfAirports
    else { return [] }
    let day = cycle.effectiveDay.description
    let stray =
      try database.connection.prepare("SELECT count(*) FROM airports WHERE effectiveDate IS NOT ?")
      .map([.text(day)]) { $0.int(0) }.first ?? 0
    return stray == 0 ? [] : ["\(Counts.of(stray, "airport")) are not of \(day), the day of cycle \(text)"]
  }

  private func counts(_ database: DatabaseUnderTest) throws -> [String] {
    let prefix = "counts."
    let told = database.metadata.keys.filter { $0.hasPrefix(prefix) }.map {
      String($0.dropFirst(prefix.count))
    }
    let known = try database.known.map(\.name).filter { !["metadata", "queries"].contains($0) }
    return try Set(told + known).intersection(database.tables).sorted().compactMap { table in
      let quoted = "\"" + table.replacing("\"", with: "\"\"") + "\""
      let rows = try database.connection.numbers("SELECT count(*) FROM \(quoted)").first ?? 0
      let told = database.metadata[prefix + table]
      // A table that is empty, as nothing was wanted of it, needs no count.
      guard told != "\(rows)", told != nil || rows > 0 else { return nil }
      return "the metadata's `\(prefix)\(table)` is \(told ?? "missing"), but there are \(rows) rows"
    }
  }
}
