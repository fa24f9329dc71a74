public import Core

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
  /// Whether to continue although another publisher holds the lease.
  public var takesOver = false
  public var isDryRun = false
  /// The cycles that are published again although they were withdrawn.
  public var reinstated: Set<AiracCycle> = []
  /// How many objects are sent at a time; nil for the caller's own thread.
  public var jobs: Int? = 4
  /// How long others wait after a publisher was killed.
  public var leaseSeconds = 300
  /// The public address of the site, for the links of its feed; nil for relative links.
  public var siteURL: String?
  /// Names this publisher to others.
  public var holder: String
  /// Its own process; nil if the system does not identify processes.
  var process: ProcessIdentity? = .current
  /// The serial that was published last, as far as the publisher remembers.
  var lastSerial: Int?
  public var clock: PublishClock
}
