internal import Core
internal import Foundation

extension ObstacleDefinition: OneFileDefinition {
  static let kind = "obstacles"
  static let page = "https://www.faa.gov/air_traffic/flight_info/aeronav/digital_products/dof/"
  static let mainTable = "obstacles"

  var items: [any PipelineItem] { [DatabaseItem(definition: self)] + origin.items(exports, in: name) }
  var problem: String? { origin.problem(exports) }
  var listedCorrections: [Correction]? { corrections?.content }

  var essence: Self {
    var definition = self
    (definition.exports, definition.urls) = (nil, nil)
    return definition
  }

  mutating func load(from folder: URL) throws { try corrections?.load(from: folder, Correction.list) }

  /// The time depends on the unpacked size. A zip is about a tenth of it.
  func seconds(_ sizes: SourceSizes?) -> Double {
    let unpacked = sizes.map { sizes in
      origin.files(sizes).map { sizes.bytes(of: $0) * ($0.pathExtension.lowercased() == "zip" ? 10 : 1) }
        .reduce(0, +)
    }
    return SourceSizes.seconds(unpacked, least: 0.5, perMegabyte: 0.06, usual: 8)
  }

  static func correctionOutcomes(_ request: DatabaseRequest<Self>) throws -> [CorrectionOutcome] {
    try ObstacleBuilder.correctionOutcomes(request)
  }

  static func build(
    _ request: DatabaseRequest<Self>, to scratch: URL, _ advance: DatabaseBuilder.Advance
  ) throws -> DatabaseOutcome {
    try ObstacleBuilder.build(request, to: scratch, advance)
  }
}
