internal import CryptoIO
internal import Foundation
internal import Pipeline

/// What a target keeps: all that its catalogue names, and of the one before all that is of the same cycles, so that one can go back
/// to it.
struct Retention {
  let target: TargetState
  /// As it will stand.
  let catalogue: Catalog
  let data: Data
  let pages: [String: PlanDraft.Pages]
  let store: any ObjectStore

  /// What is there and is not to be kept; nothing, and the doubt, when it is not known what is to be kept.
  func removals(isChanged: Bool) throws -> (removals: [ListedObject], doubt: String?) {
    var named = catalogue.productFiles + catalogue.ownFiles
    var signed = [data]
    if let replaced = catalogue.replaces {
      let held = try isChanged ? target.stored?.data : TargetState.data(of: replaced, in: store)
      guard let held, let before = try? TargetState.catalogue(held, in: target.name) else {
        return ([], "the catalogue before this one, \(replaced.path), cannot be read, so nothing is removed")
      }
      let listed = Set(catalogue.entries.map(\.id))
      named += before.files(ofCycles: listed)
      named.append(NamedFile(reference: replaced, mediaType: nil, owner: "the catalogue"))
      signed.append(held)
    }
    let blobs = Set(named.map(\.reference.path))
    let signatures = Set(try signed.map(SigningKey.path))
    let removals = target.objects.filter { key, _ in
      if key.hasPrefix("cycles/") { return !keepsPage(key) }
      return !blobs.contains(key) && !signatures.contains(key)
    }
    return (removals.map { ListedObject(key: $0.key, bytes: $0.value) }.sorted { $0.key < $1.key }, nil)
  }

  private func keepsPage(_ key: String) -> Bool {
    let parts = key.split(separator: "/", maxSplits: 2).map(String.init)
    guard parts.count == 3, catalogue.entries.contains(where: { $0.id == parts[1] }) else { return false }
    guard let known = pages[parts[1]], known.areAll else { return true }
    return known.files.contains { $0.name == parts[2] }
  }
}

extension Catalog {
  fileprivate func files(ofCycles cycles: Set<String>) -> [NamedFile] {
    var part = self
    part.products = entries.filter { cycles.contains($0.id) }.flatMap { products(of: $0).all }
    let manifests = part.ownFiles.filter { file in
      entries.contains { cycles.contains($0.id) && $0.manifest == file.reference }
    }
    return part.productFiles + manifests
  }
}
