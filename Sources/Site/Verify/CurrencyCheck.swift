internal import Core

/// Checks by the clock that a catalogue is valid and has the cycle in force, regardless of the roles that it gives its cycles.
struct CurrencyCheck {
  let catalogue: Catalog
  let now: Instant

  /// The number of days before the end of the current cycle by which the next one should be published.
  private static let noticeDays = 5

  private var inForce: AiracCycle { AiracCycle(at: now) }
  private var listed: [AiracCycle] { catalogue.entries.map(\.id).sorted() }

  var next: AiracCycle { inForce.advanced(by: 1) }
  var hasNext: Bool { listed.contains(next) }

  /// The end of the latest cycle that has taken effect. It is in the past when the site lacks the cycle in force.
  var expires: Instant? { listed.last { $0 <= inForce }?.expires }

  var findings: [Finding] { term + dates + presence }

  private var term: [Finding] {
    guard let term = catalogue.term else { return [] }
    if term.issued > now.adding(LivePublisher.clockTolerance) {
      return finding(
        .warning,
        "the catalogue was issued at \(term.issued), after the time of this check: a clock is wrong, or `--at` names an earlier day"
      )
    }
    guard term.endsSoon(at: now) else { return [] }
    return term.isExpired(at: now)
      ? finding(
        .error,
        "the catalogue expired at \(term.expires): it may be an old copy; publish the site again, or bring a mirror up to date"
      )
      : finding(
        .warning, "the catalogue expires at \(term.expires); `chartpipe publish --renew` renews it")
  }

  private var presence: [Finding] {
    guard listed.contains(inForce) else {
      let held = listed.map(\.identifier).joined(separator: ", ")
      return finding(
        .error,
        "cycle \(inForce.dated) is in force, and the site has \(held.isEmpty ? "none" : "only \(held)")")
    }
    let end = inForce.expires
    guard now.day >= end.day.adding(days: -CurrencyCheck.noticeDays), !hasNext else { return [] }
    return finding(.warning, "\(inForce) ends at \(end), and \(next.dated) is not published yet")
  }

  /// Clients rely on these dates, so they must be those of the calendar.
  private var dates: [Finding] {
    catalogue.entries.filter { ($0.effective, $0.expires) != ($0.id.effective, $0.id.expires) }.flatMap {
      entry in
      finding(
        .error,
        "cycle \(entry.id.dated) is in force from \(entry.id.effective) to \(entry.id.expires), and the catalogue has other dates"
      )
    }
  }

  private func finding(_ severity: Finding.Severity, _ message: String) -> [Finding] {
    [.health(severity, .currency, PublishedCatalogue.path, message)]
  }

  // MARK: - Editions

  /// Reports the products that the cycles of a catalogue hold back, and editions whose dates do not fit their cycle: an old edition must never look like a current one.
  var editions: [Finding] { misdated + held }

  /// Reports the products held back in the cycle in force and in later cycles. It is an error if the edition that stays has expired.
  private var held: [Finding] {
    catalogue.entries.filter { $0.id >= inForce }.flatMap { entry in
      (entry.held ?? []).map { held in
        let edition = catalogue.products.first { $0.id == held.id && $0.cycle == held.published }
        let isExpired = edition.map { $0.expirationDate <= now } ?? false
        return .health(isExpired ? .error : .warning, .held, held.id, message(held, entry, edition))
      }
    }
  }

  private func message(_ held: CycleEntry.Held, _ entry: CycleEntry, _ edition: Product?) -> String {
    let why =
      switch held.reason {
      case .refused: "validation refused it\(held.rule.map { " (\($0))" } ?? "")"
      case .contains: "it contains parts of a product that validation refused"
      case .failed: "it could not be built"
      case .expired: "its time is over"
      }
    return
      "cycle \(entry.id) does not have it: \(why); \(edition.map(published) ?? "no earlier edition is published")"
  }

  private func published(_ product: Product) -> String {
    "the edition of \(product.edition) stays published, which "
      + "\(product.expirationDate <= now ? "expired on" : "is in force until") \(product.expirationDate)"
  }

  /// Apps decide by these dates which edition is in force.
  private var misdated: [Finding] {
    catalogue.products.filter { product in
      let (cycle, from, until) = (product.cycle, product.effectiveDate, product.expirationDate)
      return cycle.effective < from || until <= cycle.effective
    }.map { product in
      .health(
        .error, .held, product.id,
        "it is of cycle \(product.cycle.dated), which begins at \(product.cycle.effective), "
          + "but its dates are from \(product.effectiveDate) to \(product.expirationDate)")
    }
  }
}
