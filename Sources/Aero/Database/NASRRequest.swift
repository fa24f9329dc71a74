public import Core
public import CryptoIO
public import Fetch
public import Pipeline

/// What to build a database of.
public struct NASRRequest: Sendable {
  public var definition: NASRDefinition
  public var definitionSha256: SHA256Hex
  /// The subscription zip, or the CSV zip inside it.
  public var source: SourceFile
  /// The shapefile of class airspace in a zip of its own; nil when it is inside the subscription, or not wanted.
  public var classAirspace: SourceFile?
  /// The AIXM of special-use airspace, in the same way.
  public var specialUse: SourceFile?
  public var cycle: AiracCycle

  public init(
    definition: NASRDefinition, definitionSha256: SHA256Hex, source: SourceFile, cycle: AiracCycle,
    classAirspace: SourceFile? = nil, specialUse: SourceFile? = nil
  ) {
    self.definition = definition
    self.definitionSha256 = definitionSha256
    self.source = source
    self.cycle = cycle
    self.classAirspace = classAirspace
    self.specialUse = specialUse
  }

  /// All files that it is made of.
  public var sources: [SourceFile] { [source] + [classAirspace, specialUse].compactMap(\.self) }
}

/// A built database, and all that was wrong with its source.
public struct DatabaseOutcome: Sendable {
  public var product: Product
  public var problems: ProblemReport
}
