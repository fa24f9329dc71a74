/// All that is asked of one product's description.
struct ProductCheck {
  let product: ProductUnderTest

  private static let all: [any ProductRule] = [
    ProductHash(), ProductDates(), SourceDates(), ProductBounds(), ProductTileSize(), ProductArchives(),
    NeatlineCut(),
    SheetEvidence(), SheetBlanks(), PlaceControl(), PlaceGraticule(), TilesInks(),
  ]

  static var rules: [any Rule] { all }

  func findings() throws -> [Finding] {
    try ProductCheck.all.flatMap { rule in try rule.run(product.place) { try rule.check(product) } }
  }
}
