internal import Synchronization

/// Lends tools that are dear to make, each to one task at a time.
public final class Pool<Tool>: Sendable {
  /// Unchecked, since a tool that lies here is in nobody's hands, and the lock gives it to one task alone.
  private struct Idle: @unchecked Sendable {
    let tool: Tool
  }

  private let idle = Mutex<[Idle]>([])
  private let make: @Sendable () throws -> Tool

  public init(make: @escaping @Sendable () throws -> Tool) {
    self.make = make
  }

  /// The tool must not be kept beyond the call.
  public func lend<Result>(_ body: (Tool) throws -> Result) throws -> Result {
    let tool = try idle.withLock { $0.popLast() }?.tool ?? make()
    defer { idle.withLock { $0.append(Idle(tool: tool)) } }
    return try body(tool)
  }
}
