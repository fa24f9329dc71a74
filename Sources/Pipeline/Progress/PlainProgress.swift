internal import Core

/// One plain line a step: for logs and pipes.
public struct PlainProgress: ProgressReporter {
  private let showsCauses: Bool
  private let write: @Sendable (String) -> Void

  public init(showsCauses: Bool = false, write: @escaping @Sendable (String) -> Void) {
    self.showsCauses = showsCauses
    self.write = write
  }

  public func report(_ event: ProgressEvent) {
    if let text = ProgressText.lines(event, showsCauses: showsCauses) { write(text) }
  }
}

/// The words for events, the same on a terminal and in a log.
enum ProgressText {
  /// What is to be written for an event, with its line ends; nil for what only a bar shows.
  static func lines(_ event: ProgressEvent, showsCauses: Bool) -> String? {
    guard let line = line(event) else { return nil }
    guard showsCauses, case .failed(_, let fault) = event else { return line + "\n" }
    return line + "\n" + fault.causeLines
  }

  static func line(_ event: ProgressEvent) -> String? {
    switch event {
    case .started, .advanced: nil
    case .finished(let step, let detail): "\(step): \(detail)"
    case .skipped(let step): "\(step): up to date"
    case .failed(let step, let fault): "\(step): FAILED: \(fault.message)"
    case .warning(let step, let message): "\(step): warning: \(message)"
    }
  }
}
