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
