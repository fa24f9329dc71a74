/// Passes on what went wrong, and nothing else: for `--quiet`, under which an error is still told.
public struct QuietProgress: ProgressReporter {
  private let next: any ProgressReporter

  public init(_ next: any ProgressReporter) {
    self.next = next
  }

  public func report(_ event: ProgressEvent) {
    if case .failed = event { next.report(event) }
  }
}
