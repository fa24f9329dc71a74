internal import Core

/// Any key that a person wrote.
private struct WrittenKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Decoder {
  /// Refuses a key that nobody reads: a setting that is misspelt would else be left at its usual value, in silence.
  func refuseKeys<Key: CodingKey & CaseIterable>(besides known: Key.Type, _ others: [String] = []) throws {
    let names = known.allCases.map(\.stringValue)
    let written = try container(keyedBy: WrittenKey.self).allKeys
    guard let stray = written.first(where: { !(names + others).contains($0.stringValue) }) else { return }
    let near = nearest(to: stray.stringValue, among: names)
    throw DecodingError.dataCorrupted(
      .init(
        codingPath: codingPath + [stray],
        debugDescription: "there is no such key; "
          + (near.map { "did you mean `\($0)`?" } ?? "there are \(names.joined(separator: ", "))")))
  }
}
