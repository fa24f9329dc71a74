public import Core
internal import Pipeline

/// The time for which a publisher vouches that a catalogue is its newest one. A replayed or frozen copy is recognized by its end.
public struct CatalogueTerm: Equatable, Sendable {
  public var issued: Instant
  public var expires: Instant

  /// Days after the next data cycle takes effect: a late run of that cycle still replaces the catalogue in time.
  private static let graceDays = 7

  public init(issued: Instant, expires: Instant) {
    (self.issued, self.expires) = (issued, expires)
  }

  /// - Parameter seconds: how long the catalogue is valid; nil until a week after the next data cycle takes effect.
  init(from issued: Instant, lasting seconds: Int?) {
    let next = AiracCycle(at: issued).advanced(by: 1).effective
    self.init(
      issued: issued,
      expires: seconds.map(issued.adding) ?? next.adding(CatalogueTerm.graceDays * 86_400))
  }

  public func isExpired(at now: Instant) -> Bool { expires <= now }

  /// Whether a publisher should renew it although nothing else has changed: less than half of the time is left.
  func isDueForRenewal(at now: Instant) -> Bool { left(at: now) < length / 2 }

  /// Whether less than a fifth of the time is left. By default, this is after the next data cycle has taken effect.
  public func endsSoon(at now: Instant) -> Bool { left(at: now) < length / 5 }

  private var length: Int { expires.secondsSince1970 - issued.secondsSince1970 }
  private func left(at now: Instant) -> Int { expires.secondsSince1970 - now.secondsSince1970 }
}

extension CatalogueTerm: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case issued, expires }

  /// Nil for a catalogue without a term: of a site that is only staged, or of an earlier version.
  static func decodeIfPresent(from decoder: any Decoder) throws -> CatalogueTerm? {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    return container.allKeys.isEmpty ? nil : try CatalogueTerm(from: decoder)
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let times = try CodingKeys.allCases.map { key in
      guard let time = Instant(try container.decode(String.self, forKey: key)) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "it is not a time such as 2026-11-26T09:01:00Z")
      }
      return time
    }
    self.init(issued: times[0], expires: times[1])
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(issued.description, forKey: .issued)
    try container.encode(expires.description, forKey: .expires)
  }
}
