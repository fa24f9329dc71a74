public import Core
public import CryptoIO
internal import Foundation

/// The inputs of a database.
public struct NASRRequest: Sendable {
  public var definition: NASRDefinition
  public var definitionSha256: SHA256Hex
  /// The subscription zip, or the CSV zip inside it.
  public var source: SourceFile
  public var cycle: AiracCycle
  /// The shapefile of class airspace in a separate zip; nil if it is inside the subscription or not needed.
  public var classAirspace: SourceFile?
  /// The AIXM of special-use airspace in a separate zip; nil as above.
  public var specialUse: SourceFile?

  /// All source files.
  public var sources: [SourceFile] { [source] + [classAirspace, specialUse].compactMap(\.self) }
}

/// A built database and the problems of its source.
public struct DatabaseOutcome: Sendable {
  public var product: Product
  public var problems: ProblemReport
  /// Columns with too many unusable values, although the build did not fail.
  public var warnings: [String] = []
}
