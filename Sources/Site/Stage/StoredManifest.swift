internal import Core
internal import Foundation
internal import Pipeline
internal import Validation

/// A manifest and its bytes, which are what it is known by: reading and writing again might change them.
struct StoredManifest {
  let manifest: Manifest
  let data: Data
}

extension [AiracCycle: StoredManifest] {
  /// What a site holds of earlier cycles, the latest first. An edition that outlives its cycle is there once.
  func products(before cycle: AiracCycle, in site: SiteFolder) -> [PlacedProduct] {
    var seen: Set<[String]> = []
    return filter { $0.key < cycle }.sorted { $0.key > $1.key }
      .flatMap { CycleProducts($0.value.manifest).all }
      .filter { seen.insert([$0.id, $0.cycle]).inserted }.map { PlacedProduct($0, in: site.root) }
  }
}
