/// What the codes of one column mean, in the words that the apps use.
struct CodeBook: ExpressibleByDictionaryLiteral {
  private let words: [String: String]

  init(dictionaryLiteral pairs: (String, String)...) {
    words = Dictionary(uniqueKeysWithValues: pairs)
  }

  subscript(code: String) -> String? { words[code] }
}
