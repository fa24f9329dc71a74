extension ProceduresDefinition: OneFileDefinition {
  static let kind = "cifp"
  static let page = "https://www.faa.gov/air_traffic/flight_info/aeronav/digital_products/cifp/"
  static let mainTable = "legs"
  static let pace = (perMegabyte: 0.1, usual: 9.0)

  var items: [any PipelineItem] { [DatabaseItem(definition: self)] + origin.items(exports, in: name) }
  var problem: String? { origin.problem(exports) }
  var partNames: [String] { (parts ?? [:]).keys.sorted() }

  func part(named name: String) -> (any PipelineItem)? { part(name).map(DatabaseItem.init) }

  var essence: Self {
    var definition = self
    (definition.urls, definition.parts, definition.exports) = (nil, nil, nil)
    return definition
  }

  static var build: Build { ProcedureBuilder.build }
}
