internal import SQLiteIO

/// Writes the airports and their runways: each row from where it lies in its file.
struct AirportRows {
  let directory: AirportDirectory
  let writer: DatabaseWriter

  func write(
    _ airports: LoadedTable, longest: [Int: Int], ctaf: [Int: Double], unicom: [Int: Double]
  ) throws {
    let (table, details) = (SourceTable.airports, SourceTable.airportDetails)
    try writer.insert(into: [table.schema, details.schema]) { inserts in
      let rows = BoundRows(table.fields, inserts[0])
      let more = BoundRows(details.fields, from: table.fields.wanted.count, inserts[1])
      try airports.visit(table.fields.wanted + details.fields.wanted) { cursor in
        for (number, entry) in directory.entries.enumerated() {
          var context = FieldBinder.Context(number: number + 1, airport: entry)
          context.airport?.longestRunway = longest[number]
          context.airport?.ctaf = ctaf[number]
          context.airport?.unicom = unicom[number]
          try cursor.read(entry.airport.place) { row in
            try rows.write(row, context)
            try more.write(row, context)
          }
        }
      }
    }
  }

  func write(_ linked: [LinkedRunway], _ runways: LoadedTable, _ ends: LoadedTable) throws {
    let details = [SourceTable.runwayDetails.schema, SourceTable.runwayEndDetails.schema]
    try writer.insert(into: [AirportSchema.runways] + details) { inserts in
      let rows = RunwayRows(inserts)
      try runways.visit(RunwayRows.wanted) { runways in
        try ends.visit(RunwayRows.wantedOfEnds) { ends in
          for runway in linked {
            let context = FieldBinder.Context(airport: directory.entries[runway.airport])
            try runways.read(runway.place) { try rows.write($0, context, runway, &ends) }
          }
        }
      }
    }
  }
}

/// The rows of a table, each written from one row of a file.
private struct BoundRows {
  private let fields: FieldBinder
  private let insert: SQLiteStatement

  init(_ fields: [Field], from wanted: Int = 0, _ insert: SQLiteStatement) {
    self.fields = FieldBinder(fields, from: wanted, to: insert)
    self.insert = insert
  }

  func write(_ row: SourceRow, _ context: FieldBinder.Context) throws {
    try fields.bind(row, context)
    try insert.runUnique()
  }
}

/// The rows of `runways`, each made of a runway's row and of those of its ends, and what else the same rows say.
private struct RunwayRows {
  private static let endFields = RunwayFields.end("baseEnd")
  private static let ownColumns = (RunwayFields.own + RunwayFields.reciprocal).wanted
  static let wanted = ownColumns + SourceTable.runwayDetails.fields.wanted
  static let wantedOfEnds = endFields.wanted + SourceTable.runwayEndDetails.fields.wanted

  private let insert: SQLiteStatement
  private let own: FieldBinder
  private let reciprocal: FieldBinder
  private let end: FieldBinder
  private let details: BoundRows
  private let endDetails: BoundRows

  /// - Parameter inserts: into the runways, their details, and those of their ends.
  init(_ inserts: [SQLiteStatement]) {
    insert = inserts[0]
    own = FieldBinder(RunwayFields.own, to: insert)
    reciprocal = FieldBinder(RunwayFields.reciprocal, from: RunwayFields.own.wanted.count, to: insert)
    end = FieldBinder(RunwayRows.endFields, to: insert)
    details = BoundRows(
      SourceTable.runwayDetails.fields, from: RunwayRows.ownColumns.count, inserts[1])
    endDetails = BoundRows(
      SourceTable.runwayEndDetails.fields, from: RunwayRows.endFields.wanted.count, inserts[2])
  }

  func write(
    _ row: SourceRow, _ context: FieldBinder.Context, _ runway: LinkedRunway, _ ends: inout RowCursor
  ) throws {
    try own.bind(row, context)
    try write(runway.base, context, &ends, after: own.count)
    try reciprocal.bind(row, context, after: own.count + end.count)
    try write(runway.reciprocal, context, &ends, after: own.count + end.count + reciprocal.count)
    try insert.runUnique()
    try details.write(row, context)
  }

  private func write(
    _ place: RowPlace?, _ context: FieldBinder.Context, _ ends: inout RowCursor, after parameters: Int
  ) throws {
    guard let place else { return try end.bindNulls(after: parameters) }
    let row = ends.row(at: place)
    try end.bind(row, context, after: parameters)
    try endDetails.write(row, context)
  }
}
