internal import Pipeline

/// What must hold for the database to be worth having; a cycle that fails a gate is not built at all.
struct Gates {
  let gates: NASRDefinition.Gates
  let archive: SubscriptionArchive
  let problems: ProblemLog

  init(_ gates: NASRDefinition.Gates, _ archive: SubscriptionArchive, _ problems: ProblemLog) throws {
    self.gates = gates
    self.archive = archive
    self.problems = problems
    let known = DatabaseSchema.tables.map(\.name)
    if let odd = gates.minimumRows.keys.sorted().first(where: { !known.contains($0) }) {
      throw Fault(
        .badInput, doing: "reading the pipeline", subject: "gates.minimumRows",
        problem: "the database has no table \"\(odd)\"",
        remedy: "Its tables: \(known.joined(separator: ", ")).")
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
    let first = problems.report.examples.first { $0.file == file && $0.kind == .rowDropped }
    let example = first.map {
      "; the first is \($0.place): \($0.column.map { $0 + ": " } ?? "")\($0.reason)"
    }
    throw (source ?? archive).fault(
      "\(tally.droppedRows) of \(tally.rows) rows of \(file) cannot be used\(example ?? "")",
      remedy:
        "Get the file again; if the FAA's data are at fault, raise gates.droppedRowShare for this cycle.",
      causes: [])
  }

  /// Throws when a table of the database came out too short.
  func checkCount(_ count: Int, of table: String, from source: (any TableSource)? = nil) throws {
    guard let least = gates.minimumRows[table], count < least else { return }
    throw (source ?? archive).fault(
      "it gives \(count) rows for the table \(table), where at least \(least) are expected",
      remedy: "Get it again; if the FAA did shorten it, lower gates.minimumRows.", causes: [])
  }
}
