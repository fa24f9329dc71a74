internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The connections that are open, so that there are never too many, and all can be ended.
final class Roster: Sendable {
  private let limit: Int
  private let numbers = Mutex<Set<Int32>>([])

  init(limit: Int) { self.limit = limit }

  /// False when there is no room.
  func enter(_ number: Int32) -> Bool {
    numbers.withLock { open in
      guard open.count < limit else { return false }
      open.insert(number)
      return true
    }
  }

  /// To be called before the connection is closed, since its number is then given to another.
  func leave(_ number: Int32) { numbers.withLock { _ = $0.remove(number) } }

  var isEmpty: Bool { numbers.withLock { $0.isEmpty } }

  /// Each waiting thread then sees that nothing will come any more.
  func hangUp() {
    numbers.withLock { open in
      for number in open { shutdown(number, Int32(SHUT_RDWR)) }
    }
  }
}
