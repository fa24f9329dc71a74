internal import Foundation

/// A value that one thread at a time reads or changes. `Mutex` does the same, but needs iOS 18.
///
/// `@unchecked Sendable`: the lock guards the value.
final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: sending Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
