internal import SQLiteIO

/// Fills the tables of the database from those of the NASR.
///
/// All tables go the same way: `TableReader` scans the source once, a `RowWriter` finds the owner of each row and binds its fields, and
/// the rows go to the table, or to `WaitingRows` if they wait for values of other tables.
struct TableLoader {
  let reader: TableReader
  let writer: DatabaseWriter
  let directory: AirportDirectory
  let rows = RowNumbers()

  /// Fills a table and returns the number of its rows. The problems of the reader list what cannot be used.
  func load(_ table: SourceTable) throws -> Int {
    guard !table.mayLack || reader.archive.has(table.source) else {
      reader.problems.miss(table.source + ".csv")
      return 0
    }
    let count = try read(table)
    try writer.finish(table)
    return count
  }

  /// Reads the rows of a table. Call `DatabaseWriter.finish` afterwards.
  func read(_ table: SourceTable) throws -> Int {
    let texts = try Dictionary(
      uniqueKeysWithValues: table.gatherings.map { ($0.source, try GatheredTexts($0, reader)) })
    return try writer.stream(into: [table], of: table.source + ".csv", reader.problems) { stream in
      var writer = RowWriter([table], stream, directory, rows: rows, texts: texts)
      try reader.scan(table.source, table.wanted) { try writer.write($0) }
      for gathered in texts.values { gathered.reportStrays(reader.problems) }
      return try writer.finish()
    }
  }

  /// Reads the rows of tables that share a source, each after its record.
  private func read<Record: NASRRecord>(
    _ tables: [SourceTable], _ each: (Record, SourceRow, inout RowWriter) throws -> Void
  ) throws {
    try writer.stream(into: tables, of: Record.file, reader.problems) { stream in
      var writer = RowWriter(tables, stream, directory, from: Record.wanted.count)
      try reader.scan(Record.table, Record.wanted + tables.flatMap(\.wanted)) { row in
        if let record = try Record(NASRRow(row: row)) { try each(record, row, &writer) }
      }
      _ = try writer.finish()
    }
  }
}

extension TableLoader {
  /// Reads the airports. Their rows wait for their runways and frequencies.
  static func readAirports(_ reader: TableReader, _ writer: DatabaseWriter) throws -> AirportDirectory {
    let loader = TableLoader(
      reader: reader, writer: writer, directory: AirportDirectory([], problems: reader.problems))
    var airports: [Airport] = []
    var seen: Set<SiteKey> = []
    try loader.read([.airports, .airportDetails]) { (airport: Airport, row, writer) in
      guard seen.insert(airport.key).inserted else { throw row.unusable(0, "the site is there twice") }
      try writer.write(row, of: nil)
      airports.append(airport)
    }
    return AirportDirectory(airports, problems: reader.problems)
  }

  /// Reads the runways and joins them with their ends. Returns the number of runways.
  ///
  /// - Parameter hasEnds: whether the cycle has the table of the ends.
  func loadRunways(hasEnds: Bool) throws -> Int {
    let numbers = try readRunways()
    var ends: [Int?] = Array(repeating: nil, count: 2 * numbers.count)
    if hasEnds { try readRunwayEnds(of: numbers, &ends) }
    let waitingEnds = writer.take(.runwayEnds)
    let runways = numbers.sorted { $0.key < $1.key }
    try write(.runways, runways, row: \.value) { runway, sink, joined in
      let half = joined.count / 2
      for (end, columns) in zip(ends[(2 * runway.value)...], [joined[..<half], joined[half...]]) {
        if let end { waitingEnds.bind(end, to: sink, at: columns) }
      }
    }
    try writer.finish(.runways, .runwayDetails, .runwayEndDetails)
    return numbers.count
  }

  private struct RunwayKey: Hashable, Comparable {
    let airport: Int
    let runway: String

    static func < (left: RunwayKey, right: RunwayKey) -> Bool {
      (left.airport, left.runway) < (right.airport, right.runway)
    }
  }

  /// Returns the number of each runway's row.
  private func readRunways() throws -> [RunwayKey: Int] {
    var numbers: [RunwayKey: Int] = [:]
    try read([.runways, .runwayDetails]) { (runway: Runway, row, writer) in
      guard let airport = directory.number(of: runway.site) else {
        throw row.unusable(Runway.Column.SITE_NO.rawValue, AirportDirectory.noSuchSite)
      }
      let key = RunwayKey(airport: airport, runway: runway.id)
      guard numbers[key] == nil else {
        throw row.unusable(Runway.Column.RWY_ID.rawValue, "the runway is there twice")
      }
      try writer.write(row, of: airport)
      numbers[key] = numbers.count
    }
    return numbers
  }

  /// Sets the numbers of the rows of the ends: two for each runway, of its base end and of its reciprocal end.
  ///
  /// The two halves of a runway's name decide which of its ends a row is.
  private func readRunwayEnds(of numbers: [RunwayKey: Int], _ ends: inout [Int?]) throws {
    var count = 0
    try read([.runwayEnds, .runwayEndDetails]) { (end: RunwayEnd, row, writer) in
      let airport = directory.number(of: end.site)
      guard let airport, let runway = numbers[RunwayKey(airport: airport, runway: end.runway)] else {
        throw row.unusable(RunwayEnd.Column.RWY_ID.rawValue, "there is no such runway")
      }
      let names = Runway.ends(of: end.runway)
      let sides = zip([names.base, names.reciprocal], [2 * runway, 2 * runway + 1])
      guard let side = sides.first(where: { $0 == end.id && ends[$1] == nil })?.1 else {
        throw row.unusable(
          RunwayEnd.Column.RWY_END_ID.rawValue, "it is no end of \(end.runway), or one too many")
      }
      try writer.write(row, of: airport)
      ends[side] = count
      count += 1
    }
  }

  /// Writes the airports with what their runways and frequencies add to them.
  ///
  /// The most important airports come first: a search for text takes the first of its matches by id and need not look at the others.
  ///
  /// - Parameter frequencies: in the order of their rows.
  func finishAirports(_ frequencies: [AirportFrequency]) throws {
    let (ctaf, unicom) = (
      TableLoader.first(.ctaf, in: frequencies), TableLoader.first(.unicom, in: frequencies)
    )
    let longest = try longestRunways()
    let order = directory.entries.indices.sorted {
      (directory.entries[$0].airport.rank, -(longest[$0] ?? 0), $0)
        < (directory.entries[$1].airport.rank, -(longest[$1] ?? 0), $1)
    }
    try write(.airports, order, row: { directory.entries[$0].row }) { number, sink, joined in
      let values: [SQLiteValue] = [
        .text(directory.entries[number].icao), SQLiteValue(ctaf[number]), SQLiteValue(unicom[number]),
        SQLiteValue(longest[number]),
      ]
      for (value, column) in zip(values, joined) { sink.bind(value, at: column) }
    }
    try write(.airportDetails, directory.entries, row: \.row) { airport, sink, joined in
      sink.bind(text: airport.icao.utf8, at: joined[0])
    }
    try writer.finish(.airportDetails)
  }

  /// By the airport's number: its first frequency of a type on which a civil aircraft can talk.
  private static func first(_ type: FrequencyType, in frequencies: [AirportFrequency]) -> [Int: Double] {
    let usable = frequencies.lazy.filter {
      $0.type == type && $0.frequency.radio.isVHF && !$0.frequency.radio.isReceiveOnly
    }
    return Dictionary(usable.map { ($0.airport, $0.frequency.radio.megahertz) }) { first, _ in first }
  }

  /// By the airport's number: the length of its longest runway.
  private func longestRunways() throws -> [Int: Int] {
    let lengths = Dictionary(
      uniqueKeysWithValues: try writer.rows(
        "SELECT airport, max(length) FROM runways WHERE length IS NOT NULL GROUP BY airport"
      ) { ($0.text(0) ?? "", $0.int(1)) })
    let numbers = directory.entries.indices.compactMap { number in
      lengths[directory.entries[number].icao].map { (number, $0) }
    }
    return Dictionary(uniqueKeysWithValues: numbers)
  }

  /// Writes the waiting rows of a table. `join` binds the values of the joined columns, which are NULL otherwise.
  private func write<Rows: Sequence>(
    _ table: SourceTable, _ rows: Rows, row number: (Rows.Element) -> Int,
    join: (Rows.Element, RowSink, [Int]) -> Void
  ) throws {
    let waiting = writer.take(table)
    let joined = table.joinedColumns
    try writer.stream(into: [table.schema], of: table.source + ".csv", reader.problems) { stream in
      let sink = stream.sinks[0]
      for row in rows {
        waiting.bind(number(row), to: sink)
        join(row, sink, joined)
        sink.run()
        stream.endGroup(line: waiting.line(of: number(row)))
      }
    }
  }
}

/// Binds the rows of a source to the tables that are read from it, one row after the other.
struct RowWriter {
  private let owner: SourceTable.Owner
  /// The ids of the rows that can own a row; nil if airports own them.
  private let owners: RowNumbers.Ids?
  private let tables: [FieldBinder]
  private let stream: RowStream
  private let directory: AirportDirectory
  private let keys: [(columns: Int, ids: RowNumbers.Ids)]
  private let firstWanted: Int
  private var context = FieldBinder.Context()
  /// How many rows were sent.
  private var sent = 0
  /// The keys of the rows that were sent, with the number of each row.
  private var sentKeys: [(row: Int, kind: Int, key: RowNumbers.Key)] = []

  /// - Parameters:
  ///   - tables: the tables of one source; only the first may have keys.
  ///   - first: the number of the first wanted column that is theirs.
  init(
    _ tables: [SourceTable], _ stream: RowStream, _ directory: AirportDirectory, from first: Int = 0,
    rows: RowNumbers = RowNumbers(), texts: [String: GatheredTexts] = [:]
  ) {
    owner = tables[0].owner
    owners = owner.key.map(rows.ids)
    keys = tables[0].keys.map { ($0.columns.count, rows.ids(of: $0)) }
    firstWanted = first
    self.stream = stream
    self.directory = directory
    var wanted = first
    self.tables = zip(tables, stream.sinks).map { table, sink in
      let binder = FieldBinder(
        table.fields, from: wanted + table.owner.columns.count, to: sink, rows: rows, texts: texts)
      wanted += table.wanted.count
      return binder
    }
  }

  mutating func write(_ row: SourceRow) throws { try write(row, of: try owner(of: row)) }

  /// Writes a row of each table.
  mutating func write(_ row: SourceRow, of owner: Int?) throws {
    if owner != context.owner {
      context.owner = owner
      context.airport = self.owner.isAirport ? owner.map { directory.entries[$0] } : nil
    }
    for table in tables { try table.bind(row, context) }
    for table in tables { table.run() }
    stream.endGroup(line: row.line, owner: owner)
    keepKeys(of: row)
    sent += 1
  }

  private mutating func keepKeys(of row: SourceRow) {
    var start = tables[0].end
    for (index, kind) in keys.enumerated() {
      let end = start + kind.columns
      if let key = row.key(start..<end) { sentKeys.append((sent, index, key)) }
      start = end
    }
  }

  /// Waits for the rows to be written and registers their keys. Returns how many were written.
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

  /// The number of the airport, or the id of the row, that owns the row.
  private func owner(of row: SourceRow) throws(UnusableRow) -> Int? {
    switch owner {
    case .nothing: return nil
    case .airport: return try airport(of: row)
    case .perhapsAirport: return row.value(firstWanted).isEmpty ? nil : try? airport(of: row)
    case .stationAirport: return directory.number(ofStation: row, firstWanted)
    case .row(let kind, let columns):
      let wanted = firstWanted..<firstWanted + columns.count
      if let key = row.key(wanted), let id = owners?[key] { return id }
      throw row.unusable(wanted.upperBound - 1, "there is no such row in \(kind.table)")
    }
  }

  private func airport(of row: SourceRow) throws(UnusableRow) -> Int {
    let key = SiteKey(number: try row.required(firstWanted), type: try row.required(firstWanted + 1))
    guard let number = directory.number(of: key) else {
      throw row.unusable(firstWanted, AirportDirectory.noSuchSite)
    }
    return number
  }
}
