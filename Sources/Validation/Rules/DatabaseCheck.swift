internal import Core
internal import Pipeline
internal import Synchronization

/// Applies all rules about databases to one app database.
struct DatabaseCheck {
  /// Opens the database once more; a connection is used by one thread at a time.
  let open: @Sendable () throws -> DatabaseUnderTest
  let jobs: Int

  /// These look at databases of any shape.
  private static let foundations: [any DatabaseRule] = [DatabaseIntegrity(), DatabaseIdentity()]
  /// These need the tables of `aviation.sqlite` or of `obstacles.sqlite`.
  private static let contents: [any DatabaseRule] = [
    DatabaseRTree(), DatabaseRanges(), DatabaseWords(), DatabaseQueries(), DatabaseForms(), DatabaseColumns(),
  ]
  /// These need the tables of `aviation.sqlite`.
  private static let airports: [any DatabaseRule] = [
    DatabaseFTS(), DatabasePlaces(), DatabaseRunways(), DatabaseFrequencies(), DatabaseLandmarks(),
    DatabaseLinks(), DatabaseLists(), DatabaseDoubles(), DatabaseVariation(), DatabaseStates(),
    DatabaseAgreement(),
  ]
  /// These need the table of `obstacles.sqlite`.
  private static let obstacles: [any DatabaseRule] = [DatabaseObstacles()]

  static var rules: [any Rule] { foundations + airports + obstacles + contents }

  /// The rules' findings in the order of the rules, whatever the number of threads.
  func findings(in database: DatabaseUnderTest) throws -> [Finding] {
    let own = database.isOfAirports ? DatabaseCheck.airports : DatabaseCheck.obstacles
    let rules =
      DatabaseCheck.foundations + (database.missingTables.isEmpty ? own + DatabaseCheck.contents : [])
    let width = max(1, min(jobs, rules.count))
    // From the last rule on, which takes longest.
    let left = Mutex(rules.count)
    var found = [[Finding]](repeating: [], count: rules.count)
    try processInOrder(Array(0..<width), width: width) { _ in
      let own = try open()
      var results: [(rule: Int, findings: [Finding])] = []
      while let index = left.withLock({ left in
        left -= 1
        return left < 0 ? nil : left
      }) {
        try CancellationToken.current.check()
        results.append((index, try rules[index].run(own.place) { try rules[index].check(own) }))
      }
      return results
    } consume: { results in
      for result in results { found[result.rule] = result.findings }
    }
    return found.flatMap(\.self)
  }
}

/// All that is asked of what is made of a database: other databases, and JSON documents.
enum ExportCheck {
  private static let integrity: any DatabaseRule = DatabaseIntegrity()
  private static let airports: [any DatabaseRule] = [AirportsSchema(), AirportsValues()]
  private static let identifiers: [any DatabaseRule] = [IdentifierValues()]
  private static let openEFB: [any DatabaseRule] = [
    OpenEFBColumns(), OpenEFBValues(), OpenEFBNested(), OpenEFBIndexes(),
  ]
  private static let lines = LinesParse()

  static var rules: [any Rule] { airports + identifiers + openEFB + [lines] }

  static func findings(inAirports database: DatabaseUnderTest) throws -> [Finding] {
    try findings([integrity] + airports, database)
  }

  static func findings(inIdentifiers database: DatabaseUnderTest) throws -> [Finding] {
    try findings([integrity] + identifiers, database)
  }

  static func findings(inOpenEFB database: DatabaseUnderTest) throws -> [Finding] {
    try findings([integrity] + openEFB, database)
  }

  static func findings(in file: LinesUnderTest) throws -> [Finding] {
    try lines.run(file.place) { try lines.check(file) }
  }

  private static func findings(_ rules: [any DatabaseRule], _ database: DatabaseUnderTest) throws -> [Finding]
  {
    try rules.flatMap { rule in try rule.run(database.place) { try rule.check(database) } }
  }
}
