internal import SQLiteIO

/// Reads the fields of rows into the columns of a table, directly from the bytes of the file.
struct FieldBinder {
  /// What a field can depend on besides the row.
  struct Context {
    var airport: AirportDirectory.Entry?
    /// The airport's number, or the id of the row, that owns the row.
    var owner: Int?
  }

  /// How each field is read, and the number of its first column among those that are wanted.
  private var steps: [(way: Reading.Way, wanted: Int, isRequired: Bool)] = []
  private let rows: RowNumbers
  /// By the names of their tables.
  private let texts: [String: GatheredTexts]
  private let directory: AirportDirectory?
  private let sink: RowSink
  /// The number of the first column after those that it reads; the columns of the table's keys follow.
  let end: Int

  /// - Parameter wanted: the number of the first column that it reads.
  init(
    _ fields: [Field], from wanted: Int, to sink: RowSink, rows: RowNumbers = RowNumbers(),
    texts: [String: GatheredTexts] = [:], directory: AirportDirectory? = nil
  ) {
    (self.sink, self.rows, self.texts, self.directory) = (sink, rows, texts, directory)
    var wanted = wanted
    for field in fields {
      steps.append((field.reading.way, wanted, field.isRequired))
      wanted += field.reading.columns.count
    }
    end = wanted
  }

  /// Binds all fields. Throws if a required one has no value.
  func bind(_ row: SourceRow, _ context: Context) throws {
    for index in steps.indices {
      let step = steps[index]
      let hasValue = try bind(step.way, row, step.wanted, context, at: index + 1)
      guard hasValue || !step.isRequired else {
        throw row.unusable(step.wanted, row.value(step.wanted).isEmpty ? "it is empty" : "it cannot be used")
      }
    }
  }

  /// Returns whether there was a value to bind.
  private func bind(
    _ way: Reading.Way, _ row: SourceRow, _ wanted: Int, _ context: Context, at index: Int
  ) throws -> Bool {
    switch way {
    case .number: return try bind(sink.rows + 1, at: index)
    case .count: return try bind(sink.rows(of: context.owner) + 1, at: index)
    case .airport: return try bind(SQLiteValue(context.airport?.icao), at: index)
    case .airportNamed:
      return try bind(SQLiteValue(row.text(wanted).flatMap { directory?.icao(named: $0) }), at: index)
    case .owner: return try bind(context.owner, at: index)
    case .text: return try bind(row.value(wanted), at: index)
    case .either:
      let first = row.value(wanted)
      return try bind(first.isEmpty ? row.value(wanted + 1) : first, at: index)
    case .real(let range): return try bind(row.number(wanted, in: range), at: index)
    case .whole(let range): return try bind(row.whole(wanted, in: range), at: index)
    case .flag(let whenEmpty):
      return try bind(row.flag(wanted, whenEmpty: whenEmpty).map { $0 ? 1 : 0 }, at: index)
    case .date: return try bind(SQLiteValue(row.date(wanted)), at: index)
    case .variation: return try bind(row.variation(wanted, wanted + 1), at: index)
    case .word(let book): return try bind(SQLiteValue(row.word(wanted, book)), at: index)
    case .computed(let compute): return try bind(compute(row, wanted), at: index)
    case .atAirport(let compute):
      return try bind(context.airport.map { compute(row, wanted, $0) } ?? .null, at: index)
    case .link(let key):
      let name = row.key(wanted..<wanted + key.columns.count)
      return try bind(name.flatMap { rows.id(of: key, $0) }, at: index)
    case .gathered(let gathering, let compute):
      let key = row.key(end..<end + gathering.key.columns.count)
      return try bind(compute(texts[gathering.source]?.text(of: key), row, wanted), at: index)
    case .joined:
      // Its value is joined later, also that of a required field.
      try sink.insertion.bindNull(at: index)
      return true
    }
  }

  private func bind(_ value: SQLiteValue, at index: Int) throws -> Bool {
    try sink.insertion.bind(value, at: index)
    return value != .null
  }

  private func bind(_ value: CSVValue, at index: Int) throws -> Bool {
    try sink.insertion.bind(value, at: index)
    return !value.isEmpty
  }

  private func bind(_ number: Int?, at index: Int) throws -> Bool { try bind(SQLiteValue(number), at: index) }

  private func bind(_ number: Double?, at index: Int) throws -> Bool {
    try bind(SQLiteValue(number), at: index)
  }
}
