internal import Core
internal import Pipeline
internal import Synchronization

/// Corrects the FAA's tables before they are read, and records the outcome of each correction.
final class Corrections: Sendable {
  private let list: CorrectionList
  private let cycle: AiracCycle
  /// By the correction's place in the list.
  private let endings = Mutex<[Int: CorrectionOutcome]>([:])
  private let places = Mutex(CorrectedPlaces())

  /// - Parameter tables: those of the cycle.
  init(_ list: CorrectionList, for cycle: AiracCycle, tables: [String]) throws {
    self.list = list
    self.cycle = cycle
    let known = tables.map { $0.uppercased() }
    if let lost = list.corrections.first(where: { !$0.hasEnded(by: cycle) && !known.contains($0.table) }) {
      throw userError("the cycle has no table \(lost.table)", meaning: nearest(to: lost.table, among: known))
    }
  }

  /// The outcomes of all corrections, in the order of the definition. Corrections of a table that was not read are unused.
  var outcomes: [CorrectionOutcome] {
    let endings = endings.withLock(\.self)
    let flaws = places.withLock(\.flaws)
    return list.corrections.enumerated().map { index, correction in
      if let flaw = flaws[index] {
        return CorrectionOutcome(correction: correction, ending: .unusable, reason: flaw)
      }
      let isOver = correction.hasEnded(by: cycle)
      return endings[index] ?? CorrectionOutcome(correction: correction, ending: isOver ? .expired : .unused)
    }
  }

  /// Returns the corrected bytes of a table's file.
  func correct(_ bytes: consuming [UInt8], of table: String) throws -> [UInt8] {
    let own = list.corrections.enumerated().filter {
      $0.element.table == table && !$0.element.hasEnded(by: cycle)
    }
    guard !own.isEmpty else { return bytes }
    let searches = try bytes.withUnsafeBufferPointer { try search(for: own.map(\.element), in: $0, table) }
    endings.withLock { endings in
      for (correction, search) in zip(own, searches) { endings[correction.offset] = search.outcome }
    }
    places.withLock { places in
      for (correction, search) in zip(own, searches) {
        if let line = search.correctedLine { places.add(correction.element, correction.offset, line: line) }
      }
    }
    // From the end on, so that the places of earlier edits stay right.
    for edit in searches.flatMap(\.edits).sorted(by: { $0.start > $1.start }) {
      bytes.replaceSubrange(edit.start..<edit.end, with: edit.bytes)
    }
    return bytes
  }

  /// Takes a problem that a reader found in a corrected table. A problem of a corrected value makes its correction unusable.
  func record(_ problem: RecordProblem) { places.withLock { $0.record(problem) } }

  /// Throws one error that names all corrections whose values the readers rejected.
  func checkUsable() throws {
    let unusable = outcomes.filter { $0.ending == .unusable }
    guard !unusable.isEmpty else { return }
    throw userError(unusable.map(\.text).joined(separator: "; "), meaning: nil)
  }

  /// Compares all corrections with the FAA's uncorrected rows, so that none changes the rows that another one searches.
  private func search(
    for corrections: [Correction], in bytes: UnsafeBufferPointer<UInt8>, _ table: String
  ) throws -> [CorrectionSearch] {
    var scanner = CSVScanner(bytes)
    var record = CSVRecord()
    guard scanner.next(&record), record.flaw == nil else { return [] }
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
    return searches
  }

  private func column(
    _ name: String, in header: [String], _ table: String
  ) throws -> CorrectionColumn {
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

/// The rows and columns that corrections changed, and the problems that the readers found there.
private struct CorrectedPlaces {
  private struct Row: Hashable {
    let file: String
    let line: Int
  }

  /// The places of corrections in the list, with the columns in which a reader reports their values.
  private var rows: [Row: [Int: Set<String>]] = [:]
  /// The first problem of a correction, by its place in the list.
  private(set) var flaws: [Int: String] = [:]

  mutating func add(_ correction: Correction, _ index: Int, line: Int) {
    let row = Row(file: correction.table + ".csv", line: line)
    rows[row, default: [:]][index] = CorrectedPlaces.columns(reporting: correction)
  }

  mutating func record(_ problem: RecordProblem) {
    guard !rows.isEmpty, problem.kind.losesValue,
      let corrections = rows[Row(file: problem.file, line: problem.line)]
    else { return }
    for (index, columns) in corrections where problem.column.map(columns.contains) ?? true {
      if flaws[index] == nil { flaws[index] = problem.reason }
    }
  }

  /// The column of the correction; for a hemisphere also the column of its degrees, where a reader reports both.
  private static func columns(reporting correction: Correction) -> Set<String> {
    let readings = DatabaseSchema.allSources.filter { $0.source == correction.table }.flatMap(\.fields).map(
      \.reading)
    let pairs = readings.filter(\.isVariation).map(\.columns).filter { $0.contains(correction.column) }
    return Set([correction.column] + pairs.flatMap(\.self))
  }
}

extension RecordProblem.Kind {
  /// Whether the database lacks the value or its row, has an unknown code, or another identifier.
  fileprivate var losesValue: Bool {
    switch self {
    case .rowDropped, .rowOrphaned, .fieldDropped, .unknownCode, .identifierChanged: true
    default: false
    }
  }
}
