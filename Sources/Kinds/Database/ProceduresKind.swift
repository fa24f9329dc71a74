internal import Core
internal import Foundation

extension ProceduresDefinition: OneFileDefinition {
  static let kind = "cifp"
  static let page = "https://www.faa.gov/air_traffic/flight_info/aeronav/digital_products/cifp/"
  static let mainTable = "legs"

  var items: [any PipelineItem] { [DatabaseItem(definition: self)] + origin.items(exports, in: name) }
  var problem: String? { origin.problem(exports) }
  var partNames: [String] { (parts ?? [:]).keys.sorted() }

  func part(named name: String) -> (any PipelineItem)? { part(name).map(DatabaseItem.init) }

  var essence: Self {
    var definition = self
    (definition.urls, definition.parts, definition.exports) = (nil, nil, nil)
    return definition
  }

  func seconds(_ sizes: SourceSizes?) -> Double {
    SourceSizes.seconds(sizes.map(origin.bytes), least: 0.5, perMegabyte: 1, usual: 9)
  }

  static func build(
    _ request: DatabaseRequest<Self>, to scratch: URL, _ advance: DatabaseBuilder.Advance
  ) throws -> DatabaseOutcome {
    try ProcedureBuilder.build(request, to: scratch, advance)
  }
}
