/// All that is asked of one app database.
struct DatabaseCheck {
  let database: DatabaseUnderTest

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
  ]
  /// These need the table of `obstacles.sqlite`.
  private static let obstacles: [any DatabaseRule] = [DatabaseObstacles()]

  static var rules: [any Rule] { foundations + contents + airports + obstacles }

  func findings() throws -> [Finding] {
    let own = database.isOfAirports ? DatabaseCheck.airports : DatabaseCheck.obstacles
    let rules =
      DatabaseCheck.foundations + (database.missingTables.isEmpty ? DatabaseCheck.contents + own : [])
    return try rules.flatMap { rule in try rule.run(database.place) { try rule.check(database) } }
  }
}
