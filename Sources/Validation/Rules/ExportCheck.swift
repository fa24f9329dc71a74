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
