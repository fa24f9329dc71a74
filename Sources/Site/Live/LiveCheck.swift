internal import Core

/// Checks by the clock that each snapshot of a live catalogue may be used.
struct LiveCheck {
  let catalogue: Catalog
  let now: Instant

  var findings: [Finding] { term + catalogue.products.flatMap(state) + held }

  private var term: [Finding] {
    guard catalogue.term?.isExpired(at: now) ?? true else { return [] }
    let end = catalogue.term.map { "expired at \($0.expires)" } ?? "has no end"
    return [finding(LivePublisher.channel.path, "it \(end): nothing in it is confirmed")]
  }

  private func state(of product: Product) -> [Finding] {
    let fetched = product.fetched ?? product.effectiveDate
    if product.expirationDate <= now {
      return [finding(product.id, "it expired at \(product.expirationDate)")]
    }
    if max(fetched, product.effectiveDate) > now.adding(LivePublisher.clockTolerance) {
      return [finding(product.id, "it was fetched at \(fetched), which is in the future: a clock is wrong")]
    }
    let (left, age) = (seconds(from: now, to: product.expirationDate), seconds(from: fetched, to: now))
    guard left < seconds(from: product.effectiveDate, to: product.expirationDate) / 3 else { return [] }
    return [
      .health(
        .warning, .currency, product.id,
        "it was last fetched \(age / 60) min ago, and must not be used from \(left / 60) min on")
    ]
  }

  private var held: [Finding] {
    let missing = (catalogue.held ?? []).map { held in
      finding(held.id, held.reason == .expired ? "it expired and was withdrawn" : "it could not be made")
    }
    let isEmpty = catalogue.products.isEmpty && missing.isEmpty
    return isEmpty ? [finding(LivePublisher.channel.path, "it lists no snapshot")] : missing
  }

  private func seconds(from: Instant, to: Instant) -> Int { to.secondsSince1970 - from.secondsSince1970 }

  private func finding(_ place: String, _ message: String) -> Finding { .health(.currency, place, message) }
}
