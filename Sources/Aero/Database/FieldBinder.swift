internal import SQLiteIO

/// Binds the fields of rows to the parameters of a statement, straight from the bytes of the file.
///
/// The readings are laid out once, in a form that holds no references: that of a field costs a row nothing but its work.
struct FieldBinder {
  /// A row's place among the others, and what is known of it besides what it says.
  struct Context {
    var number = 1
    /// Its number within the airport to which it belongs.
    var count = 1
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
  private var named: [(kind: RowKey, columns: Int)] = []
  private var gathered: [Gathered] = []
  private let statement: SQLiteStatement
  private let rows: RowNumbers
  private let texts: [String: GatheredTexts]
  /// After the columns that it reads; those of the table's keys follow.
  private(set) var end = 0

  /// Reads columns that are wanted from this one on.
  init(
    _ fields: [Field], from wanted: Int = 0, to statement: SQLiteStatement, rows: RowNumbers = RowNumbers(),
    texts: [String: GatheredTexts] = [:]
  ) {
    self.statement = statement
    self.rows = rows
    self.texts = texts
    var wanted = wanted
    for field in fields {
      steps.append(Step(way: way(field.reading), wanted: wanted, isRequired: field.isRequired))
      wanted += field.reading.sources.count
    }
    end = wanted
  }

  private mutating func way(_ reading: Field.Reading) -> Way {
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
      named.append((kind, columns.count))
      return .row(named.count - 1)
    case .gathered(_, let gathering, _, let make):
      gathered.append((texts[gathering.source], gathering.key.columns.count, make))
      return .gathered(gathered.count - 1)
    }
  }

  var count: Int { steps.count }

  /// Binds all fields, the first of them to the parameter after so many others.
  func bind(_ row: SourceRow, _ context: Context, after parameters: Int = 0) throws {
    for index in steps.indices {
      let step = steps[index]
      let isThere = try bind(step, row, context, at: parameters + index + 1)
      guard isThere || !step.isRequired else {
        throw row.unusable(step.wanted, "it is empty or cannot be used")
      }
    }
  }

  /// Where there is no row.
  func bindNulls(after parameters: Int) throws {
    for index in steps.indices { try statement.bindNull(at: parameters + index + 1) }
  }

  /// Whether there was a value to bind.
  private func bind(_ step: Step, _ row: SourceRow, _ context: Context, at index: Int) throws -> Bool {
    let wanted = step.wanted
    switch step.way {
    case .number: return try bind(context.number, at: index)
    case .count: return try bind(context.count, at: index)
    case .airport: return try bind(SQLiteValue(context.airport?.icao), at: index)
    case .owner: return try bind(context.owner, at: index)
    case .text: return try bind(row.value(wanted), at: index)
    case .either:
      let first = row.value(wanted)
      return try bind(first.isEmpty ? row.value(wanted + 1) : first, at: index)
    case .real(let range): return try bind(row.number(wanted, in: range), at: index)
    case .whole(let range): return try bind(row.whole(wanted, in: range), at: index)
    case .flag: return try bind(row.isYes(wanted) ? 1 : 0, at: index)
    case .date: return try bind(SQLiteValue(row.date(wanted)), at: index)
    case .variation: return try bind(row.variation(wanted, wanted + 1), at: index)
    case .word(let book):
      guard let word = books[book][row.value(wanted)] else {
        return try bind(SQLiteValue(row.word(wanted, books[book])), at: index)
      }
      try statement.bind(borrowed: word.bytes, at: index)
      return true
    case .made(let number): return try bind(try made[number](row, wanted), at: index)
    case .atAirport(let number):
      return try bind(context.airport.map { atAirport[number](row, wanted, $0) } ?? .null, at: index)
    case .row(let number):
      let (kind, columns) = named[number]
      return try bind(row.key(wanted..<wanted + columns).flatMap { rows.id(of: $0, in: kind) }, at: index)
    case .gathered(let number):
      let (texts, keys, make) = gathered[number]
      return try bind(make(texts?.text(of: row.key(end..<end + keys)), row, wanted), at: index)
    }
  }

  private func bind(_ value: SQLiteValue, at index: Int) throws -> Bool {
    try statement.bind(value, at: index)
    return value != .null
  }

  private func bind(_ value: CSVValue, at index: Int) throws -> Bool {
    guard !value.isEmpty else { return try bindNull(at: index) }
    if let bytes = value.asciiBytes {
      try statement.bind(borrowed: bytes, at: index)
    } else {
      try statement.bind(.text(value.text), at: index)
    }
    return true
  }

  private func bind(_ number: Int?, at index: Int) throws -> Bool {
    guard let number else { return try bindNull(at: index) }
    try statement.bind(number, at: index)
    return true
  }

  private func bind(_ number: Double?, at index: Int) throws -> Bool {
    guard let number else { return try bindNull(at: index) }
    try statement.bind(number, at: index)
    return true
  }

  private func bindNull(at index: Int) throws -> Bool {
    try statement.bindNull(at: index)
    return false
  }
}
