public import Foundation

/// How something with two dates stands to the clock.
///
/// The cycles change at 0901Z; up to that second the old one is in force, from it on the new one. What has expired may still be
/// looked at, with a warning that nobody can overlook.
public enum Currency: Equatable, Sendable {
  /// Not in force yet: it can be downloaded ahead, and is shown from that time on.
  case next(from: Date)
  case current(until: Date)
  /// In force still, but not for long.
  case expiresSoon(Date)
  case expired(since: Date)

  /// How long before its end something expires soon: three days.
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
  /// The cycle that is in force at this instant, whatever role the catalogue gave it; nil when the site does not hold it.
  public func cycle(inForceAt now: Date) -> Cycle? {
    cycles.last { $0.effective <= now && now < $0.expires }
  }

  /// How the catalogue as a whole stands to the clock; nil when it lists no cycle. It expires soon only where it does not hold
  /// the cycle that comes then.
  public func currency(at now: Date, notice: TimeInterval = Currency.usualNotice) -> Currency? {
    guard let own = cycle(inForceAt: now) else {
      let expired = cycles.last { $0.expires <= now }
      return expired.map { .expired(since: $0.expires) } ?? cycles.first.map { .next(from: $0.effective) }
    }
    let follows = cycles.contains { $0.effective == own.expires }
    return Currency(effective: own.effective, expires: own.expires, at: now, notice: follows ? 0 : notice)
  }

  /// How a catalogue stands to those that were seen before.
  public enum Freshness: Equatable, Sendable {
    case first
    case newer
    case same
    /// An old copy, out of a cache or from somebody who wants last month's charts to be believed. Keep what you have.
    case replayed
  }

  /// - Parameter seen: the highest serial that this device has ever accepted; nil on the first day. Keep it for good.
  public func freshness(afterSerial seen: Int?) -> Freshness {
    guard let seen else { return .first }
    return serial == seen ? .same : serial > seen ? .newer : .replayed
  }

  /// A product's entries, told apart by the clock.
  public struct Offer: Equatable, Sendable {
    /// The one in force; of two with the same dates, that of the latest cycle.
    public var inForce: Product?
    /// The first that is still to come, to be downloaded ahead.
    public var upcoming: Product?
    /// The last that has ended.
    public var expired: Product?
    /// Why the cycle in force has no edition of it: an expired one is shown because the new one was held back. Nil when it has one,
    /// or never had any.
    public var held: Held?

    /// What to show: what is in force, else the last one that was, with a warning.
    public var shown: Product? { inForce ?? expired }
  }

  /// What the catalogue has of a product; by the clock, and never by the roles of the cycles.
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
  /// The order of the cycles: two digits of a year have none at the turn of a century.
  fileprivate func cycleDate(in catalog: Catalog) -> Date {
    catalog.cycles.first { $0.id == cycle }?.effective ?? effectiveDate
  }
}
