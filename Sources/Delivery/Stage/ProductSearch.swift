public import Foundation
internal import Pipeline
public import Validation

/// The products that a place holds: a site, all of its cycles; a build folder; or a product of one.
public enum ProductSearch {
  /// The latest cycle's first.
  public static func products(in place: URL) throws -> [PlacedProduct] {
    let site = Site(root: place)
    guard try site.readCatalogue() == nil else {
      return try site.readManifests().sorted { $0.key > $1.key }.flatMap { stored in
        stored.value.manifest.products.map { PlacedProduct($0, in: place) }
      }
    }
    let descriptions = Set(try BuildScan.descriptions(place).map(\.standardizedFileURL))
    guard !descriptions.isEmpty else {
      throw Fault(
        .badInput, doing: "looking for products in", subject: place.path, problem: "there is no product",
        remedy: "Name a site, a build folder or a product of one.")
    }
    return try descriptions.sorted { $0.path < $1.path }.map {
      PlacedProduct(try BuiltProduct(describedBy: $0).product, in: $0.deletingLastPathComponent())
    }.sorted { $0.product.cycle > $1.product.cycle }
  }
}
