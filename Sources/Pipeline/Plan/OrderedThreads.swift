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

  /// Drops what has not begun and waits for the rest, so that nobody is at work any more.
  fileprivate func abandon() {
    queue.cancelAllOperations()
    queue.waitUntilAllOperationsAreFinished()
  }
}

@available(*, unavailable)
extension OrderedThreads: Sendable {}

/// Runs `work`, which waits for disks and networks, on the inputs by threads of its own, and gives the results to `consume` in
/// the inputs' order. The first error ends the whole, once everybody who is at work has heeded the sign.
public func orderedThreads<Input: Sendable, Output: Sendable>(
  _ inputs: [Input], width: Int, work: @escaping @Sendable (Input, StopSign) throws -> Output,
  consume: (Output) throws -> Void
) throws {
  let sign = StopSign()
  let threads = OrderedThreads<Result<Output, any Error>>(width: width)
  defer {
    sign.raise()
    threads.abandon()
  }
  for input in inputs {
    try Task.checkCancellation()
    while threads.isFull, let result = threads.next() { try consume(result.get()) }
    threads.add { Result { try work(input, sign) } }
  }
  while let result = threads.next() {
    try Task.checkCancellation()
    try consume(result.get())
  }
}
