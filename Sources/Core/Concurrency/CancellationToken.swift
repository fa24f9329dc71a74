internal import Synchronization

/// A flag that ends long work early. Work checks the current token between its pieces.
///
/// The command line binds a token for the whole command and cancels it on Ctrl-C. `ThreadPool` passes the current token on to
/// its threads, so no function takes a token as a parameter.
public final class CancellationToken: Sendable {
  /// The token of the work that the calling thread does.
  @TaskLocal public static var current = CancellationToken()

  private let flag = Atomic(false)
  private let parent: CancellationToken?

  /// - Parameter parent: A token whose cancellation cancels this one too.
  public init(parent: CancellationToken? = nil) {
    self.parent = parent
  }

  public var isCancelled: Bool { flag.load(ordering: .relaxed) || parent?.isCancelled ?? false }

  public func cancel() { flag.store(true, ordering: .relaxed) }

  /// Throws `CancellationError` after cancellation.
  public func check() throws {
    if isCancelled { throw CancellationError() }
  }

  /// Runs `work` with this token as the current one.
  public func run<Value>(_ work: () throws -> Value) rethrows -> Value {
    try CancellationToken.$current.withValue(self, operation: work)
  }
}
