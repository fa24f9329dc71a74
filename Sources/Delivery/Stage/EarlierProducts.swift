internal import Airac
internal import Pipeline

/// What a site holds of the cycles before one.
struct EarlierProducts {
  /// The latest cycle's first.
  private let products: [Product]

  init(before cycle: AiracCycle, in manifests: [AiracCycle: StoredManifest]) {
    products = manifests.filter { $0.key < cycle }.sorted { $0.key > $1.key }
      .flatMap(\.value.manifest.products)
  }

  /// The product as it was last, of those that are fit to be compared with.
  func last(_ id: String, where isFit: (Product) -> Bool = { _ in true }) -> Product? {
    products.first { $0.id == id && isFit($0) }
  }
}
