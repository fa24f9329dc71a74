internal import SQLiteIO

/// Fills the tables of the database from those of the NASR.
///
/// All tables go the same way: `TableReader` scans the source once, a `RowWriter` finds the owner of each row and binds its fields, and
/// the rows go to the table, or to a temporary one if they wait for values of other tables.
struct TableLoader {
  let reader: TableReader
  let writer: DatabaseWriter
  let directory: AirportDirectory
  let rows = RowNumbers()

  /// Fills a table and returns the number of its rows. The problems of the reader list what cannot be used.
  func load(_ table: SourceTable) throws -> Int {
    guard !table.mayLack || reader.archive.has(table.source) else {
      reader.problems.miss(table.file)
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
    return try writer.stream(into: [table.schema], of: table.file, reader.problems) { stream in
      var writer = RowWriter([table], stream, directory, rows: rows, texts: texts)
      let columns = table.wanted
      try reader.scan(table.source, columns) { row in
        guard table.onlyWhereEmpty == nil || row.value(columns.count - 1).isEmpty else { return }
        try writer.write(row)
      }
      for gathered in texts.values { gathered.reportStrays(reader.problems) }
      return writer.finish()
    }
  }

  /// Reads the rows of tables that share a source.
  ///
  /// - Parameter others: the columns that the closure reads besides those of the tables.
  private func read(
    _ tables: [SourceTable], and others: [WantedColumn] = [],
    _ each: (SourceRow, inout RowWriter) throws -> Void
  ) throws {
    try writer.stream(into: tables.map(\.schema), of: tables[0].file, reader.problems) { stream in
      var writer = RowWriter(tables, stream, directory)
      try reader.scan(tables[0].source, tables.flatMap(\.wanted) + others) { try each($0, &writer) }
      _ = writer.finish()
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
    try loader.read([.airports, .airportDetails], and: Airport.wanted) { row, writer in
      let airport = try Airport(row)
      guard seen.insert(airport.key).inserted else {
        throw row.unusable("SITE_NO", "the site is there twice")
      }
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
    try joinEnds(ends)
    try writer.finish(.runways, .runwayDetails, .runwayEndDetails)
    return numbers.count
  }

  private struct RunwayKey: Hashable {
    let airport: Int
    let runway: String
  }

  /// Writes the runways with the columns of their ends.
  ///
  /// - Parameter ends: for each runway in the order of the file, the numbers of the rows of its ends.
  private func joinEnds(_ ends: [Int?]) throws {
    try writer.execute(SourceTable.runwayEnds.schema.waitingSQL)
    let rows = ends.enumerated().compactMap { place, row in row.map { (place, $0) } }
    try writer.makeTemporary("runwayEndRows", ["place INTEGER PRIMARY KEY", "end INTEGER"], rows) {
      [.integer($0.0), .integer($0.1 + 1)]
    }
    let sides = [("baseEnd", 0), ("reciprocalEnd", 1)]
    let values = sides.flatMap { side, _ in
      SourceTable.runwayEnds.fields.map(\.column.name).map { (side + $0, "\(side).\($0)") }
    }
    let joins = sides.map { side, place in
      """
      LEFT JOIN temp.runwayEndRows \(side)Row ON \(side)Row.place = 2 * (w.rowid - 1) + \(place)
      LEFT JOIN \(SourceTable.runwayEnds.schema.waitingName) \(side) ON \(side).rowid = \(side)Row.end
      """
    }
    try writer.copyWaiting(
      SourceTable.runways.schema, Dictionary(first: values),
      joins.joined(separator: " ") + " ORDER BY 1, 2")
    try writer.execute(
      "DROP TABLE \(SourceTable.runwayEnds.schema.waitingName); DROP TABLE temp.runwayEndRows")
  }

  /// Returns the number of each runway's row.
  private func readRunways() throws -> [RunwayKey: Int] {
    var numbers: [RunwayKey: Int] = [:]
    try read([.runways, .runwayDetails]) { row, writer in
      let site = try SiteKey(row)
      let id = try row.required("RWY_ID")
      guard let airport = directory.number(of: site) else {
        throw row.unusable("SITE_NO", AirportDirectory.noSuchSite)
      }
      let key = RunwayKey(airport: airport, runway: id)
      guard numbers[key] == nil else {
        throw row.unusable("RWY_ID", "the runway is there twice")
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
    try read([.runwayEnds, .runwayEndDetails]) { row, writer in
      let airport = directory.number(of: try SiteKey(row))
      let (id, end) = (try row.required("RWY_ID"), try row.required("RWY_END_ID"))
      guard let airport, let runway = numbers[RunwayKey(airport: airport, runway: id)] else {
        throw row.unusable("RWY_ID", "there is no such runway")
      }
      let names = RunwayCodes.ends(of: id)
      let sides = zip([names.base, names.reciprocal], [2 * runway, 2 * runway + 1])
      guard let side = sides.first(where: { $0 == end && ends[$1] == nil })?.1 else {
        throw row.unusable("RWY_END_ID", "it is no end of \(id), or one too many")
      }
      try writer.write(row, of: airport)
      ends[side] = count
      count += 1
    }
  }

  /// Writes the airports with what their runways and their staged frequencies add to them.
  ///
  /// The most important airports come first: a search for text takes the first of its matches by id and need not look at the others.
  func finishAirports() throws {
    let columns = ["row INTEGER PRIMARY KEY", "number INTEGER", "icao TEXT", "rank INTEGER"]
    try writer.makeTemporary("airportRows", columns, directory.entries.enumerated()) { number, entry in
      [.integer(entry.row + 1), .integer(number), .text(entry.icao), .integer(entry.airport.rank)]
    }
    /// The first frequency of a type on which a civil aircraft can talk.
    func frequency(_ type: FrequencyType) -> String {
      """
      (SELECT frequency FROM \(LinkedFrequency.airports.schema.stagingName) f
        WHERE f.airport = a.icao AND f.type = '\(type.rawValue)' AND vhf AND NOT receiveOnly ORDER BY f.number LIMIT 1)
      """
    }
    // A land plane cannot use a water lane, so these count only where there is nothing else.
    let longest = """
      (SELECT coalesce(max(length) FILTER (WHERE surface IS NOT 'water'), max(length)) FROM main.runways r
        WHERE r.airport = a.icao)
      """
    try writer.copyWaiting(
      SourceTable.airports.schema,
      [
        "id": "row_number() OVER (ORDER BY a.rank, coalesce(\(longest), 0) DESC, a.number)", "icao": "a.icao",
        "ctafFrequency": frequency(.ctaf), "unicomFrequency": frequency(.unicom), "longestRunway": longest,
      ], "JOIN temp.airportRows a ON a.row = w.rowid ORDER BY 1")
    try writer.copyWaiting(
      SourceTable.airportDetails.schema, ["airport": "a.icao"],
      "JOIN temp.airportRows a ON a.row = w.rowid ORDER BY 1")
    try writer.finish(.airportDetails)
  }
}

/// Binds the rows of a source to the tables that are read from it, one row after the other.
struct RowWriter {
  private let owner: SourceTable.Owner
  private let rows: RowNumbers
  private let tables: [FieldBinder]
  private let stream: RowStream
  private let directory: AirportDirectory
  private let keys: [RowKey]
  private var context = FieldBinder.Context()
  private var written = 0
  /// The keys of the rows that were written, with the number of each row.
  private var writtenKeys: [(row: Int, kind: RowKey, key: RowNumbers.Key)] = []

  /// - Parameter tables: the tables of one source, whose columns are the first that are wanted; only the first may have keys.
  init(
    _ tables: [SourceTable], _ stream: RowStream, _ directory: AirportDirectory,
    rows: RowNumbers = RowNumbers(), texts: [String: GatheredTexts] = [:]
  ) {
    (owner, keys) = (tables[0].owner, tables[0].keys)
    (self.stream, self.directory, self.rows) = (stream, directory, rows)
    var wanted = 0
    self.tables = zip(tables, stream.sinks).map { table, sink in
      let binder = FieldBinder(
        table.fields, from: wanted + table.owner.columns.count, to: sink, rows: rows, texts: texts,
        directory: directory)
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
    guard try stream.write(line: row.line, owner: owner) else { return }
    written += 1
    keepKeys(of: row)
  }

  private mutating func keepKeys(of row: SourceRow) {
    var start = tables[0].end
    for kind in keys {
      let end = start + kind.columns.count
      if let key = row.key(start..<end) { writtenKeys.append((written, kind, key)) }
      start = end
    }
  }

  /// Registers the keys of the rows. Returns how many were written.
  func finish() -> Int {
    for (row, kind, key) in writtenKeys { rows.add(row, to: kind, as: key) }
    return written
  }

  /// The number of the airport, or the id of the row, that owns the row.
  private func owner(of row: SourceRow) throws(UnusableRow) -> Int? {
    switch owner {
    case .nothing: return nil
    case .airport: return try airport(of: row)
    case .perhapsAirport: return row.value(0).isEmpty ? nil : try? airport(of: row)
    case .stationAirport: return directory.number(ofStation: row)
    case .row(let kind, let columns):
      if let key = row.key(0..<columns.count), let id = rows.id(of: kind, key) { return id }
      throw row.unusable(columns.count - 1, "there is no such row in \(kind.table)")
    }
  }

  private func airport(of row: SourceRow) throws(UnusableRow) -> Int {
    guard let number = directory.number(of: try SiteKey(row)) else {
      throw row.unusable("SITE_NO", AirportDirectory.noSuchSite)
    }
    return number
  }
}
