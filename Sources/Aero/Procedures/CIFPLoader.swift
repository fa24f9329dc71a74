/// Fills the tables of `procedures.sqlite` from the records of a file.
struct CIFPLoader {
  let file: CIFPFile
  let writer: DatabaseWriter
  let problems: ProblemLog
  let places: CIFPPlaces

  init(_ file: CIFPFile, _ writer: DatabaseWriter, _ problems: ProblemLog) {
    (self.file, self.writer, self.problems) = (file, writer, problems)
    places = CIFPPlaces(file)
  }

  /// Makes the rows of a record: adds values to its row, and passes each on.
  typealias Expansion = (inout CIFPRow, CIFPRecord, CIFPRecord.Kind, _ pass: (CIFPRow) throws -> Void) throws
    -> Void

  /// Loads all tables and returns the number of rows of each.
  func load() throws -> [String: Int] {
    var counts: [String: Int] = [:]
    func load(_ table: SourceTable, _ expand: Expansion = { row, _, _, pass in try pass(row) }) throws {
      counts[table.schema.name] = try fill(table, records(of: table), expand)
    }
    for table in [
      SourceTable.cifpAirports, .cifpHeliports, .cifpRunways, .cifpLocalizers, .cifpWaypoints, .cifpNavaids,
    ] {
      try load(table)
    }
    try load(.cifpAirways) { row, record, _, pass in
      add(fixOf: record, 29..<34, 34, 36, to: &row)
      try pass(row)
    }
    try load(.cifpMSAs, sectors)
    try load(.cifpMORAs, squares)
    try load(.cifpPathPoints)
    var list = CIFPProcedureList()
    try load(.cifpLegs) { row, record, kind, pass in
      add(fixOf: record, 29..<34, 34, 36, to: &row)
      add(fixOf: record, 50..<54, 54, 78, to: &row)
      add(fixOf: record, 106..<111, 112, 114, to: &row)
      row.add((list.take(row.bytes[...], kind) ? "Y" : "N").utf8, width: 1)
      try pass(row)
    }
    let procedures = list.procedures.enumerated().map { (id: $0 + 1, procedure: $1) }
    try writer.fill(CIFPProcedure.table, procedures)
    counts[CIFPProcedure.table.schema.name] = procedures.count
    counts[CIFPRoute.table.schema.name] = try CIFPRoute.write(writer)
    return counts.merging(try loadAirspace()) { $1 }
  }

  private func records(of table: SourceTable) -> [(CIFPRecord.Kind, CIFPRecord)] {
    table.cifpKinds.flatMap { kind in (file.records[kind] ?? []).map { (kind, $0) } }
  }

  private func fill(
    _ table: SourceTable, _ records: some Sequence<(CIFPRecord.Kind, CIFPRecord)>, _ expand: Expansion
  ) throws -> Int {
    let layout = CIFPLayout.layout(of: table.cifpKinds[0])
    let open = try CIFPLoader.open(layout, table.wanted, file.origin)
    var fields = layout.places.map { CSVField(start: $0.lowerBound, end: $0.upperBound) }
    let (last, end) = (fields.count - 1, fields[fields.count - 1].end)
    return try writer.stream(into: [table.schema], of: CIFPFile.name, problems) { stream in
      var rows = RowWriter([table], stream, AirportDirectory([], problems: problems))
      var row = CIFPRow(file)
      for (kind, record) in records {
        row.take(record, of: kind)
        try expand(&row, record, kind) { row in
          fields[last].end = min(end, row.bytes.count)
          do {
            try row.bytes.withUnsafeBufferPointer { bytes in
              try rows.write(
                SourceRow(line: record.line, table: open, bytes: bytes, fields: fields, problems: problems))
            }
          } catch let unusable as UnusableRow {
            problems.drop(unusable, CIFPFile.name, line: record.line)
          }
        }
      }
      return rows.finish()
    }
  }

  private static func open(
    _ layout: CIFPLayout.Layout, _ wanted: [WantedColumn], _ origin: TableSource
  ) throws -> OpenTable {
    try Array(layout.names.joined(separator: ",").utf8).withUnsafeBufferPointer { bytes in
      var (scanner, record) = (CSVScanner(bytes), CSVRecord())
      _ = scanner.next(&record)
      return try OpenTable(CIFPFile.name, record, in: bytes, wanted: wanted, origin)
    }
  }

  // MARK: - Values that are added

  /// Adds the position of the fix that these columns of a record name, counted from 0.
  private func add(
    fixOf record: CIFPRecord, _ ident: Range<Int>, _ region: Int, _ section: Int, to row: inout CIFPRow
  ) {
    let (bytes, start) = (file.bytes, record.start)
    let position = places.position(
      bytes[start + 6..<start + 10], bytes[start + ident.lowerBound..<start + ident.upperBound],
      bytes[start + region..<start + region + 2], bytes[start + section..<start + section + 2])
    row.add(position, width: 19)
  }

  /// A row for each of up to seven sectors.
  private func sectors(
    _ row: inout CIFPRow, _ record: CIFPRecord, _ kind: CIFPRecord.Kind, _ pass: (CIFPRow) throws -> Void
  ) throws {
    for sector in 0..<7 {
      let start = record.start + 42 + 11 * sector
      let bytes = file.bytes[start..<start + 11]
      if sector > 0, bytes.allSatisfy({ $0 == 0x20 }) { continue }
      row.take(record, of: kind)
      add(fixOf: record, 13..<18, 18, 20, to: &row)
      row.add("\(sector + 1)".utf8, width: 1)
      row.add(bytes, width: 11)
      try pass(row)
    }
  }

  /// A row for each of the thirty squares from the record's south-west corner eastward.
  private func squares(
    _ row: inout CIFPRow, _ record: CIFPRecord, _ kind: CIFPRecord.Kind, _ pass: (CIFPRow) throws -> Void
  ) throws {
    let corner = Array(file.bytes[record.start + 13..<record.start + 20])
    let west = Int(String(decoding: corner[4...], as: UTF8.self))
    for square in 0..<30 {
      row.take(record, of: kind)
      row.add(corner[..<3] + Array("000000".utf8), width: 9)
      var longitude = ""
      if let west, west <= 180 {
        let east = ((corner[3] == UInt8(ascii: "W") ? -west : west) + square + 540) % 360 - 180
        let digits = String(abs(east))
        longitude =
          (east < 0 ? "W" : "E") + String(repeating: "0", count: 3 - digits.count) + digits + "000000"
      }
      row.add(longitude.utf8, width: 10)
      let value = record.start + 30 + 3 * square
      row.add(file.bytes[value..<value + 3], width: 3)
      try pass(row)
    }
  }

  // MARK: - Airspace

  private func loadAirspace() throws -> [String: Int] {
    let source = CIFPAreas(file)
    let areas = source.areas
    let shapes = areas.map { shape(of: $0, source) }
    var number = 0
    let firsts = areas.map { ($0.kind, $0.records[0]) }
    let airspaces = try fill(.cifpAirspaces, firsts) { row, _, _, pass in
      row.add(area: number + 1, shapes[number])
      number += 1
      try pass(row)
    }
    let numbers = areas.enumerated().flatMap { number, area in area.records.map { _ in number + 1 } }
    var place = 0
    let points = try fill(.cifpAirspacePoints, areas.flatMap { area in area.records.map { (area.kind, $0) } })
    {
      row, _, _, pass in
      row.add(area: numbers[place], nil)
      place += 1
      try pass(row)
    }
    return ["airspaces": airspaces, "airspacePoints": points]
  }

  private func shape(of area: CIFPAreas.Area, _ source: CIFPAreas) -> MapShape? {
    func record(_ kind: RecordProblem.Kind, _ reason: String) {
      problems.record(
        kind, file: CIFPFile.name, line: area.records[0].line, column: "GEOMETRY", value: "", reason: reason)
    }
    do {
      guard let (shape, wasRepaired) = try source.boundary(area).shape() else {
        record(.fieldDropped, "its boundary is not whole")
        return nil
      }
      if wasRepaired { record(.shapeMended, "its boundary crosses or touches itself") }
      return shape
    } catch {
      record(.fieldDropped, (error as? ShapeError)?.rawValue ?? "\(error)")
      return nil
    }
  }
}

extension SourceTable {
  /// The kinds of records that it is made from.
  var cifpKinds: [CIFPRecord.Kind] {
    let bytes = Array(source.utf8)
    return stride(from: 0, to: bytes.count - 1, by: 3).map {
      CIFPRecord.Kind(section: bytes[$0], subsection: bytes[$0 + 1])
    }
  }
}
