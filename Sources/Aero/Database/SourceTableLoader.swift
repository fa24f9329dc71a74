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
