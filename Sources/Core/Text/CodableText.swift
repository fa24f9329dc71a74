/// A value that JSON has as text, in exactly the form of its description, such as a date or a hash.
public protocol CodableText: Codable, LosslessStringConvertible {
  /// For messages: `a day such as 2026-11-26`
  static var form: String { get }
}

extension CodableText {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Self(text), value.description == text else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text.prefix(80))\" is not \(Self.form)")
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
