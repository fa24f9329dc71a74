internal import Core

/// The checks that a cycle must pass; otherwise no database is built.
struct Gates {
  let gates: DatabaseGates
  /// The source that errors name, unless a file comes from another one.
  let source: TableSource
  let problems: ProblemLog

  init(_ gates: DatabaseGates, _ source: TableSource, of form: DatabaseForm, _ problems: ProblemLog) throws {
    self.gates = gates
    self.source = source
    self.problems = problems
    let known = form.tables.map(\.name)
    if let odd = gates.minimumRows.keys.sorted().first(where: { !known.contains($0) }) {
      throw UserError(
        .badInput, operation: "reading the pipeline", path: "gates.minimumRows",
        reason: "the database has no table \"\(odd)\"",
        suggestion: "Its tables: \(known.joined(separator: ", ")).")
    }
  }

  /// The number of unusable rows that is accepted for a table that a cycle may lack: some have few rows.
  static let spared = 20

  /// Throws if too large a share of a source table's rows was dropped, and more than `spared`.
  func checkDropped(_ file: String, of source: TableSource? = nil, sparing spared: Int = 0) throws {
    let tally = problems.tally(file)
    guard tally.rows > 0, tally.droppedRows > spared,
      Double(tally.droppedRows) > gates.droppedRowShare * Double(tally.rows)
    else { return }
    let cause = owners(of: file).lazy.map(problems.tally).first { $0.droppedRows > 0 }
    let text = cause.map {
      "\(droppedText($0)); \(tally.droppedRows) of \(tally.rows) rows of \(file) belong to such rows, or cannot be used themselves"
    }
    throw (source ?? self.source).error(
      text ?? droppedText(tally),
      suggestion:
        "Get the file again; if the FAA's data are at fault, raise gates.droppedRowShare for this cycle.")
  }

  private func droppedText(_ tally: ProblemReport.Table) -> String {
    let first = problems.report.examples.first { $0.file == tally.file && $0.kind == .rowDropped }
    let example = first.map {
      "; the first is \($0.place): \($0.valueText)\($0.reason)"
    }
    return "\(tally.droppedRows) of \(tally.rows) rows of \(tally.file) cannot be used\(example ?? "")"
  }

  /// Throws if there is no airport; most other rows belong to one.
  func checkAirports(_ count: Int) throws {
    guard count == 0 else { return }
    let tally = problems.tally(Airport.file)
    throw source.error(
      tally.rows == 0
        ? "\(Airport.file) has no rows below its header, so there are no airports" : droppedText(tally),
      suggestion: "Get the subscription again from the FAA.")
  }

  /// The files with the owners of a file's rows, the outermost first. A dropped owner drops its rows too.
  private func owners(of file: String) -> [String] {
    switch file {
    case Airport.file: return []
    case SourceTable.runways.file, Frequency.file: return [Airport.file]
    case SourceTable.runwayEnds.file: return [Airport.file, SourceTable.runways.file]
    default:
      let owner = DatabaseSchema.sourceTables.first { $0.file == file }?.owner
      if owner?.isAirport == true { return [Airport.file] }
      let table = DatabaseSchema.sourceTables.first { $0.schema.name == owner?.key?.table }
      return table.map { owners(of: $0.file) + [$0.file] } ?? []
    }
  }

  /// Throws one error that lists all problems of a file as a whole.
  ///
  /// - Parameters:
  ///   - rows: of each table.
  ///   - values: how many rows have a value in a column.
  func check(_ file: String, rows: [String: Int], values: @escaping (_ column: String) throws -> Int)
    throws
  {
    var errors: [UserError] = []
    try errors.collect { try checkDropped(file) }
    for (table, rows) in rows.sorted(by: { $0.key < $1.key }) {
      try errors.collect { try checkCount(rows, of: table) }
    }
    try errors.collect { _ = try ColumnGate(gates: self) { column, _, _ in try values(column) }.check() }
    if let error = UserError.joining(errors) { throw error }
  }

  /// Throws if a table of the database has too few rows.
  func checkCount(_ count: Int, of table: String) throws {
    guard let least = gates.minimumRows[table], count < least else { return }
    throw source.error(
      "it gives \(count) rows for the table \(table), where at least \(least) are expected",
      suggestion: "Get it again; if the FAA did shorten it, lower gates.minimumRows.")
  }
}

extension RecordProblem {
  /// `LAT_MIN "75": ` before a reason; empty if the problem concerns the whole row.
  fileprivate var valueText: String {
    guard let column else { return "" }
    return value.isEmpty ? "\(column): " : "\(column) \"\(value)\": "
  }
}

/// Rejects a cycle in which too many values of one column are unknown codes or cannot be read.
///
/// If the FAA renames all codes of a column, every row stays usable, so the counts of rows do not show it. A column that a cycle may
/// lack stops no build: too many unusable values in it are a warning.
struct ColumnGate {
  /// Fewer unusable values are rejected only if the column has no other values: some columns have few.
  static let fewest = 24
  /// Fewer values are never rejected.
  static let fewestOfAll = 5

  private struct Finding {
    let values: ProblemLog.UnusableValues
    /// How many rows have a value in the column.
    let total: Int

    var isWholeColumn: Bool { values.rows >= total }

    var text: String {
      let example = values.example
      let column = "\(example.file): column \(values.column)"
      let head =
        isWholeColumn
        ? "\(column): none of the \(values.rows) values is known"
        : "\(column): \(values.rows) of \(total) values are unknown or cannot be read"
      return "\(head), such as \"\(example.value)\" in \(example.place) (\(example.reason))"
    }
  }

  let gates: Gates
  /// How many rows of a file have a value in a column, or any number above `enough`. It reads the file again, so it is called only for
  /// columns that may be rejected.
  let total: (_ column: String, _ file: String, _ enough: Int) throws -> Int

  /// Throws one error that names every rejected column. Returns a warning about each of the others.
  func check() throws -> [String] {
    let problems = gates.problems
    let findings = try problems.filesWithUnusableValues.flatMap { file in
      try problems.unusableValues(of: file).compactMap { try finding($0, in: file) }
    }
    let rejected = findings.filter(isRejected)
    guard let first = rejected.first else {
      return findings.map { "\($0.text): the database has no known value there" }
    }
    let areCodes = rejected.allSatisfy { $0.values.example.kind == .unknownCode }
    let suggestion =
      first.isWholeColumn
      ? "The FAA may have renamed the codes, or the columns are shifted: compare them with docs/formats/aviation-tables.md, then use a newer "
        + "chartpipe or add a correction to the definition."
      : "Get the file again\(areCodes ? ", or use a newer chartpipe if the FAA has new codes" : ""); if the FAA's data are at fault, "
        + "raise gates.unusableValueShare for this cycle."
    throw gates.source.error(rejected.map(\.text).joined(separator: "; "), suggestion: suggestion)
  }

  private func isRejected(_ finding: Finding) -> Bool {
    let (file, column) = (finding.values.example.file, finding.values.column)
    let tables = DatabaseSchema.allSources.filter { $0.file == file }
    let fields = tables.flatMap(\.fields).filter { $0.reading.columns.contains(column) }
    guard fields.isEmpty || !fields.allSatisfy(\.mayLack) else { return false }
    // A table that a cycle may lack may also lack a part of a column.
    return tables.isEmpty || !tables.allSatisfy(\.mayLack) || 2 * finding.values.rows > finding.total
  }

  private func finding(_ values: ProblemLog.UnusableValues, in file: String) throws -> Finding? {
    let isFew = values.rows < ColumnGate.fewest
    guard values.rows >= ColumnGate.fewestOfAll else { return nil }
    let total = try total(values.column, file, isFew ? values.rows : .max)
    let finding = Finding(values: values, total: total)
    if isFew { return finding.isWholeColumn ? finding : nil }
    let share = gates.gates.unusableValueShare ?? DatabaseGates.defaultUnusableValueShare
    return finding.isWholeColumn || Double(values.rows) > share * Double(finding.total) ? finding : nil
  }
}

extension TableReader {
  /// How many rows of a file have a value in a column. If the beginning of the file has more than `enough`, the rest is not read.
  func values(of column: String, in file: String, enough: Int) throws -> Int {
    let table = String(file.dropLast(4))
    guard file.hasSuffix(".csv"), archive.has(table) else { return problems.tally(file).rows }
    let columns = [WantedColumn(name: column, mayLack: true)]
    let counter = TableReader(archive: archive, cycle: cycle, problems: ProblemLog())
    var count = 0
    let countValue = { (row: SourceRow) in if !row.value(0).isEmpty { count += 1 } }
    if enough < .max {
      // The last row of the beginning is cut off, so the scan may throw.
      try? archive.start(of: table).withUnsafeBufferPointer {
        try counter.scan($0, table, columns, countValue)
      }
      guard count <= enough else { return count }
      count = 0
    }
    try counter.scan(table, columns, countValue)
    return count
  }
}
