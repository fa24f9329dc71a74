/// All that is asked of one app database.
struct DatabaseCheck {
  let database: DatabaseUnderTest

  /// These look at databases of any shape; the others need the tables of `aviation.sqlite`.
  private static let foundations: [any DatabaseRule] = [DatabaseIntegrity(), DatabaseIdentity()]
  private static let contents: [any DatabaseRule] = [
    DatabaseRTree(), DatabaseFTS(), DatabaseRanges(), DatabaseWords(), DatabasePlaces(), DatabaseRunways(),
    DatabaseFrequencies(), DatabaseLandmarks(), DatabaseLinks(), DatabaseQueries(), DatabaseForms(),
    DatabaseLists(), DatabaseDoubles(), DatabaseVariation(), DatabaseStates(), DatabaseColumns(),
  ]

  static var rules: [any Rule] { foundations + contents }

  func findings() throws -> [Finding] {
    let rules = DatabaseCheck.foundations + (database.missingTables.isEmpty ? DatabaseCheck.contents : [])
    return try rules.flatMap { rule in try rule.run(database.place) { try rule.check(database) } }
  }
}
