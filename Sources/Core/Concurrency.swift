internal import Foundation
internal import Synchronization

// `Mutex` and `Atomic` need iOS 18. `ChartpipeClient`, which apps use on iOS 17, needs nothing of this file.

/// Runs `work` on the inputs with `width` threads and passes the results to `consume` in the order of the inputs.
///
/// One consumer and a fixed order make the output independent of `width`. At most `2 * width` inputs are in work or wait for
/// `consume`, which bounds the memory. The first error cancels the work that is in progress, and the function returns after
/// its threads have ended.
///
/// - Parameter next: Returns nil after the last input. It is called only when a thread is free for the input.
@available(iOS 18, *)
public func processInOrder<Input: Sendable, Output: Sendable>(
  width: Int, next: () throws -> Input?, work: @escaping @Sendable (Input) throws -> Output,
  consume: (Output) throws -> Void
) throws {
  try CancellationToken(parent: .current).run {
    let token = CancellationToken.current
    let pool = ThreadPool<Result<Output, any Error>>(width: width)
    defer {
      token.cancel()
      pool.finish()
    }
    var isAtEnd = false
    while true {
      while !isAtEnd, !pool.isFull {
        try token.check()
        guard let input = try next() else {
          isAtEnd = true
          break
        }
        pool.add {
          Result {
            try CancellationToken.current.check()
            return try work(input)
          }
        }
      }
      guard let result = pool.next() else { return }
      try token.check()
      try consume(result.get())
    }
  }
}

/// The same for inputs that exist already.
@available(iOS 18, *)
public func processInOrder<Input: Sendable, Output: Sendable>(
  _ inputs: [Input], width: Int, work: @escaping @Sendable (Input) throws -> Output,
  consume: (Output) throws -> Void
) throws {
  var rest = inputs[...]
  try processInOrder(width: width, next: { rest.popFirst() }, work: work, consume: consume)
}

/// Runs `work` on the inputs with `width` threads. The first error cancels the rest.
@available(iOS 18, *)
public func processEach<Input: Sendable>(
  _ inputs: [Input], width: Int, _ work: @escaping @Sendable (Input) throws -> Void
) throws {
  try processInOrder(inputs, width: width, work: work) { _ in }
}

/// A queue of work for up to `width` threads, for a caller that produces the work piece by piece. `processInOrder` is simpler
/// where the inputs can be pulled.
///
/// The threads are its own, since the system's queues start hardly more threads than there are cores, even when all of them
/// wait for a disk or a network.
@available(iOS 18, *)
public final class ThreadPool<Output: Sendable> {
  private let width: Int
  private let queue = WorkQueue<Output>()
  private var pending: [Int] = []
  private var added = 0

  public init(width: Int) { self.width = max(1, width) }

  deinit { queue.close() }

  /// Whether a result should be taken before more work is added, since all results that wait are in memory.
  public var isFull: Bool { pending.count >= 2 * width }

  /// Starts the work with the current cancellation token as soon as a thread is free.
  public func add(_ work: @escaping @Sendable () -> Output) {
    let token = CancellationToken.current
    pending.append(added)
    queue.add(added, upTo: width) { token.run(work) }
    added += 1
  }

  /// Waits for the oldest work and returns its result, or nil when there is none.
  public func next() -> Output? {
    guard !pending.isEmpty else { return nil }
    return queue.take(pending.removeFirst())
  }

  /// Drops the work that has not started and waits for the rest.
  public func finish() {
    pending = []
    queue.close()
    queue.waitForThreads()
  }
}

@available(iOS 18, *)
@available(*, unavailable)
extension ThreadPool: Sendable {}

/// Work that waits for threads, and results that wait for the caller.
@available(iOS 18, *)
private final class WorkQueue<Output: Sendable>: Sendable {
  private struct State {
    var waiting: [(number: Int, work: @Sendable () -> Output)] = []
    var done: [Int: Output] = [:]
    var threads = 0
    var idle = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  /// Signalled after each change. Its lock is held around each look at the state and the wait that follows it.
  private let changed = NSCondition()

  func add(_ number: Int, upTo width: Int, _ work: @escaping @Sendable () -> Output) {
    let needsThread = change { state in
      state.waiting.append((number, work))
      guard state.idle < state.waiting.count, state.threads < width else { return false }
      state.threads += 1
      return true
    }
    if needsThread { Thread.detachNewThread { [self] in runThread() } }
  }

  func take(_ number: Int) -> Output { wait { $0.done.removeValue(forKey: number) } }

  func close() {
    change { state in
      state.waiting = []
      state.isClosed = true
    }
  }

  func waitForThreads() { wait { $0.threads == 0 ? () : nil } }

  private func runThread() {
    while let (number, output) = runNext() { change { $0.done[number] = output } }
  }

  /// Runs the next work and gives up all that it refers to, so that whoever takes the result may close a database that the work used.
  @inline(never)
  private func runNext() -> (number: Int, output: Output)? {
    nextWork().map { number, work in (number, work()) }
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
    changed.lock()
    defer { changed.unlock() }
    let value = state.withLock(body)
    changed.broadcast()
    return value
  }

  /// Waits until `body` returns a value. Taking it may be the change that another thread waits for.
  private func wait<Value: Sendable>(_ body: (inout sending State) -> sending Value?) -> Value {
    changed.lock()
    defer { changed.unlock() }
    while true {
      if let value = state.withLock(body) {
        changed.broadcast()
        return value
      }
      changed.wait()
    }
  }
}

/// Items that are expensive to create. Each is used by one thread at a time.
@available(iOS 18, *)
public final class Pool<Item>: Sendable {
  /// `@unchecked Sendable`: an idle item is referenced by the pool alone, and the lock passes it to one thread.
  private struct Idle: @unchecked Sendable {
    let item: Item
  }

  private let idle = Mutex<[Idle]>([])
  private let create: @Sendable () throws -> Item

  public init(create: @escaping @Sendable () throws -> Item) { self.create = create }

  /// Passes an idle item or a new one to `body`, which must not keep it.
  public func withItem<Result>(_ body: (Item) throws -> Result) throws -> Result {
    let item = try idle.withLock { $0.popLast() }?.item ?? create()
    defer { idle.withLock { $0.append(Idle(item: item)) } }
    return try body(item)
  }
}

/// A flag that ends long work early. Work checks the current token between its pieces.
///
/// The command line binds a token for the whole command and cancels it on Ctrl-C. `ThreadPool` passes the current token on to
/// its threads, so no function takes a token as a parameter.
@available(iOS 18, *)
public final class CancellationToken: Sendable {
  /// The token of the work that the calling thread does.
  @TaskLocal public static var current = CancellationToken()

  private let flag = Atomic(false)
  private let parent: CancellationToken?

  /// - Parameter parent: A token whose cancellation cancels this one too.
  public init(parent: CancellationToken? = nil) { self.parent = parent }

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
