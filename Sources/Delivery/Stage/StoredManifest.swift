internal import Airac
internal import Foundation
internal import Validation

/// A manifest and its bytes, which are what it is known by: reading and writing again might change them.
struct StoredManifest {
  let manifest: Manifest
  let data: Data
}

extension [AiracCycle: StoredManifest] {
  /// What a site holds of earlier cycles, the latest first.
  func products(before cycle: AiracCycle, in site: Site) -> [PlacedProduct] {
    filter { $0.key < cycle }.sorted { $0.key > $1.key }.flatMap(\.value.manifest.products)
      .map { PlacedProduct($0, in: site.root) }
  }
}
