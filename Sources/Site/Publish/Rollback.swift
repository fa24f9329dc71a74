internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline

/// Makes the plan to offer again what was offered before.
struct Rollback {
  let target: TargetState
  let store: any ObjectStore

  func plan(to cycle: AiracCycle?, _ terms: PublishTerms) throws -> PublishPlan {
    guard let present = target.catalogue else { throw fault("nothing is published there") }
    try target.checkKey(terms.key)
    let now = terms.clock.now()
    let before = cycle == nil ? try replaced(by: present) : present
    let wanted = try cycle.map { try offered(upTo: $0) } ?? before.offered(in: target.name)
    var catalogue = Catalog(serial: 0, offering: wanted, beside: before.products, at: now)
    // The first follows from the products, and the second from the rollback.
    (catalogue.regions, catalogue.withdrawn) = (present.regions, present.withdrawn)
    if cycle == nil, catalogue.offersTheSame(as: present) {
      throw fault("the catalogue before this one offered the same, so there is nothing to go back to")
    }
    let withdrawn = Withdrawals(target, at: now).after(rollingBackTo: wanted, from: target.offered, at: now)
    let draft = PlanDraft(
      target: target, store: store, now: now, key: terms.key, siteURL: terms.siteURL,
      keepsOld: terms.keepsOld, withdrawn: withdrawn)
    return try draft.plan(
      wanted, beside: before.products, above: present.serial, bundle(catalogue, present))
  }

  private func offered(upTo last: AiracCycle) throws -> [OfferedCycle] {
    guard target.offered.contains(where: { $0.cycle == last }) else {
      let held = target.offered.map(\.entry.id).joined(separator: ", ")
      throw fault("cycle \(last) is not offered there; \(held.isEmpty ? "none is" : "\(held) are")")
    }
    return target.offered.filter { $0.cycle <= last }
  }

  private func replaced(by present: Catalog) throws -> Catalog {
    guard let reference = present.replaces else { throw fault("its catalogue is the first one") }
    guard let data = try TargetState.data(of: reference, in: store) else {
      throw fault("the catalogue before this one, \(reference.path), is not there any more")
    }
    return try TargetState.catalogue(data, in: target.name)
  }

  /// Of a cycle that becomes an earlier one, the pages were made of the other.
  private func bundle(_ catalogue: Catalog, _ present: Catalog) throws -> PlanDraft.Bundle {
    var bundle = PlanDraft.Bundle()
    for entry in catalogue.entries
    where !present.entries.contains(where: { $0.manifest == entry.manifest }) {
      guard let data = try TargetState.data(of: entry.manifest, in: store) else { continue }
      bundle.pages[entry.id] = .init(files: [("manifest.json", data)], areAll: true)
    }
    return bundle
  }

  private func fault(_ problem: String) -> UserError {
    UserError(
      .badInput, operation: "rolling back", path: target.name, reason: problem,
      suggestion: "Nothing was changed. Publish a site that holds what you want.")
  }
}
