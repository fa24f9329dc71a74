public import Airac

/// How the app database is made of a NASR subscription, and what else is made of the database.
public struct NASRDefinition: Codable, Equatable, Sendable {
  public var name: String
  public var title: String
  public var cadence: Cadence
  /// `aviation`; the product is `nasr/aviation`, the file `aviation.sqlite`.
  public var id: String
  /// File names under which the subscription may lie, best first. `{date}` is `2026-02-19`, `{day_Mon_year}` is
  /// `19_Feb_2026`, `{yymmdd}` is `260219`, all of the cycle's effective day; `{dof_yymmdd}` is the Sunday of the obstacle file.
  public var sources: [String]
  /// The shapefile of class airspace: inside the subscription, or a zip of one of these names. Without the key the database
  /// has no class airspace; with it, a cycle without the shapefile is not built.
  public var classAirspace: [String]?
  /// The AIXM of special-use airspace, in the same way.
  public var specialUse: [String]?
  /// How far in metres a boundary of an airspace may be moved to save corners, 0 to 1000; by default not at all.
  public var airspaceTolerance: Double?
  /// The Digital Obstacle File, a zip or the CSV file; it is never inside the subscription.
  public var obstacles: [String]?
  /// Which tables of the database are filled; by default all of them. The airports always are, and are all that must be there: a
  /// table that the source lacks stays empty, and no gate asks for its rows.
  public var tables: [String]?
  /// Smaller databases of the same source, by the names under which `--only` asks for them.
  public var parts: [String: Part]?
  /// Where these files are had from, by their names above. A file of a source that is a folder goes by `folder/file`.
  public var urls: [String: SourceAddress]?
  /// Whether each table of the subscription is carried along as it is, as `raw_APT_ATT`.
  public var rawTables: Bool?
  public var gates: Gates
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

  /// Obstacles and airspace are not asked for where their tables are not filled.
  private mutating func dropUnusedFiles() {
    guard let tables else { return }
    if !tables.contains("obstacles") { obstacles = nil }
    if !tables.contains("airspaces") { (classAirspace, specialUse) = (nil, nil) }
  }

  /// What must hold for the database to be worth having.
  public struct Gates: Codable, Equatable, Sendable {
    /// The share of a table's rows that may be dropped as unusable.
    public var droppedRowShare: Double
    /// The share of a column's values that may be unknown codes or unreadable; by default `defaultUnusableValueShare`.
    public var unusableValueShare: Double?
    /// The least number of rows a table of the database may have.
    public var minimumRows: [String: Int]
    /// What share of its rows a table may have lost since the last cycle in the site: more than `warn` is told, `stop` or more
    /// is not staged. From one cycle to the next the FAA's tables change by some hundredths.
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

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case name, title, cadence, id, sources, classAirspace, specialUse, airspaceTolerance, obstacles, tables,
      parts, urls, rawTables, gates, corrections, columns, exports
  }

  public init(from decoder: any Decoder) throws {
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
    obstacles = try container.decodeIfPresent([String].self, forKey: .obstacles)
    tables = try container.decodeIfPresent([String].self, forKey: .tables)
    parts = try container.decodeIfPresent([String: Part].self, forKey: .parts)
    urls = try container.decodeIfPresent([String: SourceAddress].self, forKey: .urls)
    rawTables = try container.decodeIfPresent(Bool.self, forKey: .rawTables)
    gates = try container.decode(Gates.self, forKey: .gates)
    corrections = try container.decodeIfPresent(CorrectionList.self, forKey: .corrections)
    columns = try container.decodeIfPresent(ColumnReference.self, forKey: .columns)
    exports = try container.decodeIfPresent([ExportDefinition].self, forKey: .exports)
    dropUnusedFiles()
  }

  /// A file that nobody asks for was misspelt.
  var strayURL: String? {
    let names = lists.joined()
    return (urls ?? [:]).keys.sorted().first { key in
      !names.contains { key == $0 || key.hasPrefix($0 + "/") }
    }
  }

  public func sourceNames(for cycle: AiracCycle) -> [String] { names(sources, for: cycle) }

  /// The lists of names under which its files, and those of its exports, may lie.
  public var lists: [[String]] {
    [sources, classAirspace, specialUse, obstacles].compactMap(\.self) + (exports ?? []).compactMap(\.world)
  }

  /// File names with the cycle's day filled in.
  public func names(_ patterns: [String], for cycle: AiracCycle) -> [String] {
    patterns.map(cycle.effectiveDay.filling)
  }
}
