internal import Synchronization

/// Tells threads of our own, which no task knows, that their work is no longer wanted.
public final class CancellationToken: Sendable {
  private let raised = Mutex(false)

  public init() {}

  public var isRaised: Bool { raised.withLock { $0 } }

  public func raise() { raised.withLock { $0 = true } }

  public func check() throws {
    if isRaised { throw CancellationError() }
  }

  /// Does work that waits for threads; the sign is raised when the task is cancelled.
  public static func heeded<Value>(_ work: (CancellationToken) throws -> Value) async rethrows -> Value {
    let sign = CancellationToken()
    return try await withTaskCancellationHandler {
      try work(sign)
    } onCancel: {
      sign.raise()
    }
  }
}
