internal import Core
internal import Pipeline

/// Looks at the beginning of every table before any work starts, so that one error names all that is wrong with a source.
struct SourcePreflight {
  /// A table of the source, and what is read of it.
  private struct Wanted {
    let table: String
    let columns: [WantedColumn]
    /// Whether there is no database without it.
    let isNeeded: Bool
  }

  let archive: SubscriptionArchive
  let reader: TableReader
  let gates: Gates
  let selection: TableSelection

  init(_ reader: TableReader, _ gates: Gates, _ selection: TableSelection) {
    archive = reader.archive
    // What it finds is thrown, and not counted.
    self.reader = TableReader(archive: reader.archive, cycle: reader.cycle, problems: ProblemLog())
    self.gates = gates
    self.selection = selection
  }

  /// Everything that is wrong with the tables, in the order in which they are read.
  func faults() -> [UserError] {
    wanted.flatMap { wanted -> [UserError] in
      if archive.has(wanted.table) { return faults(of: wanted) }
      return wanted.isNeeded ? [archive.missing(wanted.table)] : []
    }
  }

  private func faults(of wanted: Wanted) -> [UserError] {
    var faults: [UserError] = []
    func collect(_ body: () throws -> Void) {
      do {
        try body()
      } catch let fault as UserError {
        if !faults.contains(fault) { faults.append(fault) }
      } catch {
        // A row that cannot be used is counted when the table is read.
      }
    }
    collect {
      let bytes = try archive.start(of: wanted.table)
      collect { try reader.checkStart(bytes, wanted.table, wanted.columns, checksDate: false) }
      collect { try reader.checkStart(bytes, wanted.table, [], checksDate: true) }
    }
    return faults
  }

  private var wanted: [Wanted] {
    var all: [Wanted] = []
    func add(_ source: String, _ columns: [WantedColumn], of table: String, isNeeded: Bool) {
      guard selection.includes(table), !all.contains(where: { $0.table == source }) else { return }
      let isExpected = selection.isWhole && (isNeeded || (gates.gates.minimumRows[table] ?? 0) > 0)
      all.append(
        Wanted(table: source, columns: columns, isNeeded: isExpected || source == Airport.table))
    }
    add(
      Airport.table, columns(of: Airport.self) + SourceTable.airports.fields.wanted, of: "airports",
      isNeeded: true)
    add(
      Runway.table, columns(of: Runway.self) + (RunwayFields.own + RunwayFields.reciprocal).wanted,
      of: "runways",
      isNeeded: true)
    add(
      RunwayEnd.table, columns(of: RunwayEnd.self) + RunwayFields.end("baseEnd").wanted, of: "runways",
      isNeeded: true)
    add(Frequency.table, columns(of: Frequency.self), of: "frequencies", isNeeded: true)
    add(WeatherStation.table, columns(of: WeatherStation.self), of: "weatherStations", isNeeded: false)
    for table in DatabaseSchema.sourceTables {
      add(table.source, table.wanted, of: table.schema.name, isNeeded: !table.mayLack)
    }
    add(BoundaryPoint.table, columns(of: BoundaryPoint.self), of: BoundaryTable.schema.name, isNeeded: false)
    return all
  }

  private func columns<Record: NASRRecord>(of type: Record.Type) -> [WantedColumn] {
    Record.Column.allCases.map { WantedColumn(name: $0.name, mayLack: Record.Column.optional.contains($0)) }
  }
}

/// Which tables of the database are filled.
struct TableSelection {
  /// Nil for all of them.
  private let names: Set<String>?

  /// Throws where a name is none of the database's, or where the rows of a table would have nothing to belong to.
  init(_ names: [String]?) throws {
    self.names = names.map { Set($0).union([AirportSchema.airports.name]) }
    let known = DatabaseSchema.tables.map(\.name).filter { $0 != DatabaseSchema.metadata.name }
    if let odd = names?.first(where: { !known.contains($0) }) {
      throw TableSelection.fault(
        "the database has no table \"\(odd)\"", "Its tables: \(known.joined(separator: ", ")).")
    }
    for table in DatabaseSchema.sourceTables where includes(table.schema.name) {
      guard let owner = table.owner.key?.table, !includes(owner) else { continue }
      throw TableSelection.fault(
        "the rows of \(table.schema.name) belong to those of \(owner), which is not among the tables",
        "Add \"\(owner)\" to the tables.")
    }
  }

  private static func fault(_ problem: String, _ remedy: String) -> UserError {
    UserError(
      .badInput, operation: "reading the pipeline", path: "tables", reason: problem, suggestion: remedy)
  }

  var isWhole: Bool { names == nil }

  func includes(_ table: String) -> Bool { names?.contains(table) ?? true }

  /// For the metadata; nil where all tables are filled.
  var text: String? { names.map { $0.sorted().joined(separator: ",") } }
}

extension UserError {
  /// One fault that combines several about one source; a single one is left as it is.
  static func joining(_ faults: [UserError]) -> UserError? {
    guard let first = faults.first, faults.count > 1 else { return faults.first }
    let remedies = faults.compactMap(\.suggestion)
    var distinct: [String] = []
    for remedy in remedies where !distinct.contains(remedy) { distinct.append(remedy) }
    let isOneSource = faults.allSatisfy { $0.path == first.path }
    return UserError(
      first.kind, operation: first.operation, path: first.path,
      reason: "\(faults.count) problems: "
        + faults.map { isOneSource || $0.path == first.path ? $0.reason : $0.line }.joined(
          separator: "; "),
      suggestion: distinct.isEmpty ? nil : distinct.joined(separator: "\n  "))
  }
}
