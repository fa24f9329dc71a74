internal import SQLiteIO

/// A value of a source or of the database, in the form in which the two are compared.
enum AuditValue {
  case null
  case number(Double)
  /// ASCII in the source's bytes.
  case bytes(UnsafeBufferPointer<UInt8>)
  case text(String)

  init(_ text: String?) { self = text.map(AuditValue.text) ?? .null }
  init(_ number: Double?) { self = number.map(AuditValue.number) ?? .null }
  init(_ number: Int?) { self.init(number.map(Double.init)) }
  init(_ flag: Bool?) { self.init(flag.map { $0 ? 1 : 0 }) }

  var isNull: Bool { if case .null = self { true } else { false } }

  var hash: UInt64 {
    switch self {
    case .null: 1
    case .number(let number): AuditHash.mix(number.bitPattern ^ 0x9E37_79B9_7F4A_7C15)
    case .bytes(let bytes): AuditHash.of(bytes)
    case .text(var text): text.withUTF8 { AuditHash.of($0) }
    }
  }

  /// As a finding shows it.
  var shown: String {
    switch self {
    case .null: "nothing"
    case .number(let number):
      number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    case .bytes(let bytes): "\"\(String(decoding: bytes.prefix(60), as: UTF8.self))\""
    case .text(let text): "\"\(text.prefix(60))\""
    }
  }
}

/// A hash of 64 bits, which is another one in each process.
enum AuditHash {
  static func mix(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }

  static func of(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  /// Adds the next column's hash to that of a row.
  static func add(_ value: UInt64, to row: inout UInt64) { row = mix(row ^ value) &+ 0x8EBC_6AF0_9C88_C6E3 }
}

extension SQLiteRow {
  func auditHash(_ column: Int) -> UInt64 {
    if isNull(column) { return AuditValue.null.hash }
    if isNumber(column) { return AuditValue.number(double(column)).hash }
    // Bytes are no text, even where they read like one. To read them as text changes their type.
    let mark: UInt64 = isBlob(column) ? 1 : 0
    return withText(column) { AuditHash.of($0) } &+ mark
  }

  func auditValue(_ column: Int) -> AuditValue {
    isNull(column) ? .null : isNumber(column) ? .number(double(column)) : AuditValue(text(column))
  }
}
