/// Something about a source that stops nothing, and that a person should know of.
public struct SourceNote: Codable, Equatable, Sendable {
  /// The name of its file: `Denver_TAC.zip`.
  public var source: String
  public var message: String

  public init(source: String, message: String) {
    self.source = source
    self.message = message
  }
}
