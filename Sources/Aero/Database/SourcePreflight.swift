internal import Core

/// Checks the beginning of every table before any work starts, so that one error lists all problems of a source.
struct SourcePreflight {
  /// A table of the source, the columns that are read, and whether the database needs it.
  private typealias Wanted = (table: String, columns: [WantedColumn], isNeeded: Bool)

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

  /// Unusable rows are no errors here: they are counted when the table is read.
  private func errors(of wanted: Wanted) -> [UserError] {
    var errors: [UserError] = []
    var start: [UInt8]?
    try? errors.collect { start = try archive.start(of: wanted.table) }
    guard let start else { return errors }
    try? errors.collect { try reader.checkStart(start, wanted.table, wanted.columns, checksDate: false) }
    try? errors.collect { try reader.checkStart(start, wanted.table, [], checksDate: true) }
    return errors.enumerated().filter { !errors[..<$0].contains($1) }.map(\.element)
  }

  private var wanted: [Wanted] {
    var all: [Wanted] = []
    func add(_ source: String, _ columns: [WantedColumn], of table: String, isNeeded: Bool) {
      guard selection.includes(table), !all.contains(where: { $0.table == source }) else { return }
      let isExpected = selection.isWhole && (isNeeded || (gates.gates.minimumRows[table] ?? 0) > 0)
      all.append((source, columns, isExpected || source == Airport.table))
    }
    add(Airport.table, Airport.wanted + SourceTable.airports.wanted, of: "airports", isNeeded: true)
    for tables in [[SourceTable.runways, .runwayDetails], [.runwayEnds, .runwayEndDetails]] {
      add(tables[0].source, tables.flatMap(\.wanted), of: "runways", isNeeded: true)
    }
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
        + errors.map { isOneSource || $0.path == first.path ? $0.reason : $0.line }.joined(separator: "; "),
      suggestion: distinct.isEmpty ? nil : distinct.joined(separator: "\n  "))
  }
}

/// The dates in a subscription, which have been compared with the cycle before.
extension TableReader {
  func statedDates() throws -> [Product.StatedDate] {
    try archive.statedDates(of: cycle) + Schedule.cadences.compactMap { try firstDate(of: $0) }
  }

  /// The date of the first table of a cadence that has a row: all tables of one cadence have the same date.
  private func firstDate(of cadence: Schedule) throws -> Product.StatedDate? {
    let ours = Set(
      DatabaseSchema.sourceTables.map(\.source) + [
        Airport.table, SourceTable.runways.source, Frequency.table,
      ])
    let names = archive.tableNames.filter { ours.contains($0) && EffectiveDates.cadence(of: $0) == cadence }
    for name in names {
      if let day = try firstDate(in: name) { return Product.StatedDate(in: name + ".csv", from: day) }
    }
    return nil
  }

  private func firstDate(in table: String) throws -> String? {
    let reader = TableReader(archive: archive, cycle: cycle, problems: ProblemLog())
    var day: String?
    try reader.scan(table, [WantedColumn(name: "EFF_DATE")]) { if day == nil { day = $0.date(0) } }
    return day
  }
}

extension SubscriptionArchive {
  /// The dates in the README of a whole subscription, and in the name of its archive of tables.
  fileprivate func statedDates(of cycle: AiracCycle) -> [Product.StatedDate] {
    let day = cycle.effectiveDay
    let names = ["readme.txt", "\(day.dayNameYear)_CSV.zip".lowercased()]
    let dated = container.members.filter { names.contains($0.fileName.lowercased()) }
    return dated.sorted { $0.name < $1.name }.map {
      Product.StatedDate(in: $0.fileName, from: day.description)
    }
  }
}
