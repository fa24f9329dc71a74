internal import Core
internal import CryptoIO
internal import Foundation

/// A file of `pipelines/`. Each type is for one value of the key `kind`, and lists products of one or more kinds.
protocol PipelineDefinition: DefinitionObject, Sendable {
  /// The value of the key `kind`: `charts`
  static var kind: String { get }

  var name: String { get }
  /// The products to build.
  var items: [any PipelineItem] { get }
  /// The first error that decoding does not find; nil if there is none.
  var problem: String? { get }
  /// Reads the other files of the definition, in the same folder.
  mutating func load(from folder: URL) throws
  /// The definition in another form; nil for a pipeline without tiles.
  func variant(_ variant: ChartVariant) throws -> Self?
}

extension PipelineDefinition {
  var problem: String? { nil }
  mutating func load(from folder: URL) {}
  func variant(_ variant: ChartVariant) -> Self? { nil }
}

/// A product of a pipeline with its definition. Each type is a kind of product; everything that depends on the kind is here.
protocol PipelineItem: Sendable {
  /// The name of its pipeline.
  var pipeline: String { get }
  /// `San_Francisco`
  var id: String { get }
  /// For users: `San Francisco`
  var name: String { get }
  /// When its sources change.
  var schedule: Schedule { get }
  /// The days between the release of an edition and its effective date.
  var daysAhead: Int { get }
  /// The JSON of the keys that affect the product. Comments, other products and addresses of files are not among them.
  func definitionText() throws -> Data
  /// The sources that must be fetched.
  func sources(for cycle: AiracCycle) -> [SourceRequirement]
  /// The steps that build it.
  func steps(_ context: StepContext) -> [Step]

  /// The size of its sources, about as much as the product needs.
  func sourceBytes(_ sizes: SourceSizes) -> Int
  /// The expected duration of its build on two cores of 2.8 GHz.
  ///
  /// - Parameter sizes: nil to estimate from the definition alone.
  func expectedSeconds(_ sizes: SourceSizes?) -> Double

  /// The products from which it is built; empty if it is built from sources.
  var parts: [String] { get }
  var joining: JoinRole { get }
  /// `San_Francisco_TAC`; nil if the product is not a region.
  var region: String? { get }
  /// Whether it is a chart or made of charts. The others are built first, since charts are compared with them.
  var isOfCharts: Bool { get }
  /// The rough outline of its map, for the report of a failure.
  var outline: [[Double]]? { get }
  /// The names of smaller forms of it, each for `--only`.
  var partNames: [String] { get }
  func part(_ name: String) -> (any PipelineItem)?

  /// The corrections of its sources; nil if its definition names no file with them.
  var corrections: [Correction]? { get }
  /// What becomes of each correction in a cycle, with these sources.
  func correctionOutcomes(_ sources: SourceFolder, _ cycle: AiracCycle) throws -> [CorrectionOutcome]
}

/// What `join` does with a product if several machines build a plan.
enum JoinRole {
  case none
  /// It is a part of a product that `join` makes.
  case part
  /// `join` completes its edge tiles.
  case completed
  /// `join` makes it.
  case made
}

extension PipelineItem {
  /// `vfr-sectional/San_Francisco`
  var product: String { "\(pipeline)/\(id)" }
  func definitionSha256() throws -> SHA256Hex { try SHA256Hex(of: Array(definitionText())) }
  /// The step that builds the product.
  var step: Step.ID { Step.ID(product: product) }

  var daysAhead: Int { 28 }
  func sources(for cycle: AiracCycle) -> [SourceRequirement] { [] }
  func sourceBytes(_ sizes: SourceSizes) -> Int { 0 }
  func expectedSeconds(_ sizes: SourceSizes?) -> Double { 1 }
  var parts: [String] { [] }
  var joining: JoinRole { .none }
  var region: String? { nil }
  var isOfCharts: Bool { false }
  var outline: [[Double]]? { nil }
  var partNames: [String] { [] }
  func part(_ name: String) -> (any PipelineItem)? { nil }
  var corrections: [Correction]? { nil }
  func correctionOutcomes(_ sources: SourceFolder, _ cycle: AiracCycle) throws -> [CorrectionOutcome] { [] }
}

extension SourceRequirement {
  /// Returns the sources of some items, each once, in the order of the items.
  static func all(of items: [any PipelineItem], for cycle: AiracCycle) -> [SourceRequirement] {
    merged(items.flatMap { $0.sources(for: cycle) })
  }
}
