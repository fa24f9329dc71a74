public import Core
internal import Foundation

/// How to publish.
public struct PublishOptions: Sendable {
  /// Signs the catalogue; nil for a target without signatures.
  public var key: SigningKey?
  /// The key that signed the present catalogue, if `key` is a new one.
  public var oldKey: PublicKey?
  /// Whether an unsigned catalogue may be extended and signed.
  public var adoptsUnsigned = false
  /// Whether unreferenced objects stay.
  public var keepsOld = false
  /// Whether objects that are present are read and verified, too.
  public var checks = false
  /// Whether a catalogue is published also if nothing but its term changes.
  public var renews = false
  /// How many seconds the catalogue is valid; nil until a week after the next data cycle takes effect.
  public var validSeconds: Int?
  public var isDryRun = false
  /// The cycles that are published again although they were withdrawn.
  public var reinstated: Set<AiracCycle> = []
  /// How many objects are sent at a time; nil for the caller's own thread.
  public var jobs: Int? = 4
  /// The public address of the site, for the links of its feed; nil for relative links.
  public var siteURL: String?
  /// The serial that was published last, as far as the publisher remembers.
  var lastSerial: Int?
  public var clock: PublishClock
}

/// The clock of a publisher.
public struct PublishClock: Sendable {
  public var now: @Sendable () -> Instant
  public var wait: @Sendable (_ seconds: Int) throws -> Void = PublishClock.sleep

  /// Checks for Ctrl-C ten times a second.
  public static func sleep(_ seconds: Int) throws {
    for _ in 0..<seconds * 10 {
      try CancellationToken.current.check()
      Thread.sleep(forTimeInterval: 0.1)
    }
  }
}
