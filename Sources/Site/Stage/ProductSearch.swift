internal import Core
public import Foundation
internal import Pipeline
public import Validation

/// The products that a place holds: a site, all of its cycles; a build folder; or a product of one.
public enum ProductSearch {
  /// The latest cycle's first.
  public static func products(in place: URL) throws -> [PlacedProduct] {
    let site = SiteFolder(root: place)
    guard try site.readCatalogue() == nil else {
      return try site.readManifests().sorted { $0.key > $1.key }.flatMap { stored in
        CycleProducts(stored.value.manifest).all.map { PlacedProduct($0, in: place) }
      }
    }
    let descriptions = Set(try BuildScan.descriptions(place).map(\.standardizedFileURL))
    guard !descriptions.isEmpty else {
      throw UserError(
        .badInput, operation: "looking for products in", path: place.path, reason: "there is no product",
        suggestion: "Name a site, a build folder or a product of one.")
    }
    return try descriptions.sorted { $0.path < $1.path }.map {
      PlacedProduct(try BuiltProduct(describedBy: $0).product, in: $0.deletingLastPathComponent())
    }.sorted { $0.product.cycle > $1.product.cycle }
  }

  /// The products of which something can be shown, whatever else lies there; of the latest cycle alone. What is wrong
  /// with the others the rules tell.
  static func whole(in places: [URL]) -> [PlacedProduct] {
    let descriptions = Set(places.flatMap(descriptions).map(\.standardizedFileURL))
    let products = descriptions.compactMap { file in
      (try? BuiltProduct(describedBy: file)).map {
        PlacedProduct($0.product, in: file.deletingLastPathComponent())
      }
    }
    let latest = products.map(\.product.cycle).max()
    return products.filter { $0.product.cycle == latest }.sorted { $0.product.id < $1.product.id }
  }

  private static func descriptions(_ place: URL) -> [URL] {
    guard place.kindOnDisk == .folder else { return (try? BuildScan.descriptions(place)) ?? [] }
    let walk = FileManager.default.enumerator(
      at: place, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
    return walk?.compactMap { $0 as? URL }
      .filter { $0.lastPathComponent.hasSuffix(BuildScan.descriptionSuffix) } ?? []
  }
}
