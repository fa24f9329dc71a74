import Dispatch
import Foundation
import Pipeline
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ctrl-C: the first one asks the work to stop and clean up, the second one ends the process at once. Nothing is lost
/// either way, since no half-written file ever has a final name.
final class Interrupt {
  private let sources: [any DispatchSourceSignal]

  init(_ stop: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      let seen = SignalCount()
      source.setEventHandler {
        if seen.next() == 1 { stop() } else { _exit(Fault.Kind.interrupted.rawValue) }
      }
      source.resume()
      return source
    }
  }

  deinit { for source in sources { source.cancel() } }
}

/// Tells the first signal from those after it.
private final class SignalCount: Sendable {
  private let seen = Atomic<Int>(0)

  func next() -> Int { seen.add(1, ordering: .relaxed).newValue }
}
