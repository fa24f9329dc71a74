internal import Foundation

extension ObstacleDefinition: OneFileDefinition {
  static let kind = "obstacles"
  static let page = "https://www.faa.gov/air_traffic/flight_info/aeronav/digital_products/dof/"
  static let mainTable = "obstacles"
  static let pace = (perMegabyte: 0.06, usual: 8.0)

  var items: [any PipelineItem] { [DatabaseItem(definition: self)] + origin.items(exports, in: name) }
  var problem: String? { origin.problem(exports) }
  var listedCorrections: [Correction]? { corrections?.content }

  var essence: Self {
    var definition = self
    (definition.exports, definition.urls) = (nil, nil)
    return definition
  }

  mutating func load(from folder: URL) throws { try corrections?.load(from: folder, Correction.list) }

  static func correctionOutcomes(_ request: DatabaseRequest<Self>) throws -> [CorrectionOutcome] {
    try ObstacleBuilder.correctionOutcomes(request)
  }

  static var build: Build { ObstacleBuilder.build }
}
