public import Core

/// How the app database is made of a NASR subscription, and what else is made of the database.
public struct NASRDefinition: Codable, Equatable, Sendable {
  public var name: String
  public var title: String
  public var cadence: Cadence
  /// `aviation`; the product is `nasr/aviation`, the file `aviation.sqlite`.
  public var id: String
  /// File names under which the subscription may lie, best first. `{date}` is `2026-02-19`, `{day_Mon_year}` is
  /// `19_Feb_2026`, `{yymmdd}` is `260219`, all of the cycle's effective day.
  public var sources: [String]
  /// The shapefile of class airspace: inside the subscription, or a zip of one of these names. Without the key the database
  /// has no class airspace; with it, a cycle without the shapefile is not built.
  public var classAirspace: [String]?
  /// The AIXM of special-use airspace, in the same way.
  public var specialUse: [String]?
  /// How far in metres a boundary of an airspace may be moved to save corners, 0 to 1000; by default not at all.
  public var airspaceTolerance: Double?
  /// Which tables of the database are filled; by default all of them. The airports always are, and are all that must be there: a
  /// table that the source lacks stays empty, and no gate asks for its rows.
  public var tables: [String]?
  /// Smaller databases of the same source, by the names under which `--only` asks for them.
  public var parts: [String: Part]?
  /// Where these files are had from, by their names above. A file of a source that is a folder goes by `folder/file`.
  public var urls: [String: SourceAddress]?
  /// Whether each table of the subscription is carried along as it is, as `raw_APT_ATT`.
  public var rawTables: Bool?
  public var gates: DatabaseGates
  /// Known faults of the FAA's data: the name of a file beside the definition.
  public var corrections: CorrectionList?
  /// What the columns of a good cycle look like: the name of a file beside the definition.
  public var columns: ColumnReference?
  /// What else is made of the database.
  public var exports: [ExportDefinition]?

  /// A database of some tables only. It needs no file besides the subscription's tables.
  public struct Part: Codable, Equatable, Sendable {
    public var tables: [String]
    /// In place of the definition's.
    public var sources: [String]?

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case tables, sources
    }

    public init(from decoder: any Decoder) throws {
      try decoder.refuseKeys(besides: CodingKeys.self)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      tables = try container.decode([String].self, forKey: .tables)
      sources = try container.decodeIfPresent([String].self, forKey: .sources)
    }
  }

  /// The definition of the database of one part; nil where there is no part of this name.
  public func part(_ name: String) -> NASRDefinition? {
    guard let part = parts?[name] else { return nil }
    var definition = self
    definition.tables = part.tables
    definition.sources = part.sources ?? sources
    definition.dropUnusedFiles()
    (definition.parts, definition.exports) = (nil, nil)
    return definition
  }

  /// Airspace is not asked for where its table is not filled.
  private mutating func dropUnusedFiles() {
    if let tables, !tables.contains("airspaces") { (classAirspace, specialUse) = (nil, nil) }
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case name, title, cadence, id, sources, classAirspace, specialUse, airspaceTolerance, tables, parts,
      urls, rawTables, gates, corrections, columns, exports
  }

  public init(from decoder: any Decoder) throws {
    try NASRDefinition.refuseObstacles(decoder)
    try decoder.refuseKeys(besides: CodingKeys.self, [PipelineDefinition.kindKey])
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    title = try container.decode(String.self, forKey: .title)
    cadence = try container.decode(Cadence.self, forKey: .cadence)
    id = try container.decode(String.self, forKey: .id)
    sources = try container.decode([String].self, forKey: .sources)
    classAirspace = try container.decodeIfPresent([String].self, forKey: .classAirspace)
    specialUse = try container.decodeIfPresent([String].self, forKey: .specialUse)
    airspaceTolerance = try container.decodeIfPresent(Double.self, forKey: .airspaceTolerance)
    tables = try container.decodeIfPresent([String].self, forKey: .tables)
    parts = try container.decodeIfPresent([String: Part].self, forKey: .parts)
    urls = try container.decodeIfPresent([String: SourceAddress].self, forKey: .urls)
    rawTables = try container.decodeIfPresent(Bool.self, forKey: .rawTables)
    gates = try container.decode(DatabaseGates.self, forKey: .gates)
    corrections = try container.decodeIfPresent(CorrectionList.self, forKey: .corrections)
    columns = try container.decodeIfPresent(ColumnReference.self, forKey: .columns)
    exports = try container.decodeIfPresent([ExportDefinition].self, forKey: .exports)
    dropUnusedFiles()
  }

  private enum FormerKeys: String, CodingKey {
    case obstacles
  }

  /// Definitions named the obstacle file here once; it would now be left out of the build in silence.
  private static func refuseObstacles(_ decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: FormerKeys.self)
    guard container.contains(.obstacles) else { return }
    throw DecodingError.dataCorruptedError(
      forKey: .obstacles, in: container,
      debugDescription:
        "obstacles are a database of their own: remove this key, the addresses of these files in `urls` and "
        + "`gates.minimumRows.obstacles`, and build the pipeline `obstacles`, or a definition like pipelines/obstacles.json5"
    )
  }

  public func sourceNames(for cycle: AiracCycle) -> [String] { origin.names(sources, for: cycle) }

  public var origin: DatabaseOrigin {
    DatabaseOrigin(
      id: id, cadence: cadence, lists: [sources] + [classAirspace, specialUse].compactMap(\.self),
      urls: urls ?? [:])
  }
}

/// How the obstacle database is made of the FAA's Digital Obstacle File, and what else is made of the database.
public struct ObstacleDefinition: Codable, Equatable, Sendable {
  public var name: String
  public var title: String
  public var cadence: Cadence
  /// `obstacles`; the product is `obstacles/obstacles`, the file `obstacles.sqlite`.
  public var id: String
  /// File names under which the Digital Obstacle File may lie, best first: a zip, `DOF.CSV` or `DOF.DAT`. The words in braces are
  /// those of `NASRDefinition.sources`.
  public var sources: [String]
  /// Where to download these files, by their names above.
  public var urls: [String: SourceAddress]?
  public var gates: DatabaseGates
  /// What the columns of a good cycle look like: the name of a file beside the definition.
  public var columns: ColumnReference?
  /// What else is made of the database.
  public var exports: [ExportDefinition]?

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case name, title, cadence, id, sources, urls, gates, columns, exports
  }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self, [PipelineDefinition.kindKey])
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    title = try container.decode(String.self, forKey: .title)
    cadence = try container.decode(Cadence.self, forKey: .cadence)
    id = try container.decode(String.self, forKey: .id)
    sources = try container.decode([String].self, forKey: .sources)
    urls = try container.decodeIfPresent([String: SourceAddress].self, forKey: .urls)
    gates = try container.decode(DatabaseGates.self, forKey: .gates)
    columns = try container.decodeIfPresent(ColumnReference.self, forKey: .columns)
    exports = try container.decodeIfPresent([ExportDefinition].self, forKey: .exports)
    guard (exports ?? []).allSatisfy({ $0.format == .geojson }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .exports, in: container, debugDescription: "obstacles are exported as geojson only")
    }
  }

  public var origin: DatabaseOrigin {
    DatabaseOrigin(id: id, cadence: cadence, lists: [sources], urls: urls ?? [:])
  }
}

/// What must hold for a database to be worth having.
public struct DatabaseGates: Codable, Equatable, Sendable {
  /// The share of a table's rows that may be dropped as unusable.
  public var droppedRowShare: Double
  /// The share of a column's values that may be unknown codes or unreadable; by default `defaultUnusableValueShare`.
  public var unusableValueShare: Double?
  /// The least number of rows a table of the database may have.
  public var minimumRows: [String: Int]
  /// What share of its rows a table may have lost since the last cycle in the site: above `warn` there is a warning, from `stop`
  /// on the database is not staged. From one cycle to the next the FAA's tables change by some hundredths.
  public var rowLoss: Product.RowLoss?

  public static let defaultUnusableValueShare = 0.05

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case droppedRowShare, unusableValueShare, minimumRows, rowLoss
  }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    droppedRowShare = try container.decode(Double.self, forKey: .droppedRowShare)
    unusableValueShare = try container.decodeIfPresent(Double.self, forKey: .unusableValueShare)
    minimumRows = try container.decode([String: Int].self, forKey: .minimumRows)
    rowLoss = try container.decodeIfPresent(Product.RowLoss.self, forKey: .rowLoss)
    for (key, share) in [
      (CodingKeys.droppedRowShare, droppedRowShare as Double?), (.unusableValueShare, unusableValueShare),
    ] {
      guard let share, !(0...1).contains(share) else { continue }
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: "\(share) is no share: it must be from 0 to 1")
    }
    for (table, rows) in minimumRows.sorted(by: { $0.key < $1.key }) where rows < 0 {
      throw DecodingError.dataCorruptedError(
        forKey: .minimumRows, in: container, debugDescription: "\(rows) for \(table) is no number of rows")
    }
  }
}

/// The part of a database's definition that names its files, whatever kind of database it is.
public struct DatabaseOrigin: Equatable, Sendable {
  /// `aviation`
  public let id: String
  public let cadence: Cadence
  /// File names of the database's sources: one list for each source, best name first.
  public let lists: [[String]]
  /// Where to download the files, by their names in the lists.
  public let urls: [String: SourceAddress]

  /// File names with the cycle's day filled in.
  public func names(_ patterns: [String], for cycle: AiracCycle) -> [String] {
    patterns.map(cycle.effectiveDay.filling)
  }

  /// An address of `urls` whose file is in none of the lists, and in none of the exports' lists.
  func strayURL(_ exports: [ExportDefinition]) -> String? {
    let names = (lists + exports.compactMap(\.world)).joined()
    return urls.keys.sorted().first { key in
      !names.contains { key == $0 || key.hasPrefix($0 + "/") }
    }
  }
}
