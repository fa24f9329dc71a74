internal import Core
internal import Foundation
internal import SQLiteIO

/// Compares a finished database with the FAA's files that it was made from.
///
/// It reads the files a second time with code of its own. The two sides share only the schema, which declares where the values of each
/// column come from, and the parser of XML.
public struct DatabaseAudit: Sendable {
  let database: URL
  let cycle: AiracCycle
  /// The subscription, its tables, or the Digital Obstacle File.
  let tables: SourceFile
  var classAirspace: SourceFile?
  var specialUse: SourceFile?
  /// Those of the build; nil if they are not known.
  let problems: ProblemReport?
  let jobs: Int

  public func result() throws -> AuditResult {
    let subject = try DatabaseUnderTest(database, place: database.path)
    let parts = try parts(of: subject)
    var result = AuditResult()
    // Tables whose rows others name come first.
    for part in parts where part.isFirst { result += try part.result(subject.connection) }
    try processInOrder(parts.filter { !$0.isFirst }, width: jobs) { [database] part in
      try part.result(SQLiteConnection(database.path, mode: .readOnly))
    } consume: {
      result += $0
    }
    result += try queries(subject)
    result.unaudited = try subject.unaudited
    return result
  }

  /// Compares the stored queries with those of this version.
  private func queries(_ subject: DatabaseUnderTest) throws -> AuditResult {
    let own = subject.kind.queries
    guard !own.isEmpty else { return AuditResult() }
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
    if subject.form.applicationID == ProcedureSchema.form.applicationID {
      let container = try SourceContainer(tables, orFileNamed: ["faacifp18", ".txt"])
      return try ProcedureAudit(container).parts(
        FieldAudit(sources: AuditSources(container, cycle: cycle, problems: problems), selection: nil))
    }
    if subject.kind.mainTable == "charts" {
      let container = try SourceContainer(tables, orFileNamed: [".xml"])
      let sources = try AuditSources(container, cycle: cycle, problems: problems)
      let fields = FieldAudit(sources: sources, selection: nil)
      return [
        AuditPart(tables: ["charts"]) { [tables] in
          let list = try AuditPlateList.file(in: SourceContainer(tables, orFileNamed: [".xml"]))
          return try fields.result(of: .plates, in: list, $0)
        }
      ]
    }
    guard subject.isOfAirports else {
      let container = try SourceContainer(tables, orFileNamed: [".csv", ".dat"])
      let sources = try AuditSources(container, cycle: cycle, problems: problems)
      let fields = FieldAudit(sources: sources, selection: nil)
      return [AuditPart(tables: ["obstacles"]) { try fields.result(of: .obstacles, $0) }]
    }
    let sources = try AuditSources(SourceContainer(tables), cycle: cycle, problems: problems)
    let selection = subject.metadata["tables"].map { Set($0.split(separator: ",").map(String.init)) }
    let fields = FieldAudit(sources: sources, selection: selection)
    let shapes = ShapeAudit(sources: sources, selection: selection)
    return FieldAudit.tables.map { table in
      let name = table.schema.name == "runwayEnds" ? "runways" : table.schema.name
      return AuditPart(tables: [name], isFirst: !table.keys.isEmpty) { try fields.result(of: table, $0) }
    }
      + FrequencyAudit.tables.map { table in
        let audit = FrequencyAudit(sources: sources, selection: selection, table: table)
        return AuditPart(tables: [table.name]) { try audit.result($0) }
      } + [
        AuditPart(tables: DerivedAudit.tables, result: DerivedAudit.result),
        AuditPart(tables: ["boundaries", "miscellaneousAreas"]) { try shapes.result($0) },
      ] + (try airspace(subject))
  }

  /// How far the pipeline of the repository may move a boundary, in metres.
  private static let usualTolerance = 20.0

  /// The parts about airspace; none if the database has no airspace of a kind.
  private func airspace(_ subject: DatabaseUnderTest) throws -> [AuditPart] {
    let metres = subject.metadata["airspace_tolerance"].flatMap(Double.init) ?? Self.usualTolerance
    var parts: [AuditPart] = []
    // Databases of earlier versions do not say what airspace they have.
    let stated = subject.metadata["airspace"]?.split(separator: ",").map(String.init) ?? []
    let kinds = try stated + subject.connection.texts("SELECT DISTINCT kind FROM airspaces")
    if kinds.contains("class") || classAirspace != nil {
      let audit = ClassAirspaceAudit(classAirspace ?? tables, tolerance: metres, problems: problems)
      parts.append(AuditPart(tables: ["airspaces"]) { try audit.result($0) })
    }
    if kinds.contains("specialUse") || specialUse != nil {
      let audit = SpecialUseAudit(
        specialUse ?? tables, isSeparate: specialUse != nil, tolerance: metres, problems: problems)
      let names = ["airspaces", "airspaceTimes", "airspaceFrequencies"]
      parts.append(AuditPart(tables: names) { try audit.result($0) })
    }
    return parts
  }
}

extension DatabaseUnderTest {
  /// The columns and tables that no part of the audit compares with the sources.
  var unaudited: [String] {
    get throws {
      let apart = Set(
        DerivedAudit.columns + ShapeAudit.columns + FrequencyAudit.columns + ProcedureAudit.columns)
      let raw = tables.filter { $0.hasPrefix("raw_") }.sorted()
      return form.tables.flatMap { table -> [String] in
        if table.name == "queries" || table.name.hasPrefix("airspace") { return [] }
        if table.name == "metadata" { return [table.name] }
        return table.columns.filter { column in
          guard case .made = column.origin.relation else { return false }
          return !apart.contains("\(table.name).\(column.name)")
        }.map { "\(table.name).\($0.name)" }
      } + raw
    }
  }
}

extension SourceContainer {
  /// A zip or a folder, or a file with one of these ends.
  fileprivate init(_ source: SourceFile, orFileNamed ends: [String]) throws {
    let isFile = !source.isFolder && ends.contains(where: source.name.lowercased().hasSuffix)
    if isFile { try self.init(file: source.url) } else { try self.init(source) }
  }
}
