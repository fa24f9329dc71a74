/// All rules, by what they look at. The findings of a file are reported in this order.
enum RuleList {
  // MARK: - Tile archives

  /// Rules about the file itself: they need no tiles and no metadata that can be read.
  static let archiveFiles: [any Rule<ArchiveUnderTest>] = [
    ArchiveIntegrity(), ArchiveSchema(), PMTilesStructure(),
  ]
  /// Rules about an archive as a whole.
  static let archives: [any Rule<ArchiveUnderTest>] = [
    ArchiveMetadataRule(), ArchiveEdition(), NeatlinePixels(),
  ]
  /// Rules about single tiles, which share one pass over the archive.
  static let tiles: [any Rule<ArchiveUnderTest>] = [
    TilesDecode(), TilesHaveParents(), TilesAgree(), TilesSharp(), TilesShowSheet(), TileHashRule(),
    TilesInsideBounds(),
  ]
  /// The same for an archive of vector tiles. It may begin at any zoom and have a tile without a parent, since small features are
  /// left out at low zooms.
  static let vectorTiles: [any Rule<ArchiveUnderTest>] = [VectorTilesDecode(), TileHashRule()]

  // MARK: - Databases

  /// Rules about databases with any tables.
  static let databaseFiles: [any Rule<DatabaseUnderTest>] = [DatabaseIntegrity(), DatabaseIdentity()]
  /// Rules about the tables of `aviation.sqlite`: airports, runways, frequencies, navaids, airspace.
  static let aviation: [any Rule<DatabaseUnderTest>] = [
    DatabaseFTS(), DatabasePlaces(), DatabaseRunways(), DatabaseFrequencies(), DatabaseLandmarks(),
    DatabaseLinks(), DatabaseLists(), DatabaseDoubles(), DatabaseVariation(),
    DatabaseAgreement(),
  ]
  /// Rules about the table of `obstacles.sqlite`.
  static let obstacles: [any Rule<DatabaseUnderTest>] = [DatabaseObstacles()]
  /// Rules about sets of PDFs.
  static let plateSets: [any Rule<DatabaseUnderTest>] = [PlateContents()]
  /// Rules about the tables of `procedures.sqlite`.
  static let procedures: [any Rule<DatabaseUnderTest>] = [
    ProcedureLegs(), ProcedureGeometry(), ProcedureAirspace(), ProcedureCoverage(),
  ]
  /// Rules about the tables of all databases.
  static let tables: [any Rule<DatabaseUnderTest>] = [
    DatabaseRTree(), DatabaseRanges(), DatabaseWords(), DatabaseQueries(), DatabaseForms(), AuditRule(),
  ]

  /// The rules about the tables of a kind of database.
  static func rules(of kind: DatabaseUnderTest.Kind) -> [any Rule<DatabaseUnderTest>] {
    switch kind.mainTable {
    case "airports": aviation + tables
    case "obstacles": obstacles + tables
    case "pdfs": plateSets
    case "legs": procedures + tables
    default: tables
    }
  }

  // MARK: - Exports

  static let airportExports: [any Rule<DatabaseUnderTest>] = [ExportSchema.airports, AirportsValues()]
  static let identifierExports: [any Rule<DatabaseUnderTest>] = [IdentifierValues()]
  static let openEFBExports: [any Rule<DatabaseUnderTest>] = [
    ExportSchema.openEFB, OpenEFBValues(), OpenEFBNested(), OpenEFBIndexes(),
  ]
  static let documents: [any Rule<LinesUnderTest>] = [LinesParse()]

  // MARK: - Products and cycles

  /// Rules about a product's description, compared with its files and with its cycle.
  static let datedProducts: [any Rule<ProductUnderTest>] = [ProductHash(), ProductDates(), SourceDates()]
  /// Rules about a product's description, compared with its files. They see a product without a cycle, since their result is the
  /// same in all cycles of an edition.
  static let products: [any Rule<ProductUnderTest>] = [
    ProductBounds(), ProductTileSize(), ProductArchives(), NeatlineCut(), SheetEvidenceRule(), SheetBlanks(),
    PlaceControl(), PlaceGraticule(), TilesInks(), PlaceSamples(),
  ]
  /// Rules about the databases and exports of a cycle, compared with each other and with those of earlier cycles. They see no
  /// chart, so a changed chart does not repeat them.
  static let databaseCycles: [any Rule<CycleUnderTest>] = [
    DatabaseRows(), TablesVanished(), ColumnsChanged(), AirportsMoved(), RowsVanished.airports,
    RowsVanished.airspaces, ExportsAgree(), ProcedurePlaces(),
  ]
  /// Rules about one chart of a cycle and the cycle's databases. They see no other chart, so a changed chart does not repeat them
  /// for the others.
  static let chartCycles: [any Rule<CycleUnderTest>] = [PlaceAirports()]
  /// Rules about all products of a cycle. A rule sees the facts that the rules before it measured.
  static let cycles: [any Rule<CycleUnderTest>] = [
    CycleUnmixed(), NeatlineDrift(), TilesChanged(), AreasChanged(), SourceStale(), ChartsVanished(),
    ChartsCover(), ProductSize(),
    PlaceEvidence(), AirportsOnCharts(),
  ]

  /// The rule of files that cannot be opened or read, which no other rule can check.
  static let readable = (
    name: "readable", protects: "An app never downloads a file that it cannot open."
  )

  static var all: [(name: String, protects: String)] {
    let archives: [any Rule] = archiveFiles + archives + tiles + [VectorTilesDecode()]
    let databases: [any Rule] = databaseFiles + aviation + obstacles + plateSets + procedures + tables
    let exports: [any Rule] = airportExports + identifierExports + openEFBExports + documents
    let ofCycles = databaseCycles + chartCycles + cycles
    let rules = archives + databases + exports + datedProducts + products + ofCycles
    return [readable] + rules.map { ($0.name, $0.protects) }
  }
}
