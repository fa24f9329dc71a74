internal import Core

/// Corrects the FAA's tables before they are read, and records the outcome of each correction.
final class Corrections {
  private let list: AdjacentFile<[Correction]>
  private let cycle: AiracCycle
  /// By the correction's place in the list.
  private var endings: [Int: CorrectionOutcome] = [:]
  /// The corrected values, and the first flaw that the readers found in each, by the same.
  private var places: [Int: CorrectedPlace] = [:]
  private var flaws: [Int: String] = [:]

  /// - Parameter tables: those of the cycle.
  init(_ list: AdjacentFile<[Correction]>, for cycle: AiracCycle, tables: [String]) throws {
    self.list = list
    self.cycle = cycle
    // The source of a partial database may lack tables that are corrected.
    let known = tables.map { $0.uppercased() } + DatabaseSchema.allSources.map(\.source) + [Frequency.table]
    if let lost = list.content.first(where: { !$0.hasEnded(by: cycle) && !known.contains($0.table) }) {
      throw userError("the cycle has no table \(lost.table)", meaning: nearest(to: lost.table, among: known))
    }
  }

  /// Corrects the tables that an archive reads from now on.
  convenience init(
    _ list: AdjacentFile<[Correction]>, for cycle: AiracCycle, of archive: inout SubscriptionArchive
  ) throws {
    try self.init(list, for: cycle, tables: archive.tableNames)
    archive.correct = { [origin = archive.origin] in try self.correct($0, of: $1, in: origin) }
  }

  /// The outcomes of all corrections, in the order of the definition. Corrections of a table that was not read are unused.
  var outcomes: [CorrectionOutcome] {
    list.content.enumerated().map { index, correction in
      if let flaw = flaws[index] {
        return CorrectionOutcome(correction: correction, ending: .unusable, reason: flaw)
      }
      let isOver = correction.hasEnded(by: cycle)
      return endings[index] ?? CorrectionOutcome(correction: correction, ending: isOver ? .expired : .unused)
    }
  }

  /// Returns the corrected bytes of a table's file.
  private func correct(
    _ bytes: consuming [UInt8], of table: String, in source: TableSource
  ) throws -> [UInt8] {
    let own = list.content.enumerated().filter {
      $0.element.table == table && !$0.element.hasEnded(by: cycle)
    }
    guard !own.isEmpty else { return bytes }
    let (header, searches) = try bytes.withUnsafeBufferPointer {
      try search(for: own.map(\.element), in: $0, table)
    }
    let effect = CorrectionEffect(on: table)
    for (index, search) in zip(own.map(\.offset), searches) {
      if let other = searches.first(where: search.overlaps) {
        throw userError(
          "\(search.correction.place) and \(other.correction.place) change one field", meaning: nil)
      }
      var outcome = search.outcome
      if let line = search.correctedLine {
        places[index] = CorrectedPlace(search.correction, line: line)
        let rows = search.rows(among: searches, in: bytes).map { bytes[header] + [.lineFeed] + $0 }
        if !effect.changesValue(of: search.correction.column, in: rows.map(Array.init), of: source) {
          outcome = CorrectionOutcome(correction: search.correction, ending: .withoutEffect)
        }
      }
      endings[index] = outcome
    }
    return CorrectionSearch.Edit.apply(searches.flatMap(\.edits), to: bytes)
  }

  /// Takes a problem that a reader found in a corrected table. A problem of a corrected value makes its correction unusable.
  func record(_ problem: RecordProblem) { record { $0.flaw(by: problem) } }

  /// Takes the airports as they are read. A correction that gives two of them one identifier is unusable.
  func record(_ airports: [Airport]) { record { $0.flaw(among: airports) } }

  private func record(_ flaw: (CorrectedPlace) -> String?) {
    for (index, place) in places where flaws[index] == nil { flaws[index] = flaw(place) }
  }

  /// Throws one error that names all corrections whose values the readers rejected.
  func checkUsable() throws {
    let unusable = outcomes.filter { $0.ending == .unusable }
    guard !unusable.isEmpty else { return }
    throw userError(unusable.map(\.text).joined(separator: "; "), meaning: nil)
  }

  /// Compares all corrections with the FAA's uncorrected rows, so that none changes the rows that another one searches.
  private func search(
    for corrections: [Correction], in bytes: UnsafeBufferPointer<UInt8>, _ table: String
  ) throws -> (header: Range<Int>, searches: [CorrectionSearch]) {
    var scanner = CSVScanner(bytes)
    var record = CSVRecord()
    guard scanner.next(&record), record.flaw == nil else { return (0..<0, []) }
    let range = record.range(in: bytes)
    let header = record.fields.map { CSVValue($0, in: bytes).text.uppercased() }
    var searches = try corrections.map { correction in
      let search = CorrectionSearch(
        correction, columns: try correction.columns.map { try column($0, in: header, table) })
      guard search.canBeWritten else {
        throw userError(
          "\(correction.place): \"\(correction.right)\" is no position in degrees", meaning: nil)
      }
      return search
    }
    while scanner.next(&record) {
      guard record.flaw == nil else {
        scanner.resume(afterFirstLineOf: record)
        continue
      }
      guard record.fields.count == header.count else { continue }
      for index in searches.indices { searches[index].visit(record, in: bytes) }
    }
    return (range, searches)
  }

  private func column(_ name: String, in header: [String], _ table: String) throws -> CorrectionColumn {
    if let column = CorrectionColumn(name, in: header) { return column }
    throw userError("\(table).csv has no column \(name)", meaning: nearest(to: name, among: header))
  }

  private func userError(_ problem: String, meaning name: String?) -> UserError {
    UserError(
      .badInput, operation: "correcting the FAA's data by", path: list.file, reason: problem,
      suggestion: name.map { "Did you mean \($0)?" } ?? "Fix the correction, or remove it.")
  }
}

extension Correction {
  fileprivate func hasEnded(by cycle: AiracCycle) -> Bool {
    until.flatMap { AiracCycle(identifier: $0) }.map { $0 < cycle } ?? false
  }
}

/// A corrected value, and the problems of readers that make it unusable.
private struct CorrectedPlace {
  let correction: Correction
  let line: Int
  /// The column of the correction; for a hemisphere also the column of its degrees, where a reader reports both.
  let columns: Set<String>

  init(_ correction: Correction, line: Int) {
    (self.correction, self.line) = (correction, line)
    let readings = DatabaseSchema.allSources.filter { $0.source == correction.table }.flatMap(\.fields)
      .map(\.reading)
    let pairs = readings.filter(\.isVariation).map(\.columns).filter { $0.contains(correction.column) }
    columns = Set([correction.column] + pairs.flatMap(\.self))
  }

  /// The database lacks the value or its row, has an unknown code, or another identifier.
  private static let losses: Set<RecordProblem.Kind> = [
    .rowDropped, .rowOrphaned, .fieldDropped, .unknownCode, .identifierChanged,
  ]

  func flaw(by problem: RecordProblem) -> String? {
    guard CorrectedPlace.losses.contains(problem.kind), problem.file == correction.table + ".csv" else {
      return nil
    }
    if problem.line == line { return problem.column.map(columns.contains) ?? true ? problem.reason : nil }
    // The other row came too late.
    let isOusted =
      [.rowDropped, .identifierChanged].contains(problem.kind) && problem.column == correction.column
      && problem.value == correction.right
    return isOusted ? "another row has it" : nil
  }

  func flaw(among airports: [Airport]) -> String? {
    guard correction.table == Airport.table, ["ARPT_ID", "ICAO_ID"].contains(correction.column) else {
      return nil
    }
    let holders = airports.count { $0.faaID == correction.right || $0.icaoID == correction.right }
    return holders > 1 ? "another airport has it" : nil
  }
}
