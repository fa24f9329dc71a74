internal import Core
internal import Validation

/// What a catalogue offers by the clock, whatever roles it gives its cycles.
struct Currency {
  private let catalogue: Catalog
  private let now: Instant
  private let inForce: AiracCycle

  /// How many days before the current cycle ends the next one should be there.
  private static let noticeDays = 5

  init(_ catalogue: Catalog, at now: Instant) {
    self.catalogue = catalogue
    self.now = now
    inForce = AiracCycle(at: now)
  }

  private var listed: [AiracCycle] {
    catalogue.entries.compactMap { AiracCycle(identifier: $0.id) }.sorted()
  }

  var next: AiracCycle { inForce.advanced(by: 1) }
  var hasNext: Bool { listed.contains(next) }

  /// When the latest that has taken effect ends: in the past, where the site lacks what is in force.
  var expires: Instant? { listed.last { $0 <= inForce }?.expires(.every28Days) }

  var findings: [Finding] { dates + presence }

  private var presence: [Finding] {
    guard listed.contains(inForce) else {
      let held = listed.map(\.identifier).joined(separator: ", ")
      return [
        finding(
          .error, "cycle \(inForce) is in force, and the site has \(held.isEmpty ? "none" : "only \(held)")")
      ]
    }
    let end = inForce.expires(.every28Days)
    guard now.day >= end.day.adding(days: -Currency.noticeDays), !hasNext else { return [] }
    return [finding(.warning, "\(inForce.identifier) ends at \(end), and \(next) is not there yet")]
  }

  /// Clients go by these dates, so they must be those of the calendar.
  private var dates: [Finding] {
    catalogue.entries.compactMap { entry in
      guard let cycle = AiracCycle(identifier: entry.id) else {
        return finding(.error, "there is no AIRAC cycle \"\(entry.id)\"")
      }
      let dates = (cycle.effective.description, cycle.expires(.every28Days).description)
      guard dates != (entry.effective, entry.expires) else { return nil }
      return finding(
        .error, "cycle \(cycle) is from \(dates.0) to \(dates.1), and the catalogue says otherwise")
    }
  }

  private func finding(_ severity: Finding.Severity, _ message: String) -> Finding {
    .health(severity, .currency, PublishedCatalogue.path, message)
  }
}
