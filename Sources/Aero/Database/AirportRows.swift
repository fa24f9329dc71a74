internal import SQLiteIO

/// Writes the airports and their runways: each row from where it lies in its file.
struct AirportRows {
  let directory: AirportDirectory
  let writer: DatabaseWriter

  func write(
    _ airports: LoadedTable, longest: [Int: Int], ctaf: [Int: Double], unicom: [Int: Double]
  ) throws {
    let table = SourceTable.airports
    try writer.insert(table.schema) { statement in
      let fields = FieldBinder(table.fields, to: statement)
      try airports.visit(table.wanted) { cursor in
        for (number, entry) in directory.entries.enumerated() {
          var context = FieldBinder.Context(number: number + 1, airport: entry)
          context.airport?.longestRunway = longest[number]
          context.airport?.ctaf = ctaf[number]
          context.airport?.unicom = unicom[number]
          try cursor.read(entry.airport.place) { row in
            try fields.bind(row, context)
            try statement.runUnique()
          }
        }
      }
    }
  }

  func write(_ linked: [LinkedRunway], _ runways: LoadedTable, _ ends: LoadedTable) throws {
    try writer.insert(AirportSchema.runways) { statement in
      let fields = RunwayBinder(statement)
      try runways.visit(RunwayBinder.wanted) { runways in
        try ends.visit(RunwayBinder.end.wanted) { ends in
          for runway in linked {
            let context = FieldBinder.Context(airport: directory.entries[runway.airport])
            try runways.read(runway.place) { row in
              try fields.bind(row, context, runway, &ends)
              try statement.runUnique()
            }
          }
        }
      }
    }
  }
}

/// Binds a runway's row, and the rows of its ends where it has them.
private struct RunwayBinder {
  static let end = RunwayFields.end("baseEnd")
  static let wanted = (RunwayFields.own + RunwayFields.reciprocal).wanted

  private let own: FieldBinder
  private let reciprocal: FieldBinder
  private let end: FieldBinder

  init(_ statement: SQLiteStatement) {
    own = FieldBinder(RunwayFields.own, to: statement)
    reciprocal = FieldBinder(
      RunwayFields.reciprocal, from: RunwayFields.own.wanted.count, to: statement)
    end = FieldBinder(RunwayBinder.end, to: statement)
  }

  func bind(
    _ row: SourceRow, _ context: FieldBinder.Context, _ runway: LinkedRunway, _ ends: inout RowCursor
  ) throws {
    try own.bind(row, context)
    try bind(runway.base, context, &ends, after: own.count)
    try reciprocal.bind(row, context, after: own.count + end.count)
    try bind(runway.reciprocal, context, &ends, after: own.count + end.count + reciprocal.count)
  }

  private func bind(
    _ place: RowPlace?, _ context: FieldBinder.Context, _ ends: inout RowCursor, after parameters: Int
  ) throws {
    if let place {
      try end.bind(ends.row(at: place), context, after: parameters)
    } else {
      try end.bindNulls(after: parameters)
    }
  }
}
