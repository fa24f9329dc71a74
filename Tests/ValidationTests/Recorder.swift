import Pipeline
import Synchronization

/// Keeps what was finished, in the words of a log.
final class Recorder: ProgressReporter {
  private let lines = Mutex<[String]>([])

  var finished: [String] { lines.withLock { $0 } }

  func report(_ event: ProgressEvent) {
    guard case .finished(let step, let detail) = event else { return }
    lines.withLock { $0.append("\(step): \(detail)") }
  }
}
