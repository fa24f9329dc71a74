import Synchronization

@testable import ChartpipeKit

/// Keeps what was reported.
final class RecordedProgress: ProgressReporter {
  private let recorded = Mutex<[ProgressEvent]>([])

  var events: [ProgressEvent] { recorded.withLock { $0 } }

  func report(_ event: ProgressEvent) { recorded.withLock { $0.append(event) } }
}
