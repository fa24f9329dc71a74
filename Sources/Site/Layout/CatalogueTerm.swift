public import Core

/// The time for which a publisher vouches that a catalogue is its newest one. A replayed or frozen copy is recognized by its end.
public struct CatalogueTerm: Equatable, Sendable {
  public var issued: Instant
  public var expires: Instant

  /// Days after the first unlisted data cycle takes effect: a late run of that cycle still replaces the catalogue in time.
  private static let graceDays = 7

  public init(issued: Instant, expires: Instant) { (self.issued, self.expires) = (issued, expires) }

  /// - Parameters:
  ///   - last: the latest cycle that the catalogue lists, which may be a coming one; nil if there is none.
  ///   - seconds: how long the catalogue is valid; nil until a week after the next data cycle takes effect.
  init(from issued: Instant, listing last: AiracCycle?, lasting seconds: Int?) {
    let current = AiracCycle(at: issued)
    let next = max(current, last ?? current).advanced(by: 1).effective
    self.init(
      issued: issued,
      expires: seconds.map(issued.adding) ?? next.adding(CatalogueTerm.graceDays * 86_400))
  }

  /// A missing time is past.
  init(issued: Instant?, expires: Instant?) {
    let past = Instant(secondsSince1970: 0)
    self.init(issued: issued ?? past, expires: expires ?? past)
  }

  public func isExpired(at now: Instant) -> Bool { expires <= now }

  /// Whether a publisher should renew it although nothing else has changed: less than half of the time is left.
  func isDueForRenewal(at now: Instant) -> Bool { left(at: now) < length / 2 }

  /// Whether less than a fifth of the time is left. By default, this begins about when that data cycle takes effect.
  public func endsSoon(at now: Instant) -> Bool { left(at: now) < length / 5 }

  private var length: Int { expires.secondsSince1970 - issued.secondsSince1970 }
  private func left(at now: Instant) -> Int { expires.secondsSince1970 - now.secondsSince1970 }
}
