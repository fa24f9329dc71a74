internal import Core
internal import Foundation

/// Any JSON value of an archive's metadata.
public enum JSONValue: Codable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let object = try? container.decode([String: JSONValue].self) {
      self = .object(object)
    } else if let array = try? container.decode([JSONValue].self) {
      self = .array(array)
    } else if let flag = try? container.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? container.decode(Int.self) {
      self = .integer(number)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .null
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let flag): try container.encode(flag)
    case .integer(let number): try container.encode(number)
    case .number(let number): try container.encode(number)
    case .string(let text): try container.encode(text)
    case .array(let values): try container.encode(values)
    case .object(let members): try container.encode(members)
    }
  }

  /// The members of a JSON object; nil for any other text.
  static func members(of json: some Sequence<UInt8>) -> [String: JSONValue]? {
    try? JSONDecoder().decode([String: JSONValue].self, from: Data(json))
  }

  /// A string's characters, or the value as JSON.
  var text: String? {
    if case .string(let text) = self { return text }
    return try? JSONValue.line(self)
  }

  static func line(_ value: some Encodable) throws -> String {
    String(decoding: try CanonicalJSON.line(value), as: UTF8.self)
  }
}
