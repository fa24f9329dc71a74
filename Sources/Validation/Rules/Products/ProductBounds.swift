internal import Core
internal import Pipeline

/// Where and how deep a product reaches, against what its file says.
struct ProductBounds: ProductRule {
  let name = "product-bounds"
  let protects = "The app offers the chart where it lies, and asks for no zoom that it does not have."

  func check(_ subject: ProductUnderTest) -> [Finding] {
    let (product, own) = (subject.product, subject.ownWords)
    let problems = [
      product.kind == .chart ? chartProblem(product, own) : databaseProblem(product, own),
      difference("minZoom", product.minZoom, own.minZoom),
      difference("maxZoom", product.maxZoom, own.maxZoom),
      own.format.flatMap { difference("format", product.format, $0) },
    ]
    return problems.compactMap(\.self).map { error(subject.place, $0) }
  }

  private func chartProblem(_ product: Product, _ own: OwnWords) -> String? {
    guard let box = product.boundingBox else { return "it has no boundingBox" }
    guard let bounds = own.bounds else { return nil }
    guard box.isNear(bounds) else {
      return "boundingBox is \(box.told), but its file says \(bounds.told)"
    }
    let (told, found) = (product.boundingBoxes ?? [], own.windows ?? [])
    let areNear = told.count == found.count && zip(told, found).allSatisfy { $0.isNear($1) }
    return areNear
      ? nil : "boundingBoxes is \(ProductBounds.text(told)), but its file says \(ProductBounds.text(found))"
  }

  private static func text(_ boxes: [GeoBox]) -> String {
    boxes.isEmpty ? "missing" : boxes.map(\.told).joined(separator: " and ")
  }

  /// The airports must lie in it; other tables may reach farther.
  private func databaseProblem(_ product: Product, _ own: OwnWords) -> String? {
    guard let box = product.boundingBox, let extent = own.bounds, !box.contains(extent) else { return nil }
    return "boundingBox is \(box.told), but its airports reach over \(extent.told)"
  }

  private func difference<Value: Equatable>(_ key: String, _ told: Value?, _ found: Value?) -> String? {
    guard told != found, let found else { return nil }
    return "\(key) is \(told.map { "\($0)" } ?? "missing"), but its file says \(found)"
  }
}

extension GeoBox {
  /// Within a metre or so, more than a number may lose on its way through text.
  fileprivate func isNear(_ other: GeoBox) -> Bool {
    let slack = 0.00001
    return [west - other.west, south - other.south, east - other.east, north - other.north]
      .allSatisfy { abs($0) <= slack }
  }

  fileprivate var told: String { "\(west),\(south),\(east),\(north)" }
}
