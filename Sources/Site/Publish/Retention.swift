internal import CryptoIO
internal import Foundation
internal import Pipeline

/// What a target keeps: all that its catalogue names, and all that the one before names, so that one can go back to it and so that
/// a reader of that one finds its files. It stays until another catalogue replaces the present one.
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
    var cycles = Set(catalogue.entries.map(\.id))
    if let replaced = catalogue.replaces {
      let held = try isChanged ? target.stored?.data : TargetState.data(of: replaced, in: store)
      guard let held, let before = try? TargetState.catalogue(held, in: target.name) else {
        return ([], "the catalogue before this one, \(replaced.path), cannot be read, so nothing is removed")
      }
      named += before.productFiles + before.ownFiles
      cycles.formUnion(before.entries.map(\.id))
      named.append(NamedFile(reference: replaced, mediaType: nil, owner: "the catalogue"))
      signed.append(held)
    }
    let blobs = Set(named.map(\.reference.path))
    let signatures = Set(try signed.map(SigningKey.path))
    let removals = target.objects.filter { key, _ in
      if key.hasPrefix("cycles/") { return !keepsPage(key, of: cycles) }
      return !blobs.contains(key) && !signatures.contains(key)
    }
    return (removals.map { ListedObject(key: $0.key, bytes: $0.value) }.sorted { $0.key < $1.key }, nil)
  }

  private func keepsPage(_ key: String, of cycles: Set<String>) -> Bool {
    let parts = key.split(separator: "/", maxSplits: 2).map(String.init)
    guard parts.count == 3, cycles.contains(parts[1]) else { return false }
    guard let known = pages[parts[1]], known.areAll else { return true }
    return known.files.contains { $0.name == parts[2] }
  }
}
