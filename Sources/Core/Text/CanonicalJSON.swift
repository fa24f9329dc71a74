public import Foundation

/// JSON with sorted keys, so that the same value is always the same bytes.
public enum CanonicalJSON {
  /// For files that people read too.
  public static func pretty(_ value: some Encodable) throws -> Data {
    try encode(value, [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]) + Data("\n".utf8)
  }

  /// One line, for events and keys.
  public static func line(_ value: some Encodable) throws -> Data {
    try encode(value, [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func encode(
    _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
  ) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    return try encoder.encode(value)
  }
}
