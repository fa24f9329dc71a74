public import Core

/// Something that happened in a run, as a value; how it is shown is the reporter's affair.
public enum ProgressEvent: Equatable, Sendable {
  /// A step begins.
  case started(step: String)
  /// `done` of `total` units (tiles, rows, files) of a step are behind us.
  case advanced(step: String, done: Int, total: Int, unit: String)
  /// A step ended well; the detail says what came of it ("1,154 tiles, 12.4 MB").
  case finished(step: String, detail: String)
  /// A step had nothing to do: its output stands.
  case skipped(step: String)
  case failed(step: String, fault: UserError)
  case warning(step: String, message: String)
}

/// Whoever shows progress. It may be called from any task.
public protocol ProgressReporter: Sendable {
  func report(_ event: ProgressEvent)
}

/// Passes on what failed and nothing else: however quiet a run is to be, it tells why it ended badly.
public struct FailureProgress: ProgressReporter {
  private let reporter: any ProgressReporter

  public init(_ reporter: any ProgressReporter) {
    self.reporter = reporter
  }

  public func report(_ event: ProgressEvent) {
    if case .failed = event { reporter.report(event) }
  }
}

/// Shows nothing.
public struct SilentProgress: ProgressReporter {
  public init() {}
  public func report(_ event: ProgressEvent) {}
}
