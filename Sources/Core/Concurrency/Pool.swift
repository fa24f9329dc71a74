internal import Synchronization

/// Items that are expensive to create. Each is used by one thread at a time.
public final class Pool<Item>: Sendable {
  /// `@unchecked Sendable`: an idle item is referenced by the pool alone, and the lock passes it to one thread.
  private struct Idle: @unchecked Sendable {
    let item: Item
  }

  private let idle = Mutex<[Idle]>([])
  private let create: @Sendable () throws -> Item

  public init(create: @escaping @Sendable () throws -> Item) {
    self.create = create
  }

  /// Passes an idle item or a new one to `body`, which must not keep it.
  public func withItem<Result>(_ body: (Item) throws -> Result) throws -> Result {
    let item = try idle.withLock { $0.popLast() }?.item ?? create()
    defer { idle.withLock { $0.append(Idle(item: item)) } }
    return try body(item)
  }
}
