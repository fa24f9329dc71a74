internal import Geo
internal import Pipeline

/// Where and how deep a product reaches, against what its file says.
struct ProductBounds: ProductRule {
  let name = "product-bounds"
  let protects = "The app offers the chart where it lies, and asks for no zoom that it does not have."

  /// Degrees; a metre or so, beyond what a number may lose on its way through text.
  private static let slack = 0.00001

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
    let distances = [
      box.west - bounds.west, box.south - bounds.south, box.east - bounds.east, box.north - bounds.north,
    ]
    return distances.allSatisfy { abs($0) <= ProductBounds.slack }
      ? nil : "boundingBox is \(box.told), but its file says \(bounds.told)"
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
  fileprivate var told: String { "\(west),\(south),\(east),\(north)" }
}
