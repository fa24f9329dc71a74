public import Core
public import CryptoIO
public import Fetch
public import Foundation
public import Pipeline

/// What is to be made of a finished database.
public struct ExportRequest: Sendable {
  public let export: ExportDefinition
  public let definitionSha256: SHA256Hex
  /// `nasr/airports`
  public let product: String
  public let database: URL
  /// What the database is.
  public let base: Product
  /// OurAirports' data, where the world is wanted too.
  public let world: SourceFile?
  public let cycle: AiracCycle

  public init(
    export: ExportDefinition, definitionSha256: SHA256Hex, product: String, database: URL, of base: Product,
    world: SourceFile?, cycle: AiracCycle
  ) {
    self.export = export
    self.definitionSha256 = definitionSha256
    self.product = product
    self.database = database
    self.base = base
    self.world = world
    self.cycle = cycle
  }

  /// What decides what is made: the database's own bytes, and what is added to them.
  public var inputs: [SHA256Hex] { base.files.prefix(1).map(\.sha256) + [world].compactMap { $0?.sha256 } }

  /// The files that others would need to make it: the database's own, and what is added to them.
  var sources: [Product.Source] { base.sources + [world].compactMap { $0?.record } }
}

/// What was made: a product, and the scratch files that it lists, in its order.
public struct ExportOutcome: Sendable {
  public let product: Product
  public let files: [URL]
  /// What the form cannot express; nil of a form that can express all that it is asked for.
  public let problems: ProblemReport?
  /// For people: "45,000 airports".
  public let summary: String
}
