internal import Foundation
internal import Synchronization

/// Work on threads of our own, for a caller that is not asynchronous and may not share what it holds, and for calls that wait:
/// the system's queues give hardly more threads than there are cores, whoever waits.
public final class ThreadPool<Output: Sendable> {
  private let width: Int
  private let desk = WorkDesk<Output>()
  private var line: [Int] = []
  private var added = 0

  public init(width: Int) { self.width = max(1, width) }

  deinit { desk.close() }

  /// Whether a result should be taken before more is added, since all that wait are in memory.
  public var isFull: Bool { line.count >= 2 * width }

  public func add(_ work: @escaping @Sendable () -> Output) {
    line.append(added)
    desk.add(added, upTo: width, work)
    added += 1
  }

  /// What became of the oldest work, for which it waits; nil when there is none.
  public func next() -> Output? {
    guard !line.isEmpty else { return nil }
    return desk.take(line.removeFirst())
  }

  /// The next result to come, whichever it is, and the number of its work; nil when there is none.
  public func nextDone() -> (number: Int, output: Output)? {
    guard !line.isEmpty else { return nil }
    let done = desk.takeAny()
    line.removeAll { $0 == done.number }
    return done
  }

  /// Drops what has not begun and waits for the rest, so that nobody is at work any more.
  fileprivate func abandon() {
    line = []
    desk.close()
    desk.waitForAll()
  }
}

@available(*, unavailable)
extension ThreadPool: Sendable {}

/// Where work lies for the threads, and results for the one who waits for them.
private final class WorkDesk<Output: Sendable>: Sendable {
  private struct State {
    var waiting: [(number: Int, work: @Sendable () -> Output)] = []
    var done: [Int: Output] = [:]
    var threads = 0
    var idle = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  /// Rung at each change. What it locks is held around each look at the state and the wait that follows it.
  private let bell = NSCondition()

  func add(_ number: Int, upTo width: Int, _ work: @escaping @Sendable () -> Output) {
    let needsThread = change { state in
      state.waiting.append((number, work))
      guard state.idle < state.waiting.count, state.threads < width else { return false }
      state.threads += 1
      return true
    }
    if needsThread { Thread.detachNewThread { [self] in serve() } }
  }

  func take(_ number: Int) -> Output {
    wait { $0.done.removeValue(forKey: number) }
  }

  func takeAny() -> (number: Int, output: Output) {
    wait { state in state.done.popFirst().map { ($0.key, $0.value) } }
  }

  func close() {
    change { state in
      state.waiting = []
      state.isClosed = true
    }
  }

  func waitForAll() {
    wait { $0.threads == 0 ? () : nil }
  }

  private func serve() {
    while let (number, work) = nextWork() {
      let output = work()
      change { $0.done[number] = output }
    }
  }

  private func nextWork() -> (Int, @Sendable () -> Output)? {
    change { $0.idle += 1 }
    return wait { state in
      if !state.waiting.isEmpty {
        state.idle -= 1
        return .some(state.waiting.removeFirst())
      }
      guard state.isClosed else { return nil }
      state.threads -= 1
      return .some(nil)
    }
  }

  @discardableResult
  private func change<Value: Sendable>(_ body: (inout sending State) -> sending Value) -> Value {
    bell.lock()
    defer { bell.unlock() }
    let value = state.withLock(body)
    bell.broadcast()
    return value
  }

  /// Waits until the body gives something, which may be what somebody else waits for.
  private func wait<Value: Sendable>(_ body: (inout sending State) -> sending Value?) -> Value {
    bell.lock()
    defer { bell.unlock() }
    while true {
      if let value = state.withLock(body) {
        bell.broadcast()
        return value
      }
      bell.wait()
    }
  }
}

/// Runs `work`, which waits for disks and networks, on the inputs by threads of its own, and gives the results to `consume` in
/// the inputs' order. The first error ends the whole, once everybody who is at work has heeded the sign.
public func orderedThreads<Input: Sendable, Output: Sendable>(
  _ inputs: [Input], width: Int, work: @escaping @Sendable (Input, CancellationToken) throws -> Output,
  consume: (Output) throws -> Void
) throws {
  let sign = CancellationToken()
  let threads = ThreadPool<Result<Output, any Error>>(width: width)
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
