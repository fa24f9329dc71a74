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
  let reader: TableReader
  let obstacles: ObstacleFile?

  /// Throws one error that names every column at fault.
  func check() throws {
    let problems = reader.problems
    let findings = try problems.filesWithUnusableValues.flatMap { file in
      try problems.unusableValues(of: file).compactMap { try finding($0, in: file) }
    }
    guard let first = findings.first else { return }
    let isObstacles = findings.allSatisfy { $0.values.example.file == obstacles?.name }
    let source: any TableSource = (isObstacles ? obstacles : nil) ?? reader.archive
    let areCodes = findings.allSatisfy { $0.values.example.kind == .unknownCode }
    let remedy =
      first.isWholeColumn
      ? "The FAA may have renamed the codes, or the columns are shifted: compare them with docs/FORMATS.md, then use a newer "
        + "chartpipe or add a correction to the definition."
      : "Get the file again\(areCodes ? ", or use a newer chartpipe if the FAA has new codes" : ""); if the FAA's data are at fault, "
        + "raise gates.unusableValueShare for this cycle."
    throw source.fault(findings.map(\.text).joined(separator: "; "), remedy: remedy, causes: [])
  }

  private func finding(_ values: ProblemLog.UnusableValues, in file: String) throws -> Finding? {
    let isFew = values.rows < ColumnGate.fewest
    guard values.rows >= ColumnGate.fewestOfAll, try !isFew || mayBeAll(values, of: file) else { return nil }
    let finding = Finding(values: values, total: try total(of: values.column, in: file))
    if isFew { return finding.isWholeColumn ? finding : nil }
    let share = gates.gates.unusableValueShare ?? NASRDefinition.Gates.defaultUnusableValueShare
    return finding.isWholeColumn || Double(values.rows) > share * Double(finding.total) ? finding : nil
  }

  /// Whether a few values may be all of their column, as far as the beginning of the file shows: reading all of it takes time.
  private func mayBeAll(_ values: ProblemLog.UnusableValues, of file: String) throws -> Bool {
    let table = String(file.dropLast(4))
    guard file.hasSuffix(".csv"), reader.archive.has(table) else {
      return reader.problems.tally(file).rows < ColumnGate.fewest
    }
    let bytes = try reader.archive.start(of: table)
    var count = 0
    // Its last row is cut off, which does not matter here.
    try? bytes.withUnsafeBufferPointer {
      try TableReader(archive: reader.archive, cycle: reader.cycle, problems: ProblemLog())
        .scan($0, table, [WantedColumn(name: values.column, mayLack: true)]) { row in
          if !row.value(0).isEmpty { count += 1 }
        }
    }
    return count <= values.rows
  }

  /// Counts the values only of columns that may be at fault, by reading their file once more.
  private func total(of column: String, in file: String) throws -> Int {
    let columns = [WantedColumn(name: column, mayLack: true)]
    var count = 0
    let countValue = { (row: SourceRow) in if !row.value(0).isEmpty { count += 1 } }
    if let obstacles, file == obstacles.name {
      var scan = BlockScan(file, of: obstacles, columns, ProblemLog())
      try obstacles.forEachBlock { try scan.read($0, firstLine: $1, countValue) }
      return count
    }
    let table = String(file.dropLast(4))
    guard file.hasSuffix(".csv"), reader.archive.has(table) else { return reader.problems.tally(file).rows }
    try TableReader(archive: reader.archive, cycle: reader.cycle, problems: ProblemLog())
      .scan(table, columns, countValue)
    return count
  }
}
