internal import Pipeline

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
