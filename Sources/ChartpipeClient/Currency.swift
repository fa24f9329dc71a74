public import Foundation

/// Whether a product or a cycle is in force at a given time.
///
/// Cycles change at 0901Z: from that second the new one is in force. An app may show expired data with a prominent warning.
public enum Currency: Equatable, Sendable {
  /// Not yet in force: an app can download it in advance and shows it from that time.
  case next(from: Date)
  case current(until: Date)
  /// In force, but it expires soon.
  case expiresSoon(Date)
  case expired(since: Date)

  /// The default notice before the end: three days.
  public static let usualNotice: TimeInterval = 3 * 86_400

  public init(effective: Date, expires: Date, at now: Date, notice: TimeInterval = Currency.usualNotice) {
    if now >= expires {
      self = .expired(since: expires)
    } else if now < effective {
      self = .next(from: effective)
    } else if now >= expires - notice {
      self = .expiresSoon(expires)
    } else {
      self = .current(until: expires)
    }
  }

  /// Whether it may be shown without a warning.
  public var isInForce: Bool {
    switch self {
    case .current, .expiresSoon: true
    case .next, .expired: false
    }
  }
}

extension Catalog.Product {
  /// ```swift
  /// if case .expired(let since) = product.currency(at: .now) { warn("This chart expired on \(since).") }
  /// ```
  public func currency(at now: Date, notice: TimeInterval = Currency.usualNotice) -> Currency {
    Currency(effective: effectiveDate, expires: expirationDate, at: now, notice: notice)
  }
}

extension Catalog {
  /// Returns the cycle in force at this instant, independent of its role in the catalogue; nil when the site does not have it.
  public func cycle(inForceAt now: Date) -> Cycle? {
    cycles.last { $0.effective <= now && now < $0.expires }
  }

  /// Returns the currency of the whole catalogue; nil when it lists no cycle. It expires soon only if it does not contain the next
  /// cycle.
  public func currency(at now: Date, notice: TimeInterval = Currency.usualNotice) -> Currency? {
    guard let own = cycle(inForceAt: now) else {
      let expired = cycles.last { $0.expires <= now }
      return expired.map { .expired(since: $0.expires) } ?? cycles.first.map { .next(from: $0.effective) }
    }
    let follows = cycles.contains { $0.effective == own.expires }
    return Currency(effective: own.effective, expires: own.expires, at: now, notice: follows ? 0 : notice)
  }

  /// Whether the publisher has had time to replace a catalogue. A server may serve an old one for ever, with its valid signature.
  public enum Validity: Equatable, Sendable {
    case fresh(until: Date)
    /// There should be a newer one. Keep the data, with a prominent warning.
    case expired(since: Date)
    /// The publisher does not state it.
    case unknown
  }

  /// Compares ``expires`` with the clock of the caller.
  public func validity(at now: Date) -> Validity {
    guard let expires else { return .unknown }
    return now < expires ? .fresh(until: expires) : .expired(since: expires)
  }

  /// A catalogue compared with those that the device accepted before.
  public enum Freshness: Equatable, Sendable {
    case first
    case newer
    case same
    /// An old copy from a cache or an attacker. Keep the catalogue that you have.
    case replayed
  }

  /// - Parameter seen: The highest serial that this device has ever accepted; nil for the first. Store it permanently.
  public func freshness(afterSerial seen: Int?) -> Freshness {
    guard let seen else { return .first }
    return serial == seen ? .same : serial > seen ? .newer : .replayed
  }

  /// The editions of a product at a given time.
  public struct Offer: Equatable, Sendable {
    /// The edition in force. Of two with the same dates it is that of the later cycle.
    public var inForce: Product?
    /// The first future edition, to download in advance.
    public var upcoming: Product?
    /// The last expired edition.
    public var expired: Product?
    /// Why the cycle in force has no edition: the new one was held back. Nil when it has one, or never had any.
    public var held: Held?

    /// The edition to show: the one in force, else the last expired one, with a warning.
    public var shown: Product? { inForce ?? expired }
  }

  /// Returns the editions of a product at this instant, independent of the roles of the cycles.
  public func offer(of id: String, at now: Date) -> Offer {
    let entries = products.filter { $0.id == id }.sorted {
      ($0.effectiveDate, $0.cycleDate(in: self)) < ($1.effectiveDate, $1.cycleDate(in: self))
    }
    return Offer(
      inForce: entries.last { $0.currency(at: now).isInForce },
      upcoming: entries.first { $0.effectiveDate > now },
      expired: entries.last { $0.expirationDate <= now },
      held: cycle(inForceAt: now)?.held.first { $0.id == id })
  }
}

extension Catalog.Product {
  /// Orders editions by cycle. The identifiers of cycles have two digits for the year and no order at the turn of a century.
  fileprivate func cycleDate(in catalog: Catalog) -> Date {
    catalog.cycles.first { $0.id == cycle }?.effective ?? effectiveDate
  }
}
