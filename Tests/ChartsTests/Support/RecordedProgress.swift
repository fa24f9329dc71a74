import Pipeline
import Synchronization

/// Keeps every event.
final class RecordedProgress: ProgressReporter {
  private let kept = Mutex<[ProgressEvent]>([])

  var events: [ProgressEvent] { kept.withLock { $0 } }

  func report(_ event: ProgressEvent) { kept.withLock { $0.append(event) } }
}
