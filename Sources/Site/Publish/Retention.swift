internal import Core
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

/// Decides which editions a catalogue keeps besides those of its cycles.
///
/// Each product keeps its current and its previous edition until the next one takes effect. The cycles of a catalogue cover
/// neighbouring periods of 28 days; a chart changes every 56 days, so in the second half of its edition no listed cycle has the
/// previous edition any more.
struct EditionRetention {
  private struct Edition {
    let product: Product
    let cycle: AiracCycle
    let effective: Instant
    let expires: Instant

    init?(_ product: Product) {
      guard let cycle = AiracCycle(identifier: product.cycle),
        let effective = Instant(product.effectiveDate), let expires = Instant(product.expirationDate)
      else { return nil }
      (self.product, self.cycle, self.effective, self.expires) = (product, cycle, effective, expires)
    }

    /// When the term of the edition after this one ends.
    var successorExpires: Instant {
      expires.adding(expires.secondsSince1970 - effective.secondsSince1970)
    }
  }

  private let listed: [Edition]
  private let first: AiracCycle?
  private let now: Instant

  /// - Parameter cycles: those of the catalogue.
  init(beside cycles: [OfferedCycle], at now: Instant) {
    listed = cycles.flatMap(\.products.all).compactMap(Edition.init)
    first = cycles.map(\.cycle).min()
    self.now = now
  }

  /// Returns those of the candidates that the catalogue lists too. A candidate is of an earlier cycle than all of the
  /// catalogue's: what a listed cycle does not have any more was withdrawn.
  ///
  /// They come without the evidence of how a chart was cut and placed, which is most of an entry and which no client needs.
  func kept(of candidates: [Product]) -> [Product] {
    guard let first else { return [] }
    let earlier = candidates.compactMap(Edition.init).filter { $0.cycle < first }
    let ids = Set(earlier.map(\.product.id)).sorted()
    return ids.flatMap { id in
      kept(of: earlier.filter { $0.product.id == id }, beside: listed.filter { $0.product.id == id })
    }
  }

  /// - Parameters:
  ///   - earlier: the candidates of one product.
  ///   - listed: what the catalogue's cycles have of the same product.
  private func kept(of earlier: [Edition], beside listed: [Edition]) -> [Product] {
    let started = (earlier + listed).filter { $0.effective <= now }
      .sorted { ($0.effective, $0.cycle) < ($1.effective, $1.cycle) }
    guard let current = started.last else { return [] }
    let previous = started.last { $0.effective < current.effective }
    var kept = [previous]
    if !listed.contains(where: { $0.cycle == current.cycle }) {
      // No listed cycle has the product: it ended, or was not published lately.
      kept = now < current.expires ? [previous, current] : now < current.successorExpires ? [current] : []
    }
    return kept.compactMap(\.self).filter { $0.cycle < first ?? $0.cycle }.map(\.product.withoutEvidence)
  }
}

extension Product {
  fileprivate var withoutEvidence: Product {
    var product = self
    (product.cut, product.control, product.reference, product.placement) = (nil, nil, nil, nil)
    return product
  }
}
