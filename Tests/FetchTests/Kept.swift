import Pipeline
import Synchronization

/// Values from several threads, in the order in which they came.
final class Kept<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  func add(_ value: Value) { values.withLock { $0.append(value) } }
  var all: [Value] { values.withLock { $0 } }
}

/// Does something once, as soon as there is progress.
final class AtFirstBytes: ProgressReporter {
  private let done = Kept<Bool>()
  private let act: @Sendable () -> Void

  init(_ act: @escaping @Sendable () -> Void) { self.act = act }

  func report(_ event: ProgressEvent) {
    guard case .advanced = event, done.all.isEmpty else { return }
    done.add(true)
    act()
  }
}
