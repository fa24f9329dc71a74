extension PlatesDefinition: OneFileDefinition {
  static let kind = "plates"
  static let page = "https://www.faa.gov/air_traffic/flight_info/aeronav/digital_products/dtpp/"
  static let mainTable = "charts"
  static let pace = (perMegabyte: 0.2, usual: 3.0)

  var items: [any PipelineItem] {
    [DatabaseItem(definition: self)] + (sets ?? []).map { PlateSetItem(definition: self, place: $0) }
  }

  var problem: String? {
    if let stray = origin.strayURL([]) { return "urls has \"\(stray)\", which is not the name of a source" }
    return (sets ?? []).first { !PlateSetItem.isPlace($0) }.map {
      "\"\($0)\" of sets is neither a state such as CA nor an airport such as KSFO"
    }
  }

  /// `dtpp/CA` and `dtpp/KSFO` are the sets of a state and of an airport, in any case.
  func part(named part: String) -> (any PipelineItem)? {
    guard part.hasPrefix(name + "/"), part != "\(name)/\(id)" else { return nil }
    let place = part.dropFirst(name.count + 1).uppercased()
    return PlateSetItem.isPlace(place) ? PlateSetItem(definition: self, place: place) : nil
  }

  var essence: Self {
    var definition = self
    (definition.urls, definition.sets, definition.archives) = (nil, nil, nil)
    return definition
  }

  static var build: Build { PlateBuilder.build }
}
