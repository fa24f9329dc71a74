internal import SQLiteIO

/// Reads the fields of rows into the columns of a table, straight from the bytes of the file.
///
/// The readings are laid out once, in a form that holds no references: that of a field costs a row nothing but its work.
struct FieldBinder {
  /// What is known of a row besides what it says.
  struct Context {
    /// Nil where the rows are numbered as they are written.
    var number: Int?
    var airport: AirportDirectory.Entry?
    /// The id of the row to which it belongs.
    var owner: Int?
  }

  private struct Step {
    let way: Way
    /// Where the columns that it reads begin among those that are wanted.
    let wanted: Int
    let isRequired: Bool
  }

  /// `Field.Reading`, with a number for whatever is kept elsewhere.
  private enum Way {
    case number, airport, count, owner, text, flag, date, variation
    case either
    case real(ClosedRange<Double>)
    case whole(ClosedRange<Int>)
    case word(Int)
    case made(Int)
    case atAirport(Int)
    case row(Int)
    case gathered(Int)
  }

  private typealias Gathered = (
    texts: GatheredTexts?, keys: Int, make: @Sendable (String?, SourceRow, Int) -> SQLiteValue
  )

  private var steps: [Step] = []
  private var books: [CodeBook] = []
  private var made: [@Sendable (SourceRow, Int) throws(UnusableRow) -> SQLiteValue] = []
  private var atAirport: [@Sendable (SourceRow, Int, AirportDirectory.Entry) -> SQLiteValue] = []
  private var named: [(ids: RowNumbers.Ids, columns: Int)] = []
  private var gathered: [Gathered] = []
  private let sink: RowSink
  private let texts: [String: GatheredTexts]
  /// After the columns that it reads; those of the table's keys follow.
  private(set) var end = 0

  /// Reads columns that are wanted from this one on.
  init(
    _ fields: [Field], from wanted: Int = 0, to sink: RowSink, rows: RowNumbers = RowNumbers(),
    texts: [String: GatheredTexts] = [:]
  ) {
    self.sink = sink
    self.texts = texts
    var wanted = wanted
    for field in fields {
      steps.append(Step(way: way(field.reading, rows), wanted: wanted, isRequired: field.isRequired))
      wanted += field.reading.sources.count
    }
    end = wanted
  }

  private mutating func way(_ reading: Field.Reading, _ rows: RowNumbers) -> Way {
    switch reading {
    case .number: return .number
    case .airport: return .airport
    case .count: return .count
    case .owner: return .owner
    case .text: return .text
    case .either: return .either
    case .flag: return .flag
    case .date: return .date
    case .variation: return .variation
    case .real(_, let range): return .real(range)
    case .whole(_, let range): return .whole(range)
    case .word(_, let book):
      books.append(book)
      return .word(books.count - 1)
    case .made(_, _, let make):
      made.append(make)
      return .made(made.count - 1)
    case .atAirport(_, _, let make):
      atAirport.append(make)
      return .atAirport(atAirport.count - 1)
    case .row(let kind, let columns):
      named.append((rows.ids(of: kind), columns.count))
      return .row(named.count - 1)
    case .gathered(_, let gathering, _, let make):
      gathered.append((texts[gathering.source], gathering.key.columns.count, make))
      return .gathered(gathered.count - 1)
    }
  }

  var count: Int { steps.count }

  /// Binds all fields, the first of them to the column after so many others.
  func bind(_ row: SourceRow, _ context: Context, after columns: Int = 0) throws {
    for index in steps.indices {
      let step = steps[index]
      let isThere = try bind(step, row, context, at: columns + index + 1)
      guard isThere || !step.isRequired else {
        throw row.unusable(
          step.wanted, row.value(step.wanted).isEmpty ? "it is empty" : "it cannot be used")
      }
    }
  }

  /// Where there is no row.
  func bindNulls(after columns: Int) {
    for index in steps.indices { sink.bind(RowBatch.Value.null, at: columns + index + 1) }
  }

  /// Whether there was a value to bind.
  private func bind(_ step: Step, _ row: SourceRow, _ context: Context, at index: Int) throws -> Bool {
    let wanted = step.wanted
    switch step.way {
    case .number: return bind(context.number.map(RowBatch.Value.integer) ?? .number, at: index)
    case .count: return bind(RowBatch.Value.count, at: index)
    case .airport: return bind(SQLiteValue(context.airport?.icao), at: index)
    case .owner: return bind(context.owner, at: index)
    case .text: return bind(row.value(wanted), at: index)
    case .either:
      let first = row.value(wanted)
      return bind(first.isEmpty ? row.value(wanted + 1) : first, at: index)
    case .real(let range): return bind(row.number(wanted, in: range), at: index)
    case .whole(let range): return bind(row.whole(wanted, in: range), at: index)
    case .flag: return bind(row.flag(wanted).map { $0 ? 1 : 0 }, at: index)
    case .date: return bind(SQLiteValue(row.date(wanted)), at: index)
    case .variation: return bind(row.variation(wanted, wanted + 1), at: index)
    case .word(let book):
      guard let word = books[book][row.value(wanted)] else {
        return bind(SQLiteValue(row.word(wanted, books[book])), at: index)
      }
      sink.bind(text: word.bytes, at: index)
      return true
    case .made(let number): return bind(try made[number](row, wanted), at: index)
    case .atAirport(let number):
      return bind(context.airport.map { atAirport[number](row, wanted, $0) } ?? .null, at: index)
    case .row(let number):
      let (ids, columns) = named[number]
      return bind(row.key(wanted..<wanted + columns).flatMap { ids[$0] }, at: index)
    case .gathered(let number):
      let (texts, keys, make) = gathered[number]
      return bind(make(texts?.text(of: row.key(end..<end + keys)), row, wanted), at: index)
    }
  }

  private func bind(_ value: RowBatch.Value, at index: Int) -> Bool {
    sink.bind(value, at: index)
    return true
  }

  private func bind(_ value: SQLiteValue, at index: Int) -> Bool {
    sink.bind(value, at: index)
    return value != .null
  }

  private func bind(_ value: CSVValue, at index: Int) -> Bool {
    guard !value.isEmpty else { return bindNull(at: index) }
    if let bytes = value.asciiBytes {
      sink.bind(text: bytes, at: index)
    } else {
      sink.bind(text: value.text.utf8, at: index)
    }
    return true
  }

  private func bind(_ number: Int?, at index: Int) -> Bool {
    guard let number else { return bindNull(at: index) }
    return bind(RowBatch.Value.integer(number), at: index)
  }

  private func bind(_ number: Double?, at index: Int) -> Bool {
    guard let number else { return bindNull(at: index) }
    return bind(RowBatch.Value.real(number), at: index)
  }

  private func bindNull(at index: Int) -> Bool {
    sink.bind(RowBatch.Value.null, at: index)
    return false
  }
}
