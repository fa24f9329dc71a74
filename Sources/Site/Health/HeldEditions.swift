internal import Core
internal import Pipeline
internal import Validation

/// The products that the cycles of a catalogue hold back, and whether every edition has dates that fit its cycle: an old edition
/// must never look like a current one.
struct HeldEditions {
  private let catalogue: Catalog
  private let now: Instant

  init(_ catalogue: Catalog, at now: Instant) {
    (self.catalogue, self.now) = (catalogue, now)
  }

  var findings: [Finding] { misdated + held }

  /// Of the cycle in force and of those to come: what expired with its cycle is no news.
  private var held: [Finding] {
    let inForce = AiracCycle(at: now)
    let entries = catalogue.entries.filter { entry in
      AiracCycle(identifier: entry.id).map { $0 >= inForce } ?? false
    }
    return entries.flatMap { entry in
      (entry.held ?? []).map { .health(.warning, .held, $0.id, message($0, entry)) }
    }
  }

  private func message(_ held: CycleEntry.Held, _ entry: CycleEntry) -> String {
    let why =
      switch held.reason {
      case .refused: "validation refused it\(held.rule.map { " (\($0))" } ?? "")"
      case .contains: "it contains parts of a product that validation refused"
      case .failed: "it could not be made"
      }
    let edition = catalogue.products.first { $0.id == held.id && $0.cycle == held.published }
    return
      "cycle \(entry.id) does not have it: \(why); \(edition.map(standing) ?? "no earlier edition is published")"
  }

  private func standing(_ product: Product) -> String {
    let isExpired = Instant(product.expirationDate).map { $0 <= now } ?? true
    return
      "the edition of \(product.edition) stays published, which \(isExpired ? "expired" : "is in force until") "
      + (isExpired ? "on \(product.expirationDate)" : product.expirationDate)
  }

  /// Apps show what is in force by these dates.
  private var misdated: [Finding] {
    catalogue.products.compactMap { product in
      guard let cycle = AiracCycle(identifier: product.cycle) else { return nil }
      if let from = Instant(product.effectiveDate), let until = Instant(product.expirationDate),
        from <= cycle.effective, cycle.effective < until
      {
        return nil
      }
      return .health(
        .error, .held, product.id,
        "it is of cycle \(cycle), which begins at \(cycle.effective), and its dates are from \(product.effectiveDate) "
          + "to \(product.expirationDate)")
    }
  }
}
