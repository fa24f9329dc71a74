/// Writes the airports and their runways: each row from where it lies in its file.
struct AirportRows {
  let directory: AirportDirectory
  let writer: DatabaseWriter

  func write(
    _ airports: LoadedTable, longest: [Int: Int], ctaf: [Int: Double], unicom: [Int: Double]
  ) throws {
    let ranks = directory.entries.indices.map {
      AirportRank(directory.entries[$0].airport, longestRunway: longest[$0], number: $0)
    }
    var written: [Int] = []
    try write(.airports, airports, ranks.sorted().map(\.number)) { rows, row, number in
      var entry = directory.entries[number]
      entry.longestRunway = longest[number]
      entry.ctaf = ctaf[number]
      entry.unicom = unicom[number]
      try rows.write(row, FieldBinder.Context(number: written.count + 1, airport: entry))
      written.append(number)
    }
    // Apart, since this table is filled in the order of its key.
    try write(.airportDetails, airports, written.sorted()) { rows, row, number in
      try rows.write(row, FieldBinder.Context(airport: directory.entries[number]))
    }
  }

  /// Writes a table's row for each of these airports, in this order.
  private func write(
    _ table: SourceTable, _ airports: LoadedTable, _ numbers: [Int],
    _ write: (BoundRows, SourceRow, Int) throws -> Void
  ) throws {
    try writer.stream(into: [table.schema], of: Airport.file, directory.problems) { stream in
      let rows = BoundRows(table.fields, stream.sinks[0])
      try airports.visit(table.fields.wanted) { cursor in
        for number in numbers {
          try cursor.read(directory.entries[number].airport.place) { row in
            defer { stream.endGroup(line: row.line) }
            try write(rows, row, number)
          }
        }
      }
    }
  }

  func write(_ linked: [LinkedRunway], _ runways: LoadedTable, _ ends: LoadedTable) throws {
    let details = [SourceTable.runwayDetails.schema, SourceTable.runwayEndDetails.schema]
    let tables = [AirportSchema.runways] + details
    try writer.stream(into: tables, of: Runway.file, directory.problems) { stream in
      let rows = RunwayRows(stream.sinks)
      try runways.visit(RunwayRows.wanted) { runways in
        try ends.visit(RunwayRows.wantedOfEnds) { ends in
          for runway in linked {
            let context = FieldBinder.Context(airport: directory.entries[runway.airport])
            try runways.read(runway.place) {
              defer { stream.endGroup(line: runway.place.line) }
              try rows.write($0, context, runway, &ends)
            }
          }
        }
      }
    }
  }
}

/// The rows of a table, each written from one row of a file.
private struct BoundRows {
  private let fields: FieldBinder
  private let sink: RowSink

  init(_ fields: [Field], from wanted: Int = 0, _ sink: RowSink) {
    self.fields = FieldBinder(fields, from: wanted, to: sink)
    self.sink = sink
  }

  func write(_ row: SourceRow, _ context: FieldBinder.Context) throws {
    try fields.bind(row, context)
    sink.run()
  }
}

/// The rows of `runways`, each made of a runway's row and of those of its ends, and what else the same rows say.
private struct RunwayRows {
  private static let endFields = RunwayFields.end("baseEnd")
  private static let ownColumns = (RunwayFields.own + RunwayFields.reciprocal).wanted
  static let wanted = ownColumns + SourceTable.runwayDetails.fields.wanted
  static let wantedOfEnds = endFields.wanted + SourceTable.runwayEndDetails.fields.wanted

  private let sink: RowSink
  private let own: FieldBinder
  private let reciprocal: FieldBinder
  private let end: FieldBinder
  private let details: BoundRows
  private let endDetails: BoundRows

  /// - Parameter sinks: of the runways, their details, and those of their ends.
  init(_ sinks: [RowSink]) {
    sink = sinks[0]
    own = FieldBinder(RunwayFields.own, to: sink)
    reciprocal = FieldBinder(RunwayFields.reciprocal, from: RunwayFields.own.wanted.count, to: sink)
    end = FieldBinder(RunwayRows.endFields, to: sink)
    details = BoundRows(
      SourceTable.runwayDetails.fields, from: RunwayRows.ownColumns.count, sinks[1])
    endDetails = BoundRows(
      SourceTable.runwayEndDetails.fields, from: RunwayRows.endFields.wanted.count, sinks[2])
  }

  func write(
    _ row: SourceRow, _ context: FieldBinder.Context, _ runway: LinkedRunway, _ ends: inout RowCursor
  ) throws {
    try own.bind(row, context)
    try write(runway.base, context, &ends, after: own.count)
    try reciprocal.bind(row, context, after: own.count + end.count)
    try write(runway.reciprocal, context, &ends, after: own.count + end.count + reciprocal.count)
    sink.run()
    try details.write(row, context)
  }

  private func write(
    _ place: RowPlace?, _ context: FieldBinder.Context, _ ends: inout RowCursor, after columns: Int
  ) throws {
    guard let place else { return end.bindNulls(after: columns) }
    let row = ends.row(at: place)
    try end.bind(row, context, after: columns)
    try endDetails.write(row, context)
  }
}

/// A runway with its airport, and where it and its ends lie in their files.
struct LinkedRunway {
  /// The airport's number in the directory.
  let airport: Int
  let id: String
  let place: RowPlace
  let length: Int?
  var base: RowPlace?
  var reciprocal: RowPlace?
}

/// Puts runways to their airports, and ends to their runways.
struct RunwayLinks {
  private struct Key: Hashable {
    let airport: Int
    let runway: String
  }

  private let directory: AirportDirectory
  private let problems: ProblemLog
  private var linked: [LinkedRunway] = []
  private var numbers: [Key: Int] = [:]

  /// In the order of the airports, then of the runways' names. What belongs nowhere is dropped and recorded.
  static func link(
    _ runways: [Runway], _ ends: [RunwayEnd], to directory: AirportDirectory, problems: ProblemLog
  ) -> [LinkedRunway] {
    var links = RunwayLinks(directory: directory, problems: problems)
    for runway in runways { links.add(runway) }
    for end in ends { links.add(end) }
    return links.linked.sorted { ($0.airport, $0.id) < ($1.airport, $1.id) }
  }

  private init(directory: AirportDirectory, problems: ProblemLog) {
    self.directory = directory
    self.problems = problems
  }

  private mutating func add(_ runway: Runway) {
    guard let airport = directory.number(of: runway.site) else {
      return drop(
        Runway.file, runway.place, "SITE_NO", runway.site.number, AirportDirectory.noSuchSite)
    }
    let number = numbers.updateValue(linked.count, forKey: Key(airport: airport, runway: runway.id))
    if let number {
      numbers[Key(airport: airport, runway: runway.id)] = number
      return drop(Runway.file, runway.place, "RWY_ID", runway.id, "the runway is there twice")
    }
    linked.append(
      LinkedRunway(airport: airport, id: runway.id, place: runway.place, length: runway.length))
  }

  /// Which of the two ends it is, the two halves of the runway's name tell.
  private mutating func add(_ end: RunwayEnd) {
    let airport = directory.number(of: end.site)
    guard let number = airport.flatMap({ numbers[Key(airport: $0, runway: end.runway)] }) else {
      return drop(RunwayEnd.file, end.place, "RWY_ID", end.runway, "there is no such runway")
    }
    let names = Runway.ends(of: end.runway)
    if end.id == names.base, linked[number].base == nil {
      linked[number].base = end.place
    } else if end.id == names.reciprocal, linked[number].reciprocal == nil {
      linked[number].reciprocal = end.place
    } else {
      drop(
        RunwayEnd.file, end.place, "RWY_END_ID", end.id, "it is no end of \(end.runway), or one too many")
    }
  }

  private func drop(_ file: String, _ place: RowPlace, _ column: String, _ value: String, _ reason: String) {
    problems.drop(UnusableRow(column: column, value: value, reason: reason), file, line: place.line)
  }
}
