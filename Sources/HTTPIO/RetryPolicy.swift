public import Core
internal import Foundation

/// How often and after which pauses a request with a transient error is repeated.
public struct RetryPolicy: Sendable {
  /// The maximum number of attempts, including the first.
  public var attempts: Int
  /// The pause before the second attempt. It doubles each time, and is shortened randomly by up to a half, so that many clients do not
  /// return at the same time.
  public var firstPause: Duration
  public var longestPause: Duration
  /// A server that asks for a longer pause gets no more requests.
  public var longestRetryAfter: Duration
  /// Whether such a server gets another request after `longestRetryAfter` instead.
  public var capsRetryAfter = false
  /// After this many bytes of progress, all attempts are available again.
  public var renewingBytes = 1 << 20
  /// How long the documents and the files of a site may take.
  public var documents = RetryPolicy.usual(.document)
  public var files = RetryPolicy.usual(.file)

  /// For slow connections.
  private static let waitSeconds = ProcessInfo.processInfo.environment["CHARTPIPE_WAIT_SECONDS"]
    .flatMap { Int($0) }.flatMap { $0 > 0 ? Duration.seconds($0) : nil }

  private static func usual(_ allowance: TransferAllowance) -> TransferAllowance {
    waitSeconds.map(allowance.starting) ?? allowance
  }

  public var sleep: @Sendable (Duration) throws -> Void
  /// A random number from 0 up to 1.
  public var chance: @Sendable () -> Double

  /// - Parameter sleep: Waits, and throws on cancellation.
  public init(
    attempts: Int = 5, firstPause: Duration = .seconds(1), longestPause: Duration = .seconds(30),
    longestRetryAfter: Duration = .seconds(120),
    sleep: @escaping @Sendable (Duration) throws -> Void = RetryPolicy.sleep,
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    (self.attempts, self.firstPause, self.longestPause) = (attempts, firstPause, longestPause)
    (self.longestRetryAfter, self.sleep, self.chance) = (longestRetryAfter, sleep, chance)
  }

  /// Blocks the thread and checks for cancellation ten times per second.
  @Sendable public static func sleep(_ pause: Duration) throws {
    let end = ContinuousClock.now + pause
    while true {
      if CancellationToken.current.isCancelled { throw HTTPError(.cancelled, "it was cancelled") }
      let left = end - ContinuousClock.now
      guard left > .zero else { return }
      Thread.sleep(forTimeInterval: min(left, .milliseconds(100)) / .seconds(1))
    }
  }

  /// Repeats `attempt` until it succeeds, fails permanently, or has failed too often.
  ///
  /// - Parameters:
  ///   - deadline: Ends the attempts, and shortens the pauses before it.
  ///   - progress: The number of bytes received so far, in all attempts.
  public func perform<Value>(
    before deadline: TransferDeadline? = nil, progress: () -> Int = { 0 }, _ attempt: () throws -> Value
  ) throws -> Value {
    var failures = 0
    var mark = progress()
    while true {
      do {
        return try attempt()
      } catch {
        if progress() - mark >= renewingBytes { (failures, mark) = (0, progress()) }
        failures += 1
        guard failures < attempts, var pause = pause(after: error, failures: failures) else { throw error }
        if let left = deadline?.adding(progress()).left {
          guard left > (error as? any RetryableError)?.retryAfter ?? .zero else { throw error }
          pause = min(pause, left / 2)
        }
        try sleep(pause)
      }
    }
  }

  /// Nil when a retry is useless.
  func pause(after error: any Error, failures: Int) -> Duration? {
    guard let error = error as? any RetryableError, error.isTransient else { return nil }
    guard let retryAfter = error.retryAfter else { return backOff(failures) }
    guard retryAfter <= longestRetryAfter || capsRetryAfter else { return nil }
    return max(min(retryAfter, longestRetryAfter), backOff(failures))
  }

  private func backOff(_ failures: Int) -> Duration {
    let pause = min(longestPause, firstPause * (1 << min(failures - 1, 20)))
    return pause * (1 - chance() / 2)
  }
}

/// An error after which the same request may succeed a little later.
public protocol RetryableError: Error {
  var isTransient: Bool { get }
  /// The pause that the server asks for; nil if it asks for none.
  var retryAfter: Duration? { get }
}

extension HTTPError: RetryableError {
  public var retryAfter: Duration? { nil }
}

extension HTTPStatusError: RetryableError {}
