public import Core
public import CryptoIO
public import Foundation
internal import SQLiteIO

/// Compares a finished database with the FAA's files that it was made from.
///
/// It reads the files a second time with code of its own. The two sides share only the schema, which declares where the values of each
/// column come from.
public struct DatabaseAudit: Sendable {
  private let database: URL
  private let cycle: AiracCycle
  private let sources: AuditedSources
  /// Those of the build; nil if they are not known.
  private let problems: ProblemReport?
  private let jobs: Int

  public init(
    _ database: URL, cycle: AiracCycle, sources: AuditedSources, problems: ProblemReport?, jobs: Int
  ) {
    (self.database, self.cycle, self.sources) = (database, cycle, sources)
    (self.problems, self.jobs) = (problems, jobs)
  }

  public func outcome() throws -> AuditOutcome {
    let subject = try DatabaseUnderTest(database, place: database.path)
    let parts = try parts(of: subject)
    var outcome = AuditOutcome()
    // Tables whose rows others name come first.
    for part in parts where part.isFirst { outcome.result += try part.result(subject.connection) }
    try processInOrder(parts.filter { !$0.isFirst }, width: jobs) { [database] part in
      try part.result(SQLiteConnection(database.path, mode: .readOnly))
    } consume: {
      outcome.result += $0
    }
    outcome.result += try queries(subject)
    outcome.unaudited = try subject.unaudited
    return outcome
  }

  /// Compares the stored queries with those of this version.
  private func queries(_ subject: DatabaseUnderTest) throws -> AuditResult {
    let own = subject.isOfAirports ? StoredQuery.all : StoredQuery.obstacles
    let found = try subject.connection.prepare("SELECT name, sql, parameters, answer FROM queries").map {
      row in
      (0..<4).map { row.text($0) ?? "" }
    }
    let wanted = own.map { [$0.name, $0.sql, $0.parameters, $0.answer] }
    return Set(found).symmetricDifference(wanted).reduce(into: AuditResult()) { result, query in
      result.add("queries", query[0], "it is not the query of this version")
    }
  }

  func parts(of subject: DatabaseUnderTest) throws -> [AuditPart] {
    guard subject.isOfAirports else {
      let container = try SourceContainer(obstacles: sources.tables)
      let obstacles = ObstacleAudit(try AuditSources(container, cycle: cycle, problems: problems))
      return [AuditPart(["obstacles"]) { try obstacles.result($0) }]
    }
    let tables = try AuditSources(SourceContainer(sources.tables), cycle: cycle, problems: problems)
    let selection = subject.metadata["tables"].map { Set($0.split(separator: ",").map(String.init)) }
    let fields = FieldAudit(tables, selection)
    let shapes = ShapeAudit(tables, selection)
    return FieldAudit.tables.map { table in
      let name = table.schema.name == "runwayEnds" ? "runways" : table.schema.name
      return AuditPart([name], isFirst: !table.keys.isEmpty) { try fields.result(of: table, $0) }
    }
      + FrequencyAudit.tables.map { table in
        AuditPart([table.name]) { try FrequencyAudit(tables, selection, table).result($0) }
      } + [
        AuditPart(["airports", "airwaySegments", "militaryRoutes"]) { try DerivedAudit().result($0) },
        AuditPart(["boundaries", "miscellaneousAreas"]) { try shapes.result($0) },
      ] + (try airspace(subject))
  }

  /// The parts about airspace; none if the database has no airspace of a kind.
  private func airspace(_ subject: DatabaseUnderTest) throws -> [AuditPart] {
    let metres = subject.metadata["airspace_tolerance"].flatMap(Double.init) ?? AirspaceColumns.usualTolerance
    var parts: [AuditPart] = []
    // Databases of earlier versions do not say what airspace they have.
    let stated = subject.metadata["airspace"]?.split(separator: ",").map(String.init) ?? []
    let kinds = try stated + subject.connection.texts("SELECT DISTINCT kind FROM airspaces")
    if kinds.contains("class") || sources.classAirspace != nil {
      let audit = ClassAirspaceAudit(
        sources.classAirspace ?? sources.tables, tolerance: metres, problems: problems)
      parts.append(AuditPart(["airspaces"]) { try audit.result($0) })
    }
    if kinds.contains("specialUse") || sources.specialUse != nil {
      let audit = SpecialUseAudit(
        sources.specialUse ?? sources.tables, isSeparate: sources.specialUse != nil, tolerance: metres,
        problems: problems)
      parts.append(AuditPart(["airspaces", "airspaceTimes", "airspaceFrequencies"]) { try audit.result($0) })
    }
    return parts
  }
}

/// A part of the audit, which reads the database with a connection of its own.
struct AuditPart: Sendable {
  let tables: [String]
  /// Whether other parts need the numbers of its rows.
  let isFirst: Bool
  let result: @Sendable (SQLiteConnection) throws -> AuditResult

  init(
    _ tables: [String], isFirst: Bool = false,
    _ result: @escaping @Sendable (SQLiteConnection) throws -> AuditResult
  ) {
    (self.tables, self.isFirst, self.result) = (tables, isFirst, result)
  }
}

/// The FAA's files of a database.
public struct AuditedSources: Sendable {
  /// The subscription, its tables, or the Digital Obstacle File.
  public var tables: SourceFile
  public var classAirspace: SourceFile?
  public var specialUse: SourceFile?

  public init(_ tables: SourceFile, classAirspace: SourceFile? = nil, specialUse: SourceFile? = nil) {
    (self.tables, self.classAirspace, self.specialUse) = (tables, classAirspace, specialUse)
  }
}

/// The result of an audit.
public struct AuditOutcome: Sendable {
  var result = AuditResult()
  /// The columns and tables that are not compared with the sources.
  var unaudited: [String] = []

  public var values: Int { result.values }
  /// How many differences there are. A row with several of them counts once.
  public var differ: Int { result.differences.count + result.more }

  /// For the description of the product.
  public func evidence(of database: SHA256Hex) -> Product.Audit {
    Product.Audit(sha256: database, values: values, differ: differ, unaudited: unaudited.count)
  }

  /// Throws an error that names some of the differences.
  public func check(_ database: URL) throws {
    guard differ > 0 else { return }
    let shown = result.differences.prefix(5).map { "\($0.place): \($0.text)" }
    let more = differ > shown.count ? "; and \(Counts.grouped(differ - shown.count)) more" : ""
    throw UserError(
      .refused, operation: "auditing the database", path: database.path,
      reason: "it differs from its sources: \(shown.joined(separator: "; "))\(more)",
      suggestion: "Nothing was built from it. Build it again; if that does not help, report it.")
  }
}

extension SourceContainer {
  /// The Digital Obstacle File in a zip or a folder, or the file itself.
  fileprivate init(obstacles source: SourceFile) throws {
    let name = source.name.lowercased()
    let isFile = !source.isFolder && (name.hasSuffix(".csv") || name.hasSuffix(".dat"))
    if isFile { try self.init(file: source.url) } else { try self.init(source) }
  }
}
