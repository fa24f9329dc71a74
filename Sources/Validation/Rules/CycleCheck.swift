internal import Pipeline

/// All that is asked of the products of a cycle together.
struct CycleCheck {
  let cycle: CycleUnderTest

  private static let all: [any CycleRule] = [
    DatabaseRows(), TablesVanished(), ColumnsChanged(), RowsChanged(), AirportsMoved(), AirportsVanished(),
    ExportsAgree(),
    CycleUnmixed(),
    NeatlineDrift(),
    TilesChanged(), SourceStale(), ChartsVanished(), ChartsCover(), PlaceAirports(), PlaceEvidence(),
    AirportsOnCharts(),
  ]

  static var rules: [any Rule] { all }

  func findings() throws -> [Finding] {
    let place = "cycle \(cycle.products.first?.product.cycle ?? "")"
    return try CycleCheck.all.flatMap { rule in try rule.run(place) { try rule.check(cycle) } }
  }
}
