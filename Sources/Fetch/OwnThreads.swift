internal import Foundation
internal import Synchronization

/// Work on threads of its own, for calls that wait: the system's queues give hardly more threads than there are cores.
final class OwnThreads<Input: Sendable, Output: Sendable>: Sendable {
  private struct State {
    var rest: ArraySlice<(offset: Int, element: Input)>
    var done: [(Int, Output)] = []
  }

  private let state: Mutex<State>
  private let bell = NSCondition()
  private let count: Int

  init(_ inputs: [Input], width: Int, work: @escaping @Sendable (Input) -> Output) {
    state = Mutex(State(rest: inputs.enumerated().map { ($0.offset, $0.element) }[...]))
    count = inputs.count
    for _ in 0..<min(width, count) {
      Thread.detachNewThread { [self] in
        while let (number, input) = state.withLock({ $0.rest.popFirst() }) { put(number, work(input)) }
      }
    }
  }

  /// All results in the order of the inputs; `each` sees them as they come.
  ///
  /// - Parameter stop: called when `each` fails. All threads have ended before the error is thrown.
  func results(stop: () -> Void, each: (Output) throws -> Void) throws -> [Output] {
    var all: [(Int, Output)] = []
    var failure: (any Error)?
    while all.count < count {
      let next = next()
      all.append(next)
      guard failure == nil else { continue }
      do {
        try each(next.1)
      } catch {
        failure = error
        stop()
      }
    }
    if let failure { throw failure }
    return all.sorted { $0.0 < $1.0 }.map(\.1)
  }

  private func put(_ number: Int, _ output: Output) {
    bell.lock()
    state.withLock { $0.done.append((number, output)) }
    bell.signal()
    bell.unlock()
  }

  private func next() -> (Int, Output) {
    bell.lock()
    defer { bell.unlock() }
    while true {
      if let next = state.withLock({ $0.done.popLast() }) { return next }
      bell.wait()
    }
  }
}
