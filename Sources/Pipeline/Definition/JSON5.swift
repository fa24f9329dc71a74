internal import Foundation

/// What people write by hand: JSON with comments, and without the quotes around keys.
enum JSON5 {
  static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    // Foundation traps where a character is cut off.
    guard String(validating: data, as: UTF8.self) != nil else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "it is no text in UTF-8"))
    }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    return try decoder.decode(type, from: data)
  }
}
