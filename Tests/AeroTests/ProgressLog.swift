import Pipeline
import Synchronization

/// Keeps what was reported.
final class ProgressLog: ProgressReporter {
  private let kept = Mutex<[ProgressEvent]>([])

  var events: [ProgressEvent] { kept.withLock { $0 } }

  func report(_ event: ProgressEvent) { kept.withLock { $0.append(event) } }
}
