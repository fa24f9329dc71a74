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

  /// - Parameter known: the tables of the sources.
  init(_ list: AdjacentFile<[Correction]>, for cycle: AiracCycle, tables known: [String]) throws {
    self.list = list
    self.cycle = cycle
    if let lost = list.content.first(where: { !$0.hasEnded(by: cycle) && !known.contains($0.table) }) {
      throw userError("the cycle has no table \(lost.table)", meaning: nearest(to: lost.table, among: known))
    }
  }

  /// Corrects the tables that an archive reads from now on.
  convenience init(
    _ list: AdjacentFile<[Correction]>, for cycle: AiracCycle, of archive: inout SubscriptionArchive
  ) throws {
    // The source of a partial database may lack tables that are corrected.
    let known = archive.tableNames.map { $0.uppercased() } + DatabaseSchema.allSources.map(\.source)
    try self.init(
      list, for: cycle, tables: known + [Frequency.table] + Correction.airspaceTables.sorted())
    archive.correct = { [origin = archive.origin] in try self.correct($0, of: $1, in: origin) }
  }

  /// Whether a correction applies to a table in the cycle.
  func concerns(_ table: String) -> Bool { !active(in: table).isEmpty }

  /// The corrections of a table that apply in the cycle, with their places in the list.
  private func active(in table: String) -> [(offset: Int, element: Correction)] {
    list.content.enumerated().filter { $0.element.table == table && !$0.element.hasEnded(by: cycle) }
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
  ///
  /// - Parameters:
  ///   - file: its name in problems.
  ///   - columns: those of a file without commas, below the names of the columns in its first line, whose number is `line`.
  func correct(
    _ bytes: consuming [UInt8], of table: String, in source: TableSource, file: String? = nil,
    columns: [Range<Int>]? = nil, line: Int = 1
  ) throws -> [UInt8] {
    let own = active(in: table)
    guard !own.isEmpty else { return bytes }
    let file = file ?? table + ".csv"
    let (header, searches) = try bytes.withUnsafeBufferPointer {
      try search(for: own.map(\.element), in: $0, file, columns, line)
    }
    let effect = CorrectionEffect(on: table, columns: columns)
    for (index, search) in zip(own.map(\.offset), searches) {
      if let other = searches.first(where: search.overlaps) {
        throw twice(search.correction, other.correction)
      }
      var outcome = search.outcome
      if let line = search.correctedLine {
        places[index] = CorrectedPlace(search.correction, in: file, at: ["line \(line)"])
        if search.isTaken { flaws[index] = "another row has it" }
        let rows = search.rows(among: searches, in: bytes).map { bytes[header] + [.lineFeed] + $0 }
        if !effect.changesValue(of: search.correction.column, in: rows.map(Array.init), of: source) {
          outcome = CorrectionOutcome(correction: search.correction, ending: .withoutEffect)
        }
      }
      endings[index] = outcome
    }
    return CorrectionSearch.Edit.apply(searches.flatMap(\.edits), to: bytes)
  }

  /// Returns the rows that change, by the rows that they replace.
  func changes(in table: CorrectableRows) throws -> RowChanges {
    let places = Dictionary(grouping: table.rows, by: \.texts).mapValues { Set($0.map(\.place)) }
    var changed: RowChanges = [:]
    for (index, correction) in active(in: table.name) {
      let columns = try correction.columns.map { name in
        guard let place = table.columns.firstIndex(of: name) else {
          throw noColumn(name, in: table.name, among: table.columns)
        }
        return place
      }
      let keys = zip(columns, correction.row.sorted { $0.key < $1.key }.map(\.value))
      let fitting = places.keys.filter { row in keys.allSatisfy { row[$0] == $1 } }
      let column = columns[correction.row.count]
      let found = fitting.first?[column] ?? ""
      let outcome = CorrectionOutcome(
        correction, rows: fitting.count, isWrong: found == correction.faa,
        isRight: found == correction.right, found: found)
      endings[index] = outcome
      guard let row = fitting.first, outcome.ending == .used else { continue }
      let before = changed[row] ?? row
      guard before[column] == found else { throw twice(correction, correction) }
      var after = before
      after[column] = correction.right
      changed[row] = after
      // The three fields of a limit are read together.
      let related = table.columns.filter { $0.prefix(5) == correction.column.prefix(5) }
      self.places[index] = CorrectedPlace(
        correction, in: table.file, at: places[row] ?? [], columns: Set(related))
      if table.values(before) == table.values(after) {
        endings[index] = CorrectionOutcome(correction: correction, ending: .withoutEffect)
      }
    }
    return changed
  }

  /// Takes a problem that a reader found in a corrected table. A problem of a corrected value makes its correction unusable.
  func record(_ problem: RecordProblem) { record { $0.flaw(by: problem) } }

  /// Takes the airports as they are read. A correction that gives two of them one identifier is unusable.
  func record(_ airports: [Airport]) { record { $0.flaw(among: airports) } }

  private func record(_ flaw: (CorrectedPlace) -> String?) {
    for (index, place) in places where flaws[index] == nil { flaws[index] = flaw(place) }
  }

  /// Reads tables. Throws one error that names all corrections whose values the readers rejected, which can be the cause of another
  /// error.
  static func checking<Value>(_ corrections: Corrections?, _ read: () throws -> Value) throws -> Value {
    let result = Result { try read() }
    try corrections?.checkUsable()
    return try result.get()
  }

  /// Reads tables for their outcomes alone. A correction that cannot be used may be the cause of an error.
  static func outcomes(_ corrections: Corrections?, _ read: () throws -> Void) throws -> [CorrectionOutcome] {
    let result = Result { try read() }
    let outcomes = corrections?.outcomes ?? []
    if !outcomes.contains(where: { $0.ending == .unusable }) { try result.get() }
    return outcomes
  }

  private func checkUsable() throws {
    let unusable = outcomes.filter { $0.ending == .unusable }
    guard !unusable.isEmpty else { return }
    throw userError(unusable.map(\.text).joined(separator: "; "), meaning: nil)
  }

  /// Compares all corrections with the FAA's uncorrected rows, so that none changes the rows that another one searches.
  private func search(
    for corrections: [Correction], in bytes: UnsafeBufferPointer<UInt8>, _ file: String,
    _ columns: [Range<Int>]?, _ line: Int
  ) throws -> (header: Range<Int>, searches: [CorrectionSearch]) {
    var scanner = CSVScanner(bytes)
    if line > 1 { scanner.move(to: 0, line: line) }
    var record = CSVRecord()
    guard scanner.next(&record), record.flaw == nil else { return (0..<0, []) }
    scanner.columns = columns
    let range = record.range(in: bytes)
    let header = record.fields.map { CSVValue($0, in: bytes).text.uppercased() }
    var searches = try corrections.map { correction in
      let places = try correction.columns.map { name in
        guard let column = CorrectionColumn(name, in: header) else {
          throw noColumn(name, in: file, among: header)
        }
        return column
      }
      let search = CorrectionSearch(correction, columns: places, widths: columns)
      if let flaw = search.flaw {
        throw userError("\(correction.place): \"\(correction.right)\" \(flaw)", meaning: nil)
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

  private func noColumn(_ name: String, in table: String, among columns: [String]) -> UserError {
    userError("\(table) has no column \(name)", meaning: nearest(to: name, among: columns))
  }

  private func twice(_ one: Correction, _ other: Correction) -> UserError {
    userError("\(one.place) and \(other.place) change one field", meaning: nil)
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
  let file: String
  /// `line 12`; of a row with copies the places of all.
  let places: Set<String>
  /// The column of the correction, and others in which a reader may report its value.
  let columns: Set<String>

  /// - Parameter columns: nil for those of the table's fields; for a hemisphere also the column of its degrees.
  init(_ correction: Correction, in file: String, at places: Set<String>, columns: Set<String>? = nil) {
    (self.correction, self.file, self.places) = (correction, file, places)
    let readings = DatabaseSchema.allSources.filter { $0.source == correction.table }.flatMap(\.fields)
      .map(\.reading)
    let pairs = readings.filter(\.isVariation).map(\.columns).filter { $0.contains(correction.column) }
    self.columns = columns ?? Set([correction.column] + pairs.flatMap(\.self))
  }

  /// The database lacks the value or its row, has an unknown code, or another identifier.
  private static let losses: Set<RecordProblem.Kind> = [
    .rowDropped, .rowOrphaned, .fieldDropped, .unknownCode, .identifierChanged,
  ]

  func flaw(by problem: RecordProblem) -> String? {
    guard CorrectedPlace.losses.contains(problem.kind), problem.file == file else {
      return nil
    }
    if places.contains(problem.place) {
      return problem.column.map(columns.contains) ?? true ? problem.reason : nil
    }
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
