/// The words for the codes of one column.
///
/// Codes and words are constants of the program. A code is compared with the bytes of the file, and its word is written to the
/// database without a copy.
struct CodeBook: ExpressibleByDictionaryLiteral {
  private let entries: [(code: StaticString, word: StaticString)]

  init(dictionaryLiteral pairs: (StaticString, StaticString)...) { entries = pairs }

  /// In the order of the declaration.
  var pairs: [(code: String, word: String)] {
    entries.map { ($0.code.description, $0.word.description) }
  }

  /// The codes of each word, in their order.
  var codes: [String: [String]] {
    Dictionary(grouping: entries, by: \.word.description).mapValues { $0.map(\.code.description) }
  }

  var words: Set<String> { Set(entries.map(\.word.description)) }

  subscript(code: CSVValue) -> StaticString? { entries.first { code.equals($0.code) }?.word }

  subscript(code: some StringProtocol) -> String? {
    entries.first { $0.code.bytes.elementsEqual(code.utf8) }?.word.description
  }
}

extension StaticString {
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
}
