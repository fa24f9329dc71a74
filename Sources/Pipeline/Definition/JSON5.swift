internal import Foundation

/// Decodes JSON5, the format of definitions: JSON with comments and with keys without quotes.
enum JSON5 {
  /// The key of a pipeline file that names the kind of its definition.
  static let kindKey = "kind"
  /// The key that names a schema for editors. It is ignored.
  static let schemaKey = "$schema"

  static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    // Foundation traps on an incomplete character.
    guard String(validating: data, as: UTF8.self) != nil else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "it is no text in UTF-8"))
    }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    return try decoder.decode(type, from: data)
  }

  static func definition<Value: DefinitionObject>(_ type: Value.Type, from data: Data) throws -> Value {
    try decode(Checked<Value>.self, from: data).value
  }
}
