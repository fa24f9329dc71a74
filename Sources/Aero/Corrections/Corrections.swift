internal import Core
internal import Pipeline
internal import Synchronization

/// Corrects the FAA's tables before they are read, and records the outcome of each correction.
final class Corrections: Sendable {
  private let list: CorrectionList
  private let cycle: AiracCycle
  /// By the correction's place in the list.
  private let endings = Mutex<[Int: CorrectionOutcome]>([:])

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
    return list.corrections.enumerated().map { index, correction in
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
    // From the end on, so that the places of earlier edits stay right.
    for edit in searches.flatMap(\.edits).sorted(by: { $0.start > $1.start }) {
      bytes.replaceSubrange(edit.start..<edit.end, with: edit.bytes)
    }
    return bytes
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
