public import Core

/// Defines a database from a NASR subscription and its exports.
public struct NASRDefinition: DefinitionObject, DatabaseDefinition {
  public var name: String
  public var title: String
  public var cadence: Schedule
  /// `aviation`; the product is `nasr/aviation`, the file `aviation.sqlite`.
  public var id: String
  /// Possible file names of the subscription, best first. `{date}` is `2026-02-19`, `{day_Mon_year}` is
  /// `19_Feb_2026`, `{yymmdd}` is `260219`, all of the cycle's effective day.
  public var sources: [String]
  /// The shapefile of class airspace: in the subscription, or in a zip with one of these names. Without the key, the database
  /// has no class airspace; with it, the shapefile is required.
  public var classAirspace: [String]?
  /// The AIXM of special-use airspace, likewise.
  public var specialUse: [String]?
  /// The tolerance in metres for simplifying airspace boundaries, 0 to 1000; by default 0.
  public var airspaceTolerance: Double?
  /// The tables to fill; by default all. Airports are always filled, and only they are required: a table that the source
  /// lacks stays empty, and no gate checks its rows.
  public var tables: [String]?
  /// Smaller databases from the same source, by their names for `--only`.
  public var parts: [String: Part]?
  /// The addresses of these files, by their names above. The key for a file in a folder is `folder/file`.
  public var urls: [String: SourceAddress]?
  /// Whether each table of the subscription is copied unchanged, such as `raw_APT_ATT`.
  public var rawTables: Bool?
  public var gates: DatabaseGates
  /// Corrections of known errors in the FAA's data: the name of a file beside the definition.
  public var corrections: AdjacentFile<[Correction]>?
  /// Values of airports that a person has checked: the name of a file beside the definition. The build warns of each difference.
  public var known: AdjacentFile<[KnownAirport]>?
  /// The exports of the database.
  public var exports: [ExportDefinition]?

  /// A database of some tables. It needs only the subscription's tables.
  public struct Part: DefinitionObject, Codable, Equatable, Sendable {
    public var tables: [String]
    /// Replaces the definition's sources.
    public var sources: [String]?

    enum CodingKeys: String, DefinitionKey {
      case tables, sources
    }
  }

  /// The definition of a part as a database; nil if there is no such part.
  public func part(_ name: String) -> NASRDefinition? {
    guard let part = parts?[name] else { return nil }
    var definition = self
    definition.tables = part.tables
    definition.sources = part.sources ?? sources
    definition.dropUnusedFiles()
    (definition.parts, definition.exports) = (nil, nil)
    return definition
  }

  /// Drops the files of airspace if its table is not filled.
  private mutating func dropUnusedFiles() {
    if let tables, !tables.contains("airspaces") { (classAirspace, specialUse) = (nil, nil) }
  }

  enum CodingKeys: String, DefinitionKey {
    case name, title, cadence, id, sources, classAirspace, specialUse, airspaceTolerance, tables, parts,
      urls, rawTables, gates, corrections, known, exports
  }

  mutating func check(_ container: KeyedDecodingContainer<CodingKeys>) { dropUnusedFiles() }

  public func sourceNames(for cycle: AiracCycle) -> [String] { origin.names(sources, for: cycle) }

  public var origin: DatabaseOrigin {
    DatabaseOrigin(
      id: id, cadence: cadence, lists: [sources] + [classAirspace, specialUse].compactMap(\.self),
      urls: urls ?? [:])
  }
}

/// Defines a database.
public protocol DatabaseDefinition: Codable, Equatable, Sendable {
  var name: String { get }
  var title: String { get }
  var cadence: Schedule { get }
  var id: String { get }
  /// Possible names of the file, best first.
  var sources: [String] { get }
  /// Where to download the file, by its names.
  var urls: [String: SourceAddress]? { get }
  var gates: DatabaseGates { get }
  var origin: DatabaseOrigin { get }
}

extension DatabaseDefinition {
  /// Of a database that is made from one file.
  public var origin: DatabaseOrigin {
    DatabaseOrigin(id: id, cadence: cadence, lists: [sources], urls: urls ?? [:])
  }
}

/// Defines the obstacle database from the FAA's Digital Obstacle File, and its exports.
public struct ObstacleDefinition: DefinitionObject, DatabaseDefinition {
  public var name: String
  public var title: String
  public var cadence: Schedule
  /// `obstacles`; the product is `obstacles/obstacles`, the file `obstacles.sqlite`.
  public var id: String
  /// Possible file names of the Digital Obstacle File, best first: a zip, `DOF.CSV` or `DOF.DAT`. The words in braces are those
  /// of `NASRDefinition.sources`.
  public var sources: [String]
  /// Where to download these files, by their names above.
  public var urls: [String: SourceAddress]?
  public var gates: DatabaseGates
  /// As in `NASRDefinition`.
  public var corrections: AdjacentFile<[Correction]>?
  /// The exports of the database.
  public var exports: [ExportDefinition]?

  enum CodingKeys: String, DefinitionKey {
    case name, title, cadence, id, sources, urls, gates, corrections, exports
  }

  func check(_ container: KeyedDecodingContainer<CodingKeys>) throws {
    guard (exports ?? []).allSatisfy({ ExportDefinition.formatsOfObstacles.contains($0.format) }) else {
      throw container.fault(.exports, "obstacles are exported as geojson, vectortiles or obstacles only")
    }
  }
}

/// Defines the database of terminal procedures from the FAA's d-TPP, and sets of their PDFs.
public struct PlatesDefinition: DefinitionObject, DatabaseDefinition {
  public var name: String
  public var title: String
  public var cadence: Schedule
  /// `plates`; the product is `dtpp/plates`, the file `plates.sqlite`.
  public var id: String
  /// Possible file names of the list, best first: `d-TPP_Metafile.xml`, or a zip with it.
  public var sources: [String]
  /// Where to download these files, by their names above.
  public var urls: [String: SourceAddress]?
  /// Where to download a PDF.
  public var pdfs: SourceAddress?
  /// File names of zips that may have the PDFs.
  public var archives: [String]?
  /// The states and airports whose PDFs are always made into a set: `CA`, `KSFO`.
  public var sets: [String]?
  public var gates: DatabaseGates

  enum CodingKeys: String, DefinitionKey {
    case name, title, cadence, id, sources, urls, pdfs, archives, sets, gates
  }
}

/// Defines the database of the FAA's coded instrument flight procedures (CIFP).
public struct ProceduresDefinition: DefinitionObject, DatabaseDefinition {
  public var name: String
  public var title: String
  public var cadence: Schedule
  /// `procedures`; the product is `cifp/procedures`, the file `procedures.sqlite`.
  public var id: String
  /// Possible file names, best first: a zip, or `FAACIFP18`.
  public var sources: [String]
  /// Where to download these files, by their names above.
  public var urls: [String: SourceAddress]?
  /// What a wrong checksum is; by default an error.
  public var checksum: ChecksumUse?
  /// Databases from a part of the file, by their names for `--only`.
  public var parts: [String: Part]?
  /// Whether the source is a part of the file.
  public var isPart: Bool?
  public var gates: DatabaseGates
  /// The exports of the database.
  public var exports: [ExportDefinition]?

  public enum ChecksumUse: String, Codable, Sendable {
    case verify, report
  }

  /// A database from a part of the file.
  public struct Part: DefinitionObject, Codable, Equatable, Sendable {
    /// Replaces the definition's sources.
    public var sources: [String]?

    enum CodingKeys: String, DefinitionKey {
      case sources
    }
  }

  enum CodingKeys: String, DefinitionKey {
    case name, title, cadence, id, sources, urls, checksum, parts, isPart, gates, exports
  }

  func check(_ container: KeyedDecodingContainer<CodingKeys>) throws {
    guard (exports ?? []).allSatisfy({ [.geojson, .vectortiles].contains($0.format) }) else {
      throw container.fault(.exports, "procedures are exported as geojson or vectortiles only")
    }
  }

  /// The definition of a part as a database; nil if there is no such part.
  public func part(_ name: String) -> ProceduresDefinition? {
    guard let part = parts?[name] else { return nil }
    var definition = self
    (definition.sources, definition.isPart) = (part.sources ?? sources, true)
    (definition.parts, definition.exports) = (nil, nil)
    return definition
  }
}

/// The conditions that a finished database must meet.
public struct DatabaseGates: DefinitionObject, Codable, Equatable, Sendable {
  /// The share of a table's rows that may be dropped as unusable.
  public var droppedRowShare: Double
  /// The share of a column's values that may be unknown codes or unreadable; by default `defaultUnusableValueShare`.
  public var unusableValueShare: Double?
  /// The minimum number of rows of each table.
  public var minimumRows: [String: Int]
  /// The share of rows that a table may have lost since the last cycle in the site: above `warn`, validation warns; from
  /// `stop`, the database is not staged. The FAA's tables change by a few percent from cycle to cycle.
  public var rowLoss: Product.RowLoss?

  public static let defaultUnusableValueShare = 0.05

  enum CodingKeys: String, DefinitionKey {
    case droppedRowShare, unusableValueShare, minimumRows, rowLoss
  }

  func check(_ container: KeyedDecodingContainer<CodingKeys>) throws {
    for (key, share) in [
      (CodingKeys.droppedRowShare, droppedRowShare as Double?), (.unusableValueShare, unusableValueShare),
    ] {
      guard let share, !(0...1).contains(share) else { continue }
      throw container.fault(key, "\(share) is not a share from 0 to 1")
    }
    for (table, rows) in minimumRows.sorted(by: { $0.key < $1.key }) where rows < 0 {
      throw container.fault(.minimumRows, "\(rows) for \(table) is not a number of rows")
    }
    guard rowLoss?.isSound != false else {
      throw container.fault(.rowLoss, "it has shares from 0 to 1, and warn is not above stop")
    }
  }
}

/// The files of a database's definition.
public struct DatabaseOrigin: Equatable, Sendable {
  /// `aviation`
  public let id: String
  public let cadence: Schedule
  /// File names of the database's sources: one list for each source, best name first.
  public let lists: [[String]]
  /// Where to download the files, by their names in the lists.
  public let urls: [String: SourceAddress]

  /// File names with the cycle's day filled in.
  public func names(_ patterns: [String], for cycle: AiracCycle) -> [String] {
    patterns.map(cycle.effectiveDay.filling)
  }

  /// An address in `urls` for a file that neither the lists nor the exports name.
  func strayURL(_ exports: [ExportDefinition]) -> String? {
    let names = (lists + exports.flatMap(\.lists)).joined()
    return urls.keys.sorted().first { key in
      !names.contains { key == $0 || key.hasPrefix($0 + "/") }
    }
  }
}
