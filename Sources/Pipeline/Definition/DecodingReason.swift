internal import Core
public import Foundation

extension DecodingError {
  /// The path of the key and the problem; with the file's bytes also the line and column.
  public func whereAndWhy(in data: Data? = nil, _ language: String = "JSON") -> String {
    let text = data.map { JSONText($0, language == "JSON5" ? .json5 : .json) }
    if case .dataCorrupted(let context) = self, context.codingPath.isEmpty, let flaw = text?.flaw {
      return "not valid \(language): \(flaw)"
    }
    return (unknownValue(language) ?? problem(language)) + (text?.place(of: keys).map { " (\($0))" } ?? "")
  }

  private func problem(_ language: String) -> String {
    switch self {
    case .keyNotFound(let key, let context):
      "the key `\(path(context.codingPath + [key]))` is missing"
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      "`\(path(context.codingPath))`: " + (mismatch(type, context) ?? context.debugDescription)
    case .dataCorrupted(let context):
      context.codingPath.isEmpty
        ? "not valid \(language)" + (syntaxProblem(context).map { ": \($0)" } ?? "")
        : "`\(path(context.codingPath))`: \(context.debugDescription)"
    @unknown default: "\(self)"
    }
  }

  /// What Foundation says about invalid JSON; nil if it only says that the JSON is invalid.
  private func syntaxProblem(_ context: Context) -> String? {
    let underlying = context.underlyingError.map { $0 as NSError }
    let detail = underlying?.userInfo["NSDebugDescription"] as? String ?? context.debugDescription
    return detail == "The given data was not valid JSON." ? nil : detail
  }

  /// Describes a value of the wrong type. Foundation's message has the names of Swift types.
  private func mismatch(_ type: Any.Type, _ context: Context) -> String? {
    let expected: String
    switch type {
    case is String.Type: expected = "a text in quotation marks"
    case is Bool.Type: expected = "true or false"
    case is any BinaryInteger.Type: expected = "a whole number"
    case is any BinaryFloatingPoint.Type: expected = "a number"
    default:
      let name = "\(type)"
      guard name.hasPrefix("Array") || name.hasPrefix("Dictionary") else { return nil }
      expected = name.hasPrefix("Array") ? "a list in square brackets" : "keys and values in braces"
    }
    let kinds = [
      "string": "a text", "number": "a number", "bool": "true or false", "null": "null", "array": "a list",
      "dictionary": "an object in braces",
    ]
    let words = context.debugDescription.split { !$0.isLetter }.map { $0.lowercased() }
    guard let found = words.firstIndex(of: "found"),
      let kind = words[found...].compactMap({ kinds[$0] }).first
    else { return "\(expected) is expected here" }
    return "\(expected) is expected here, not \(kind)"
  }

  private var keys: [any CodingKey] {
    switch self {
    case .keyNotFound(_, let context), .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      context.codingPath
    @unknown default: []
    }
  }

  /// Describes an unknown value of an enumeration; in a definition, which is JSON5, with the valid ones. Foundation's message has the
  /// name of the Swift type.
  private func unknownValue(_ language: String) -> String? {
    guard case .dataCorrupted(let context) = self,
      let match = context.debugDescription.wholeMatch(
        of: /Cannot initialize (\w+) from invalid String value (.*)/)
    else { return nil }
    let isExport = context.codingPath.contains { $0.stringValue == "exports" }
    let value = String(match.2)
    guard language == "JSON5",
      let values = knownValues(ofType: String(match.1), isExport: isExport)
    else {
      return "`\(path(keys))`: \"\(value)\" is not a known value"
    }
    return "`\(path(keys))`: \(Core.unknownValue(value, among: values))"
  }

  /// The valid values of an enumeration in definitions, by the name of its Swift type.
  private func knownValues(ofType name: String, isExport: Bool) -> [String]? {
    switch name {
    case "Seam": ChartFamily.Seam.allCases.map(\.rawValue)
    case "Fit": ChartFamily.Fit.allCases.map(\.rawValue)
    case "Archive": TileSettings.Archive.allCases.map(\.rawValue)
    case "Format" where isExport: ExportDefinition.Format.allCases.map(\.rawValue)
    case "Format": TileSettings.Format.allCases.map(\.rawValue)
    default: nil
    }
  }

  private func path(_ keys: [any CodingKey]) -> String {
    keys.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
      .joined().trimmingPrefix(".").description
  }
}

/// Any key in a file.
struct WrittenKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer {
  /// The error for the value of a key.
  func fault(_ key: Key, _ problem: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: problem)
  }
}

/// The keys of an object in a definition, which has no others.
protocol DefinitionKey: CodingKey, CaseIterable {}

/// An object in a definition.
protocol DefinitionObject: Decodable {
  associatedtype CodingKeys: DefinitionKey

  /// Rejects values that do not fit together, and completes the object.
  mutating func check(_ container: KeyedDecodingContainer<CodingKeys>) throws
}

extension DefinitionObject {
  func check(_ container: KeyedDecodingContainer<CodingKeys>) {}
}

/// Decodes and checks such an object.
struct Checked<Value: DefinitionObject>: Decodable {
  private(set) var value: Value

  init(from decoder: any Decoder) throws {
    // The definition's own object has these keys too.
    let others = decoder.codingPath.isEmpty ? [JSON5.kindKey, JSON5.schemaKey] : []
    try decoder.refuseKeys(besides: Value.CodingKeys.self, others)
    value = try Value(from: decoder)
    try value.check(decoder.container(keyedBy: Value.CodingKeys.self))
  }
}

extension Decoder {
  /// Rejects unknown keys. Otherwise a misspelt setting would keep its default without a message.
  func refuseKeys<Key: CodingKey & CaseIterable>(
    besides known: Key.Type, _ others: [String] = []
  ) throws {
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

/// The initializers that the compiler writes use these too.
extension KeyedDecodingContainer {
  func decode<Value: DefinitionObject>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decode(Checked<Value>.self, forKey: key).value
  }

  func decodeIfPresent<Value: DefinitionObject>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try decodeIfPresent(Checked<Value>.self, forKey: key)?.value
  }

  func decode<Value: DefinitionObject>(_ type: [Value].Type, forKey key: Key) throws -> [Value] {
    try decode([Checked<Value>].self, forKey: key).map(\.value)
  }

  func decodeIfPresent<Value: DefinitionObject>(_ type: [Value].Type, forKey key: Key) throws -> [Value]? {
    try decodeIfPresent([Checked<Value>].self, forKey: key)?.map(\.value)
  }

  func decodeIfPresent<Value: DefinitionObject>(
    _ type: [String: Value].Type, forKey key: Key
  ) throws -> [String: Value]? {
    try decodeIfPresent([String: Checked<Value>].self, forKey: key)?.mapValues(\.value)
  }
}
