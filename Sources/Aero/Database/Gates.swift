internal import Core
internal import Pipeline

/// What must hold for the database to be worth having; a cycle that fails a gate is not built at all.
struct Gates {
  let gates: DatabaseGates
  /// Named in the errors about a file that has no source of its own.
  let source: any TableSource
  let problems: ProblemLog

  init(
    _ gates: DatabaseGates, _ source: any TableSource, of form: DatabaseForm, _ problems: ProblemLog
  ) throws {
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

  /// So many unusable rows of a table that a cycle may lack altogether are no reason to refuse the cycle: some have few.
  static let spared = 20

  /// Throws when too large a share of a source table's rows could not be used, and more than are spared.
  func checkDropped(_ file: String, of source: (any TableSource)? = nil, sparing spared: Int = 0) throws {
    let tally = problems.tally(file)
    guard tally.rows > 0, tally.droppedRows > spared,
      Double(tally.droppedRows) > gates.droppedRowShare * Double(tally.rows)
    else { return }
    let cause = owners(of: file).lazy.map(problems.tally).first { $0.droppedRows > 0 }
    let text = cause.map {
      "\(droppedText($0)); \(tally.droppedRows) of \(tally.rows) rows of \(file) belong to such rows, or cannot be used themselves"
    }
    throw (source ?? self.source).fault(
      text ?? droppedText(tally),
      remedy:
        "Get the file again; if the FAA's data are at fault, raise gates.droppedRowShare for this cycle.",
      causes: [])
  }

  private func droppedText(_ tally: ProblemReport.Table) -> String {
    let first = problems.report.examples.first { $0.file == tally.file && $0.kind == .rowDropped }
    let example = first.map {
      "; the first is \($0.place): \($0.valueText)\($0.reason)"
    }
    return "\(tally.droppedRows) of \(tally.rows) rows of \(tally.file) cannot be used\(example ?? "")"
  }

  /// Throws when there is no airport, to which most other rows belong.
  func checkAirports(_ count: Int) throws {
    guard count == 0 else { return }
    let tally = problems.tally(Airport.file)
    throw source.fault(
      tally.rows == 0
        ? "\(Airport.file) has no rows below its header, so there are no airports" : droppedText(tally),
      remedy: "Get the subscription again from the FAA.", causes: [])
  }

  /// The files to whose rows those of a file belong, the outermost first: a row dropped there takes these with it.
  private func owners(of file: String) -> [String] {
    switch file {
    case Airport.file: return []
    case Runway.file, Frequency.file: return [Airport.file]
    case RunwayEnd.file: return [Airport.file, Runway.file]
    default:
      let owner = DatabaseSchema.sourceTables.first { $0.source + ".csv" == file }?.owner
      if owner?.isAirport == true { return [Airport.file] }
      let table = DatabaseSchema.sourceTables.first { $0.schema.name == owner?.key?.table }
      return table.map { owners(of: $0.source + ".csv") + [$0.source + ".csv"] } ?? []
    }
  }

  /// Throws when a table of the database came out too short.
  func checkCount(_ count: Int, of table: String) throws {
    guard let least = gates.minimumRows[table], count < least else { return }
    throw source.fault(
      "it gives \(count) rows for the table \(table), where at least \(least) are expected",
      remedy: "Get it again; if the FAA did shorten it, lower gates.minimumRows.", causes: [])
  }
}

extension RecordProblem {
  /// `LAT_MIN "75": `, for the beginning of a reason; nothing where the row as a whole is at fault.
  fileprivate var valueText: String {
    guard let column else { return "" }
    return value.isEmpty ? "\(column): " : "\(column) \"\(value)\": "
  }
}

/// Refuses a cycle in which too many values of one column are unknown codes or cannot be read.
///
/// A column whose codes were all renamed leaves every row usable, so no count of rows shows it.
struct ColumnGate {
  /// Fewer unusable values of a column are at fault only where the column has no other values: some columns have few.
  static let fewest = 24
  /// Fewer values are never at fault.
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
  /// How many rows of a file have a value in a column, or any number above `enough`. It is asked only of columns that may be at fault:
  /// the file is read again.
  let total: (_ column: String, _ file: String, _ enough: Int) throws -> Int

  /// Throws one error that names every column at fault.
  func check() throws {
    let problems = gates.problems
    let findings = try problems.filesWithUnusableValues.flatMap { file in
      try problems.unusableValues(of: file).compactMap { try finding($0, in: file) }
    }
    guard let first = findings.first else { return }
    let areCodes = findings.allSatisfy { $0.values.example.kind == .unknownCode }
    let remedy =
      first.isWholeColumn
      ? "The FAA may have renamed the codes, or the columns are shifted: compare them with docs/FORMATS.md, then use a newer "
        + "chartpipe or add a correction to the definition."
      : "Get the file again\(areCodes ? ", or use a newer chartpipe if the FAA has new codes" : ""); if the FAA's data are at fault, "
        + "raise gates.unusableValueShare for this cycle."
    throw gates.source.fault(findings.map(\.text).joined(separator: "; "), remedy: remedy, causes: [])
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
  /// How many rows of a file have a value in a column. Where its beginning has more than `enough`, the count is that of the beginning:
  /// reading all of a file takes time.
  func values(of column: String, in file: String, enough: Int) throws -> Int {
    let table = String(file.dropLast(4))
    guard file.hasSuffix(".csv"), archive.has(table) else { return problems.tally(file).rows }
    let columns = [WantedColumn(name: column, mayLack: true)]
    let counter = TableReader(archive: archive, cycle: cycle, problems: ProblemLog())
    var count = 0
    let countValue = { (row: SourceRow) in if !row.value(0).isEmpty { count += 1 } }
    if enough < .max {
      // The last row of the beginning is cut off, which does not matter here.
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
