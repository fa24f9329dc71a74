internal import SQLiteIO

/// The rows of a table whose columns depend on tables that are read later. They wait in memory in the order of the file.
///
/// A value is stored as a byte for its kind and as many bytes as it needs, which is a quarter of a `RowBatch.Value`. A class, since the
/// thread of a `RowStream` adds the rows. Used by one thread at a time.
final class WaitingRows {
  private enum Kind {
    static let null: UInt8 = 0
    static let integer: UInt8 = 1
    static let real: UInt8 = 2
    static let text: UInt8 = 3
    static let blob: UInt8 = 4
    static let number: UInt8 = 5
    static let count: UInt8 = 6
    /// This and all greater ones are the integers from 0 on.
    static let smallInteger: UInt8 = 16
  }

  let columns: Int
  private(set) var bytes: [UInt8] = []
  private var rows: [(start: Int, line: Int)] = []

  init(columns: Int) { self.columns = columns }

  /// - Parameter texts: the texts of the batch to which the values belong.
  func add(_ values: ArraySlice<RowBatch.Value>, _ texts: UnsafeBufferPointer<UInt8>, line: Int) {
    rows.append((bytes.count, line))
    for value in values {
      switch value {
      case .null: bytes.append(Kind.null)
      case .integer(let value):
        if let small = UInt8(exactly: value), small <= .max - Kind.smallInteger {
          bytes.append(Kind.smallInteger + small)
        } else {
          add(Kind.integer, value)
        }
      case .real(let value): add(Kind.real, value.bitPattern)
      case .text(let start, let count): add(Kind.text, texts[start..<start + count])
      case .blob(let start, let count): add(Kind.blob, texts[start..<start + count])
      case .number: bytes.append(Kind.number)
      case .count: bytes.append(Kind.count)
      }
    }
  }

  private func add(_ kind: UInt8, _ value: some FixedWidthInteger) {
    bytes.append(kind)
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  private func add(_ kind: UInt8, _ text: Slice<UnsafeBufferPointer<UInt8>>) {
    add(kind, Int32(text.count))
    bytes.append(contentsOf: text)
  }

  /// The number of the row's line in the file. Rows are counted from 0.
  func line(of row: Int) -> Int { rows[row].line }

  /// Binds the values of a row to all columns of a sink.
  func bind(_ row: Int, to sink: RowSink) { bind(row, to: sink, at: 1...columns) }

  /// Binds the values of a row to these columns of a sink, in their order.
  func bind(_ row: Int, to sink: RowSink, at columns: some Sequence<Int>) {
    bytes.withUnsafeBytes { bytes in
      var reader = Reader(bytes: bytes, position: rows[row].start)
      for column in columns { reader.bindNext(to: sink, at: column) }
    }
  }

  private struct Reader {
    let bytes: UnsafeRawBufferPointer
    var position: Int

    mutating func bindNext(to sink: RowSink, at column: Int) {
      switch next(UInt8.self) {
      case Kind.null: sink.bind(RowBatch.Value.null, at: column)
      case Kind.integer: sink.bind(RowBatch.Value.integer(next(Int.self)), at: column)
      case Kind.real: sink.bind(RowBatch.Value.real(Double(bitPattern: next(UInt64.self))), at: column)
      case Kind.text: sink.bind(text: text(), at: column)
      case Kind.blob: sink.bind(.blob(Array(text())), at: column)
      case Kind.number: sink.bind(RowBatch.Value.number, at: column)
      case Kind.count: sink.bind(RowBatch.Value.count, at: column)
      case let kind: sink.bind(RowBatch.Value.integer(Int(kind - Kind.smallInteger)), at: column)
      }
    }

    private mutating func next<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type) -> Number {
      defer { position += MemoryLayout<Number>.size }
      return bytes.loadUnaligned(fromByteOffset: position, as: Number.self)
    }

    private mutating func text() -> UnsafeRawBufferPointer {
      let count = Int(next(Int32.self))
      defer { position += count }
      return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }
  }
}

@available(*, unavailable)
extension WaitingRows: Sendable {}

/// The rows that wait, by their table. A class, since copies of a `DatabaseWriter` share them. Used by one thread.
final class WaitingTables {
  private var tables: [String: WaitingRows] = [:]

  /// Rows of a table to which a stream adds.
  func begin(_ table: SourceTable) -> WaitingRows {
    let rows = WaitingRows(columns: table.fields.count)
    tables[table.schema.name] = rows
    return rows
  }

  /// Removes and returns the rows of a table.
  func take(_ table: SourceTable) -> WaitingRows {
    tables.removeValue(forKey: table.schema.name) ?? WaitingRows(columns: table.fields.count)
  }
}

@available(*, unavailable)
extension WaitingTables: Sendable {}
