public import ChartpipeKit
internal import Core
internal import Synchronization

/// Records the reported events in their order.
public final class RecordedProgress: ProgressReporter {
  private let events = Mutex<[ProgressEvent]>([])

  public init() {}

  public var all: [ProgressEvent] { events.withLock { $0 } }

  public func report(_ event: ProgressEvent) { events.withLock { $0.append(event) } }

  public var warnings: [String] {
    all.compactMap { if case .warning(_, let message) = $0 { message } else { nil } }
  }

  /// The finished steps as log lines.
  public var finished: [String] {
    all.compactMap { if case .finished(let step, let detail) = $0 { "\(step): \(detail)" } else { nil } }
  }

  public var failures: [(step: String, message: String)] {
    all.compactMap { if case .failed(let step, let error) = $0 { (step, error.message) } else { nil } }
  }

  /// The steps that reported progress, once for each event.
  public var advancing: [String] {
    all.compactMap { if case .advanced(let step, _, _, _) = $0 { step } else { nil } }
  }

  public var overall: [ProgressEvent] { all.filter { if case .overall = $0 { true } else { false } } }
}
