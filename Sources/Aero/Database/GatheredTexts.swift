/// The texts that are gathered from one table for the rows of another; a class, since it keeps in mind which were asked for.
final class GatheredTexts {
  private struct Line {
    let order: Int
    let number: Int
    let text: String
  }

  private let gathering: Gathering
  private var lines: [RowNumbers.Key: [Line]] = [:]
  private var taken: Set<RowNumbers.Key> = []

  init(_ gathering: Gathering, _ reader: TableReader) throws {
    self.gathering = gathering
    guard reader.archive.has(gathering.source) else {
      reader.problems.miss(gathering.source + ".csv")
      return
    }
    let keys = gathering.key.columns.count
    let columns = gathering.key.columns + [gathering.order] + gathering.line
    var lines: [RowNumbers.Key: [Line]] = [:]
    try reader.scan(gathering.source, columns.map { WantedColumn(name: $0, mayLack: false) }) { row in
      guard let key = row.key(0..<keys) else { throw row.unusable(0, "it is empty") }
      let text = (keys + 1..<columns.count).compactMap { row.text($0) }.joined(separator: " ")
      lines[key, default: []].append(
        Line(order: row.whole(keys, in: 0...99_999) ?? 0, number: row.line, text: text))
    }
    self.lines = lines
  }

  /// The text of a row, in its order.
  func text(of key: RowNumbers.Key?) -> String? {
    guard let key, let lines = lines[key] else { return nil }
    taken.insert(key)
    return lines.sorted { ($0.order, $0.number) < ($1.order, $1.number) }.map(\.text).joined(separator: "\n")
  }

  /// Records the rows that belong to none.
  func reportStrays(_ problems: ProblemLog) {
    let strays = lines.filter { !taken.contains($0.key) }.flatMap { key, lines in
      lines.map { (key, $0.number) }
    }
    for (key, line) in strays.sorted(by: { $0.1 < $1.1 }) {
      problems.record(
        .rowDropped, file: gathering.source + ".csv", line: line,
        column: gathering.key.columns.last,
        value: key.split(separator: "\0").joined(separator: " "),
        reason: "there is no such row in \(gathering.key.table)")
    }
  }
}

@available(*, unavailable)
extension GatheredTexts: Sendable {}
