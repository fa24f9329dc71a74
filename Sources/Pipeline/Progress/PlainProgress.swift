/// One plain line a step: for logs and pipes.
public struct PlainProgress: ProgressReporter {
  private let write: @Sendable (String) -> Void

  public init(write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  public func report(_ event: ProgressEvent) {
    if let line = ProgressText.line(event) { write(line + "\n") }
  }
}

/// The words for events, the same on a terminal and in a log.
enum ProgressText {
  static func line(_ event: ProgressEvent) -> String? {
    switch event {
    case .started, .advanced: nil
    case .finished(let step, let detail): "\(step): \(detail)"
    case .skipped(let step): "\(step): nothing to do, it stands"
    case .failed(let step, let fault): "\(step): FAILED: \(fault.message)"
    case .warning(let step, let message): "\(step): warning: \(message)"
    }
  }
}
