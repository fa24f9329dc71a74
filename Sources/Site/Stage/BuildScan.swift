internal import Core
internal import Foundation

/// The products that a staging was asked to take in: of one cycle, each there once.
struct BuildScan {
  let cycle: AiracCycle
  /// By id.
  let products: [PlacedProduct]

  init(_ builds: [URL]) throws {
    products = try ProductSearch.built(in: builds).sorted { $0.id < $1.id }
    guard let first = products.first else {
      throw BuildScan.fault(
        .badInput, builds.map(\.path).joined(separator: ", "), "there is no product",
        "Build one first: chartpipe build PIPELINE --cycle C.")
    }
    cycle = first.product.cycle
    try checkOneCycle(first)
    try checkUnique()
  }

  private func checkOneCycle(_ first: PlacedProduct) throws {
    guard let other = products.first(where: { $0.product.cycle != first.product.cycle }) else { return }
    throw BuildScan.fault(
      .badInput, other.place.path,
      "it is of cycle \(other.product.cycle), while \(first.product.id) is of \(first.product.cycle)",
      "Stage one cycle at a time: name its folder, such as work/build/\(first.product.cycle).")
  }

  private func checkUnique() throws {
    for (one, two) in zip(products, products.dropFirst()) where one.product.id == two.product.id {
      throw BuildScan.fault(
        .badInput, two.place.path, "\(two.product.id) is there twice; also in \(one.place.path)",
        "Name only the build that you want.")
    }
  }

  private static func fault(
    _ kind: UserError.Kind, _ subject: String, _ problem: String, _ remedy: String
  ) -> UserError {
    UserError(kind, operation: "looking for products in", path: subject, reason: problem, suggestion: remedy)
  }
}

extension PlacedProduct {
  /// Its description, for messages.
  fileprivate var place: URL { description ?? folder }
}
