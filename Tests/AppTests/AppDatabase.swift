import Foundation
import SQLiteIO

/// `openefb.sqlite` as the app opens it: a copy of the download, in WAL mode.
final class AppDatabase {
  let connection: SQLiteConnection

  init(_ file: URL, copiedTo copy: URL) throws {
    try FileManager.default.copyItem(at: file, to: copy)
    connection = try SQLiteConnection(copy.path, mode: .create)
    try connection.execute("PRAGMA journal_mode = WAL")
  }

  /// Returns all rows of a query, and throws at the first row that does not decode.
  func fetchAll<Record: Decodable>(_ type: Record.Type, _ sql: String, _ arguments: [SQLiteValue] = []) throws
    -> [Record]
  {
    try connection.prepare(sql).map(arguments) { row in
      let pairs = (0..<row.columnCount).map { (row.name($0), row.value($0)) }
      return try Record(from: RowDecoder(row: Dictionary(pairs) { first, _ in first }))
    }
  }

  /// The app's query for the nearest airports within a box, from docs/formats/aviation.md.
  static let nearest = """
    SELECT a.* FROM airports a INNER JOIN airports_rtree r ON a.rowid = r.id WHERE r.minLat <= ? AND r.maxLat >= ? AND r.minLon <= ? AND r.maxLon >= ? ORDER BY ((a.latitude - ?) * (a.latitude - ?) + (a.longitude - ?) * (a.longitude - ?) * COS(a.latitude * 0.0174533) * COS(a.latitude * 0.0174533)) ASC LIMIT ?
    """

  /// - Parameter degrees: half the height and half the width of the box.
  func nearest(_ latitude: Double, _ longitude: Double, within degrees: Double, limit: Int) throws
    -> [Airport]
  {
    let box = [latitude + degrees, latitude - degrees, longitude + degrees, longitude - degrees]
    let place = [latitude, latitude, longitude, longitude]
    return try fetchAll(
      Airport.self, AppDatabase.nearest, (box + place).map(SQLiteValue.real) + [.integer(limit)])
  }
}

/// Decodes a row as GRDB documents it for `Decodable` records: a property from the column of its name, a UUID from 16 bytes or
/// 36 characters, a Boolean from 0 or 1, and a compound value from the JSON text of its column. A missing column or NULL in a
/// property that is not optional is an error.
///
/// It is stricter in two points: a number is never read from text, and an integer never from a fraction.
struct RowDecoder: Decoder {
  let row: [String: SQLiteValue]
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowContainer<Key>(row: row))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NotAValue() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NotAValue() }
}

/// Thrown where a type asks a column for more than one value: then the column holds JSON.
private struct NotAValue: Error {}

private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: [String: SQLiteValue]
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { row.keys.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { row[key.stringValue] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try value(key) == .null }

  private func value(_ key: Key) throws -> SQLiteValue {
    guard let value = row[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: [key], debugDescription: "there is no such column"))
    }
    return value
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let value = try value(key)
    if value == .null {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: [key], debugDescription: "the column is NULL"))
    }
    if type == UUID.self, let uuid = Column.uuid(value) as? T { return uuid }
    do {
      return try T(from: Column(value: value, codingPath: [key]))
    } catch is NotAValue {
      guard case .text(let json) = value else {
        throw DecodingError.typeMismatch(
          type, .init(codingPath: [key], debugDescription: "the column has no text"))
      }
      return try JSONDecoder().decode(type, from: Data(json.utf8))
    }
  }

  func nestedContainer<NestedKey>(keyedBy type: NestedKey.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<NestedKey>
  { throw NotAValue() }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw NotAValue() }
  func superDecoder() throws -> any Decoder { throw NotAValue() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw NotAValue() }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try column(key).decode(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try column(key).decode(type) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try column(key).decode(type) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try column(key).decode(type) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try column(key).decode(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try column(key).decode(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try column(key).decode(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try column(key).decode(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try column(key).decode(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try column(key).decode(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try column(key).decode(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try column(key).decode(type) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try column(key).decode(type) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try column(key).decode(type) }

  private func column(_ key: Key) throws -> Column { Column(value: try value(key), codingPath: [key]) }
}

/// One column as a single value.
private struct Column: Decoder, SingleValueDecodingContainer {
  let value: SQLiteValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw NotAValue() }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NotAValue() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  static func uuid(_ value: SQLiteValue) -> UUID? {
    switch value {
    case .text(let text) where text.utf8.count == 36: UUID(uuidString: text)
    case .blob(let bytes) where bytes.count == 16:
      UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    default: nil
    }
  }

  func decodeNil() -> Bool { value == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .integer(let number) = value, [0, 1].contains(number) else { throw mismatch(type) }
    return number == 1
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .text(let text) = value else { throw mismatch(type) }
    return text
  }

  func decode(_ type: Double.Type) throws -> Double {
    switch value {
    case .real(let number): return number
    case .integer(let number): return Double(number)
    default: throw mismatch(type)
    }
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: self) }

  private func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    guard case .integer(let number) = value, let exact = Number(exactly: number) else { throw mismatch(type) }
    return exact
  }

  private func mismatch(_ type: any Any.Type) -> DecodingError {
    if value == .null {
      return .valueNotFound(type, .init(codingPath: codingPath, debugDescription: "the column is NULL"))
    }
    return .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "the column has \(value)"))
  }
}
