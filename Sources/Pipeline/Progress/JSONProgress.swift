internal import Core
internal import Foundation

/// One JSON object a line, for machines that follow a run.
public struct JSONProgress: ProgressReporter {
  private let write: @Sendable (String) -> Void

  public init(write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  public func report(_ event: ProgressEvent) {
    guard let data = try? CanonicalJSON.line(Line(event)) else { return }
    write(String(decoding: data, as: UTF8.self) + "\n")
  }

  private struct Line: Encodable {
    var event: String
    var step: String
    var done: Int?
    var total: Int?
    var unit: String?
    var message: String?

    init(_ event: ProgressEvent) {
      switch event {
      case .started(let step): (self.event, self.step) = ("started", step)
      case .advanced(let step, let done, let total, let unit):
        (self.event, self.step) = ("advanced", step)
        (self.done, self.total, self.unit) = (done, total, unit)
      case .finished(let step, let detail):
        (self.event, self.step, message) = ("finished", step, detail)
      case .skipped(let step): (self.event, self.step) = ("skipped", step)
      case .failed(let step, let fault):
        (self.event, self.step, message) = ("failed", step, fault.message)
      case .warning(let step, let text):
        (self.event, self.step, message) = ("warning", step, text)
      }
    }
  }
}
