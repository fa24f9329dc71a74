internal import Core

/// Checks the beginning of every table before any work starts, so that one error lists all problems of a source.
struct SourcePreflight {
  /// A table of the source, and the columns that are read.
  private struct Wanted {
    let table: String
    let columns: [WantedColumn]
    /// Whether the database needs it.
    let isNeeded: Bool
  }

  let archive: SubscriptionArchive
  let reader: TableReader
  let gates: Gates
  let selection: TableSelection

  init(_ reader: TableReader, _ gates: Gates, _ selection: TableSelection) {
    archive = reader.archive
    // Problems are thrown, not counted.
    self.reader = TableReader(archive: reader.archive, cycle: reader.cycle, problems: ProblemLog())
    self.gates = gates
    self.selection = selection
  }

  /// All problems of the tables, in the order in which they are read.
  func errors() -> [UserError] {
    wanted.flatMap { wanted -> [UserError] in
      if archive.has(wanted.table) { return errors(of: wanted) }
      return wanted.isNeeded ? [archive.missing(wanted.table)] : []
    }
  }

  private func errors(of wanted: Wanted) -> [UserError] {
    var errors: [UserError] = []
    func collect(_ body: () throws -> Void) {
      do {
        try body()
      } catch let error as UserError {
        if !errors.contains(error) { errors.append(error) }
      } catch {
        // Unusable rows are counted when the table is read.
      }
    }
    collect {
      let bytes = try archive.start(of: wanted.table)
      collect { try reader.checkStart(bytes, wanted.table, wanted.columns, checksDate: false) }
      collect { try reader.checkStart(bytes, wanted.table, [], checksDate: true) }
    }
    return errors
  }

  private var wanted: [Wanted] {
    var all: [Wanted] = []
    func add(_ source: String, _ columns: [WantedColumn], of table: String, isNeeded: Bool) {
      guard selection.includes(table), !all.contains(where: { $0.table == source }) else { return }
      let isExpected = selection.isWhole && (isNeeded || (gates.gates.minimumRows[table] ?? 0) > 0)
      all.append(
        Wanted(table: source, columns: columns, isNeeded: isExpected || source == Airport.table))
    }
    add(Airport.table, Airport.wanted + SourceTable.airports.wanted, of: "airports", isNeeded: true)
    add(Runway.table, Runway.wanted + SourceTable.runways.wanted, of: "runways", isNeeded: true)
    add(RunwayEnd.table, RunwayEnd.wanted + SourceTable.runwayEnds.wanted, of: "runways", isNeeded: true)
    add(Frequency.table, Frequency.wanted, of: "frequencies", isNeeded: true)
    for table in [.weatherStations] + DatabaseSchema.sourceTables {
      add(table.source, table.wanted, of: table.schema.name, isNeeded: !table.mayLack)
    }
    add(BoundaryPoint.table, BoundaryPoint.wanted, of: Boundary.table.schema.name, isNeeded: false)
    return all
  }
}

/// Which tables of the database are filled.
struct TableSelection {
  /// Nil for all of them.
  private let names: Set<String>?

  /// Throws if the database has no table of a name, or if the rows of a table would have no owner.
  init(_ names: [String]?) throws {
    self.names = names.map { Set($0).union([SourceTable.airports.schema.name]) }
    let known = DatabaseSchema.tables.map(\.name).filter { $0 != DatabaseSchema.metadata.name }
    if let odd = names?.first(where: { !known.contains($0) }) {
      throw TableSelection.userError(
        "the database has no table \"\(odd)\"", "Its tables: \(known.joined(separator: ", ")).")
    }
    for table in DatabaseSchema.sourceTables where includes(table.schema.name) {
      guard let owner = table.owner.key?.table, !includes(owner) else { continue }
      throw TableSelection.userError(
        "the rows of \(table.schema.name) belong to those of \(owner), which is not among the tables",
        "Add \"\(owner)\" to the tables.")
    }
  }

  private static func userError(_ problem: String, _ suggestion: String) -> UserError {
    UserError(
      .badInput, operation: "reading the pipeline", path: "tables", reason: problem, suggestion: suggestion)
  }

  var isWhole: Bool { names == nil }

  func includes(_ table: String) -> Bool { names?.contains(table) ?? true }

  /// For the metadata; nil where all tables are filled.
  var text: String? { names.map { $0.sorted().joined(separator: ",") } }
}

extension UserError {
  /// One error that combines several; a single one is returned unchanged.
  static func joining(_ errors: [UserError]) -> UserError? {
    guard let first = errors.first, errors.count > 1 else { return errors.first }
    let suggestions = errors.compactMap(\.suggestion)
    var distinct: [String] = []
    for suggestion in suggestions where !distinct.contains(suggestion) { distinct.append(suggestion) }
    let isOneSource = errors.allSatisfy { $0.path == first.path }
    return UserError(
      first.kind, operation: first.operation, path: first.path,
      reason: "\(errors.count) problems: "
        + errors.map { isOneSource || $0.path == first.path ? $0.reason : $0.line }.joined(
          separator: "; "),
      suggestion: distinct.isEmpty ? nil : distinct.joined(separator: "\n  "))
  }
}
