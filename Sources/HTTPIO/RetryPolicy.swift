internal import Core
internal import Foundation

/// How often something is tried again that may do better a little later, and how long is waited before.
public struct RetryPolicy: Sendable {
  /// How often in all.
  public var attempts: Int
  /// Before the second attempt; doubled each time, and shortened by up to a half, so that many do not come back at once.
  public var firstPause: Duration
  public var longestPause: Duration
  /// A server that wants to be left alone for longer is not asked again.
  public var longestRetryAfter: Duration
  /// Whoever got so many bytes further before a connection broke has all attempts again.
  public var renewingBytes = 1 << 20
  public var sleep: @Sendable (Duration) throws -> Void
  /// From 0 up to 1.
  public var chance: @Sendable () -> Double

  /// - Parameter sleep: ends early by an error.
  public init(
    attempts: Int = 5, firstPause: Duration = .seconds(1), longestPause: Duration = .seconds(30),
    longestRetryAfter: Duration = .seconds(120),
    sleep: @escaping @Sendable (Duration) throws -> Void = RetryPolicy.sleep,
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.attempts = attempts
    self.firstPause = firstPause
    self.longestPause = longestPause
    self.longestRetryAfter = longestRetryAfter
    self.sleep = sleep
    self.chance = chance
  }

  /// Blocks the thread, and checks for cancellation ten times a second.
  @Sendable public static func sleep(_ pause: Duration) throws {
    let end = ContinuousClock.now + pause
    while true {
      if CancellationToken.current.isCancelled { throw HTTPError(.cancelled, "it was cancelled") }
      let left = end - ContinuousClock.now
      guard left > .zero else { return }
      Thread.sleep(forTimeInterval: min(left, .milliseconds(100)).inSeconds)
    }
  }

  /// Tries until it goes well, fails for good, or has failed too often.
  ///
  /// - Parameter progress: how many bytes have come so far, over all attempts.
  public func perform<Value>(
    progress: () -> Int = { 0 }, _ attempt: () throws -> Value
  ) throws -> Value {
    var failures = 0
    var mark = progress()
    while true {
      do {
        return try attempt()
      } catch {
        if progress() - mark >= renewingBytes { (failures, mark) = (0, progress()) }
        failures += 1
        guard failures < attempts, let pause = pause(after: error, failures: failures) else { throw error }
        try sleep(pause)
      }
    }
  }

  /// Nil when it is of no use to wait.
  func pause(after error: any Error, failures: Int) -> Duration? {
    switch error {
    case let error as HTTPError where error.mayPass: return backOff(failures)
    case let error as HTTPStatusError where error.mayPass:
      guard let wanted = error.retryAfter else { return backOff(failures) }
      return wanted <= longestRetryAfter ? max(wanted, backOff(failures)) : nil
    default: return nil
    }
  }

  private func backOff(_ failures: Int) -> Duration {
    let whole = min(longestPause, firstPause * (1 << min(failures - 1, 20)))
    return whole * (1 - chance() / 2)
  }
}

extension Duration {
  fileprivate var inSeconds: Double { self / .seconds(1) }
}
