public import Core
internal import Foundation

/// The time of day as publishers keep it, and how they wait.
public struct PublishClock: Sendable {
  public var now: @Sendable () -> Instant
  public var wait: @Sendable (_ seconds: Int) throws -> Void

  public init(
    now: @escaping @Sendable () -> Instant,
    wait: @escaping @Sendable (_ seconds: Int) throws -> Void = PublishClock.sleep
  ) {
    self.now = now
    self.wait = wait
  }

  /// In short naps, so that Ctrl-C is heeded.
  public static func sleep(_ seconds: Int) throws {
    for _ in 0..<seconds * 10 {
      try CancellationToken.current.check()
      Thread.sleep(forTimeInterval: 0.1)
    }
  }
}

extension Instant {
  func adding(_ seconds: Int) -> Instant { Instant(secondsSince1970: secondsSince1970 + seconds) }
}
