public import Airac
public import CryptoIO
public import Fetch
public import Pipeline

/// What to build a database of.
public struct NASRRequest: Sendable {
  public var definition: NASRDefinition
  public var definitionSha256: SHA256Hex
  /// The subscription zip, or the CSV zip inside it.
  public var source: SourceFile
  public var cycle: AiracCycle

  public init(
    definition: NASRDefinition, definitionSha256: SHA256Hex, source: SourceFile, cycle: AiracCycle
  ) {
    self.definition = definition
    self.definitionSha256 = definitionSha256
    self.source = source
    self.cycle = cycle
  }
}

/// A built database, and all that was wrong with its source.
public struct DatabaseOutcome: Sendable {
  public var product: Product
  public var problems: ProblemReport
}
