/// The ids of the rows in the database, by the keys by which other tables name them.
///
/// A class, since each table adds its rows and later tables look them up. Used by one thread.
final class RowNumbers {
  /// A row's key: the values of its columns, separated by a character that is in no text. Most keys have at most 15 bytes, which the
  /// dictionary stores without a reference.
  typealias Key = String

  /// Stored instead of an id if several rows have the key.
  private static let several = 0
  private var ids: [String: [Key: Int]] = [:]

  func add(_ id: Int, to kind: RowKey, as key: Key) {
    if ids[kind.name, default: [:]].updateValue(id, forKey: key) != nil {
      ids[kind.name]?[key] = RowNumbers.several
    }
  }

  /// The one row that has the key.
  func id(of kind: RowKey, _ key: Key) -> Int? {
    ids[kind.name]?[key].flatMap { $0 == RowNumbers.several ? nil : $0 }
  }
}

extension SourceRow {
  /// The values of adjacent columns; nil if all of them are empty. For a procedure without a code some tables have NOT ASSIGNED, and
  /// others nothing.
  func key(_ wanted: Range<Int>) -> RowNumbers.Key? {
    let values = wanted.map { value($0).equals("NOT ASSIGNED") ? "" : value($0).text }
    return values.allSatisfy(\.isEmpty) ? nil : values.reduce(into: "") { $0 += $1 + "\u{0}" }
  }
}

/// The texts that are gathered from one table for the rows of another. A class, since it records which texts were used.
final class GatheredTexts {
  private typealias Line = (order: Int, number: Int, text: String)

  private let gathering: Gathering
  private var lines: [RowNumbers.Key: [Line]] = [:]
  private var used: Set<RowNumbers.Key> = []

  init(_ gathering: Gathering, _ reader: TableReader) throws {
    self.gathering = gathering
    guard reader.archive.has(gathering.source) else {
      reader.problems.miss(gathering.source + ".csv")
      return
    }
    let keys = gathering.key.columns.count
    let columns = gathering.key.columns + [gathering.order] + gathering.line
    var lines: [RowNumbers.Key: [Line]] = [:]
    try reader.scan(gathering.source, columns.map { WantedColumn(name: $0) }) { row in
      guard let key = row.key(0..<keys) else { throw row.unusable(0, "it is empty") }
      let text = (keys + 1..<columns.count).compactMap { row.text($0) }.joined(separator: " ")
      lines[key, default: []].append((row.whole(keys, in: 0...99_999) ?? 0, row.line, text))
    }
    self.lines = lines
  }

  /// The text of a row, its lines in order.
  func text(of key: RowNumbers.Key?) -> String? {
    guard let key, let lines = lines[key] else { return nil }
    used.insert(key)
    return lines.sorted { ($0.order, $0.number) < ($1.order, $1.number) }.map(\.text).joined(separator: "\n")
  }

  /// Records the rows that belong to no row.
  func reportStrays(_ problems: ProblemLog) {
    let strays = lines.filter { !used.contains($0.key) }.flatMap { key, lines in
      lines.map { (key, $0.number) }
    }
    for (key, line) in strays.sorted(by: { $0.1 < $1.1 }) {
      problems.record(
        .rowDropped, file: gathering.source + ".csv", line: line, column: gathering.key.columns.last,
        value: key.split(separator: "\0").joined(separator: " "),
        reason: "there is no such row in \(gathering.key.table)")
    }
  }
}
