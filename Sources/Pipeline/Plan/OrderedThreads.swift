internal import Foundation
internal import Synchronization

/// Work that other threads do for a caller that is not asynchronous and may not share what it holds. The results come back
/// in the order in which the work was added.
public final class OrderedThreads<Output: Sendable> {
  private let width: Int
  private let queue = OperationQueue()
  private var line: [(operation: Operation, outcome: Outcome)] = []

  private final class Outcome: Sendable {
    let value = Mutex<Output?>(nil)
  }

  public init(width: Int) {
    self.width = max(1, width)
    queue.maxConcurrentOperationCount = self.width
  }

  deinit { queue.cancelAllOperations() }

  /// Whether a result should be taken before more is added, since all that wait are in memory.
  public var isFull: Bool { line.count >= 2 * width }

  public func add(_ work: @escaping @Sendable () -> Output) {
    let outcome = Outcome()
    let operation = BlockOperation {
      let value = work()
      outcome.value.withLock { $0 = value }
    }
    line.append((operation, outcome))
    queue.addOperation(operation)
  }

  /// What became of the oldest work, for which it waits; nil when there is none.
  public func next() -> Output? {
    guard !line.isEmpty else { return nil }
    let (operation, outcome) = line.removeFirst()
    operation.waitUntilFinished()
    return outcome.value.withLock { $0 }
  }
}

@available(*, unavailable)
extension OrderedThreads: Sendable {}
