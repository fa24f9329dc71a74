/// How long a transfer may take with all its attempts and pauses: the time to begin with, and more for every byte that came.
///
/// A server that sends a byte now and then cannot hold a reader, and a slow connection has enough time.
public struct TransferAllowance: Sendable {
  public var start: Duration
  public var bytesPerSecond: Int

  /// For small documents.
  public static let document = TransferAllowance(start: .seconds(6), bytesPerSecond: 16_000)
  /// For large files. After a megabyte, an interruption may last minutes.
  public static let file = TransferAllowance(start: .seconds(6), bytesPerSecond: 2_000)

  public func starting(at start: Duration) -> TransferAllowance {
    TransferAllowance(start: start, bytesPerSecond: bytesPerSecond)
  }
}

/// The end of a transfer that began when this value was created.
public struct TransferDeadline: Sendable {
  private let began = ContinuousClock.now
  private let allowance: TransferAllowance
  private var received = 0

  public init(_ allowance: TransferAllowance) { self.allowance = allowance }

  /// The deadline after more bytes.
  public func adding(_ count: Int) -> TransferDeadline {
    var later = self
    later.received += count
    return later
  }

  /// The rest of the time; negative when it is over.
  public var left: Duration {
    let earned = Double(received) / Double(allowance.bytesPerSecond)
    return allowance.start + .seconds(earned) - (ContinuousClock.now - began)
  }

  /// Why the transfer ends, for messages.
  public var reason: String {
    let seconds = Counts.measured((ContinuousClock.now - began) / .seconds(1))
    return "the server is too slow: \(Counts.of(received, "byte")) in \(seconds)"
  }
}
