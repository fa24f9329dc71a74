/// Fills the tables that are read row by row, straight from the bytes of the file.
struct SourceTableLoader {
  let reader: TableReader
  let writer: DatabaseWriter
  let directory: AirportDirectory
  let rows = RowNumbers()

  /// How many rows it wrote; what could not be used is in the reader's problems.
  func load(_ table: SourceTable) throws -> Int {
    guard !table.mayLack || reader.archive.has(table.source) else {
      reader.problems.miss(table.source + ".csv")
      return 0
    }
    return try writer.stream(into: [table.schema], of: table.source + ".csv", reader.problems) { stream in
      let texts = try Dictionary(
        uniqueKeysWithValues: table.gatherings.map { ($0.source, try GatheredTexts($0, reader)) })
      var row = FieldWriter(table, stream, directory, rows, texts)
      if table.isInOrderOfOwners {
        try reader.scan(table.source, table.wanted, by: { try row.requiredOwner(of: $0) }) {
          try row.write($0, of: $1)
        }
      } else {
        try reader.scan(table.source, table.wanted) { try row.write($0) }
      }
      for gathered in texts.values { gathered.reportStrays(reader.problems) }
      return try row.finish()
    }
  }
}

/// Sends one row after the other to its table.
struct FieldWriter {
  private let owner: SourceTable.Owner
  /// The rows to which others may belong, where these are no airports.
  private let owners: RowNumbers.Ids?
  private let fields: FieldBinder
  private let stream: RowStream
  private let sink: RowSink
  private let directory: AirportDirectory
  private let keys: [(columns: Int, ids: RowNumbers.Ids)]
  private let firstOfKeys: Int
  private var context = FieldBinder.Context()
  private var isFirstOfOwner = false
  /// How many rows were sent.
  private var sent = 0
  /// The keys of rows that were sent, to be given with the numbers that these get.
  private var sentKeys: [(row: Int, kind: Int, key: RowNumbers.Key)] = []

  init(
    _ table: SourceTable, _ stream: RowStream, _ directory: AirportDirectory, _ rows: RowNumbers,
    _ texts: [String: GatheredTexts] = [:]
  ) {
    owner = table.owner
    owners = table.owner.key.map(rows.ids)
    keys = table.keys.map { ($0.columns.count, rows.ids(of: $0)) }
    self.stream = stream
    sink = stream.sinks[0]
    self.directory = directory
    fields = FieldBinder(
      table.fields, from: table.owner.columns.count, to: sink, rows: rows, texts: texts)
    firstOfKeys = fields.end
  }

  /// The number of the airport, or the id of the row, that owns the row.
  func requiredOwner(of row: SourceRow) throws(UnusableRow) -> Int {
    if case .row(let kind, let columns) = owner {
      if let key = row.key(0..<columns.count), let id = owners?[key] { return id }
      throw row.unusable(columns.count - 1, "there is no such row in \(kind.table)")
    }
    let key = SiteKey(number: try row.required(0), type: try row.required(1))
    guard let number = directory.number(of: key) else {
      throw row.unusable(0, AirportDirectory.noSuchSite)
    }
    return number
  }

  mutating func write(_ row: SourceRow) throws { try write(row, of: try owner(of: row)) }

  /// Writes a row whose owner is known.
  mutating func write(_ row: SourceRow, of owner: Int?) throws {
    if owner != context.owner {
      isFirstOfOwner = true
      context.owner = owner
      context.airport = self.owner.isAirport ? owner.map { directory.entries[$0] } : nil
    }
    try fields.bind(row, context)
    sink.run()
    stream.endGroup(line: row.line, startsOwner: isFirstOfOwner)
    isFirstOfOwner = false
    keepKeys(of: row)
    sent += 1
  }

  private mutating func keepKeys(of row: SourceRow) {
    var start = firstOfKeys
    for (index, kind) in keys.enumerated() {
      let end = start + kind.columns
      if let key = row.key(start..<end) { sentKeys.append((sent, index, key)) }
      start = end
    }
  }

  /// Waits for the rows to be written, and makes them known by their keys; how many were written.
  mutating func finish() throws -> Int {
    let refused = try stream.finish().map(\.group)
    var before = refused[...]
    for (row, kind, key) in sentKeys {
      while let next = before.first, next < row { before.removeFirst() }
      guard before.first != row else { continue }
      keys[kind].ids.add(row + 1 - (refused.count - before.count), as: key)
    }
    sentKeys = []
    return sent - refused.count
  }

  private func owner(of row: SourceRow) throws -> Int? {
    switch owner {
    case .nothing: nil
    case .airport, .row: try requiredOwner(of: row)
    case .perhapsAirport: row.value(0).isEmpty ? nil : try? requiredOwner(of: row)
    }
  }
}

/// Under which ids the rows of the tables are in the database, by the keys that other tables know them by.
///
/// A class, since each table that is filled adds to it and later tables ask it; used by one task.
final class RowNumbers {
  /// A row's key: the values of its columns, told apart by a character that is in no text. Text of up to 15 bytes, which most
  /// keys are, lies in the dictionary itself.
  typealias Key = String

  /// The ids of the rows that are known by one kind of key.
  final class Ids {
    /// In place of the id where several rows have the key.
    private static let several = 0

    private var ids: [Key: Int] = [:]

    func add(_ id: Int, as key: Key) {
      if ids.updateValue(id, forKey: key) != nil { ids[key] = Ids.several }
    }

    /// The one row that has the key.
    subscript(key: Key) -> Int? {
      let id = ids[key]
      return id == Ids.several ? nil : id
    }
  }

  private var kinds: [String: Ids] = [:]

  func ids(of kind: RowKey) -> Ids {
    if let ids = kinds[kind.name] { return ids }
    let ids = Ids()
    kinds[kind.name] = ids
    return ids
  }
}

extension SourceRow {
  /// The values of columns that follow each other; nil where all of them are empty.
  func key(_ wanted: Range<Int>) -> RowNumbers.Key? {
    var size = wanted.count
    for index in wanted {
      guard let bytes = value(index).asciiBytes else { return decodedKey(wanted) }
      size += bytes.count
    }
    guard size > wanted.count else { return nil }
    return String(unsafeUninitializedCapacity: size) { key in
      var end = 0
      for index in wanted {
        for byte in value(index).asciiBytes ?? UnsafeBufferPointer(start: nil, count: 0) {
          key[end] = byte
          end += 1
        }
        key[end] = 0
        end += 1
      }
      return end
    }
  }

  /// The same of values that have to be decoded.
  private func decodedKey(_ wanted: Range<Int>) -> RowNumbers.Key? {
    var key = ""
    var isEmpty = true
    for index in wanted {
      let value = value(index)
      isEmpty = isEmpty && value.isEmpty
      key += value.text
      key += "\u{0}"
    }
    return isEmpty ? nil : key
  }
}

@available(*, unavailable)
extension RowNumbers: Sendable {}

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
