internal import Core
internal import Foundation
internal import Synchronization

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

/// A bar with rate and time left on the last line of a terminal, and one line above it for each step that ended.
public final class TerminalProgress: ProgressReporter {
  private struct State {
    var step = ""
    var start: ContinuousClock.Instant?
    /// What was done by then: a bar that is drawn anew below other lines goes on in the middle.
    var first = 0
    var lastDrawn: ContinuousClock.Instant?
  }

  private let write: @Sendable (String) -> Void
  private let columns: Int
  private let showsCauses: Bool
  private let state = Mutex(State())
  private static let eraseLine = "\r\u{1B}[K"

  public init(columns: Int, showsCauses: Bool = false, write: @escaping @Sendable (String) -> Void) {
    self.showsCauses = showsCauses
    self.columns = columns
    self.write = write
  }

  public func report(_ event: ProgressEvent) {
    state.withLock { state in
      switch event {
      case .started(let step):
        state = State(step: step, start: .now)
        write(TerminalProgress.eraseLine + step.prefix(max(0, columns - 1)))
      case .advanced(let step, let done, let total, let unit):
        draw(step, done, total, unit, &state)
      default:
        if let text = ProgressText.lines(event, showsCauses: showsCauses) {
          write(TerminalProgress.eraseLine + text)
        }
        state = State()
      }
    }
  }

  /// At most ten times a second: a terminal is slower than the work.
  private func draw(_ step: String, _ done: Int, _ total: Int, _ unit: String, _ state: inout State) {
    let now = ContinuousClock.now
    if state.step != step || state.start == nil { state = State(step: step, start: now, first: done) }
    if let last = state.lastDrawn, now - last < .milliseconds(100), done < total { return }
    state.lastDrawn = now
    let seconds = state.start.map { (now - $0) / .seconds(1) } ?? 0
    let bar = ProgressBar(done: done, total: total, unit: unit, seconds: seconds, first: state.first)
    write(TerminalProgress.eraseLine + bar.line(step: step, columns: columns))
  }
}

/// The look of a bar, apart from the clock, so that it can be tested.
struct ProgressBar {
  let done: Int
  let total: Int
  let unit: String
  let seconds: Double
  /// What was done before the seconds began.
  var first = 0

  func line(step: String, columns: Int) -> String {
    let numbers = " \(done)/\(total) \(unit)\(speed)"
    let room = columns - step.count - numbers.count - 4
    guard room >= 10 else { return String((step + numbers).prefix(max(0, columns - 1))) }
    let width = min(room, 40)
    let filled = total > 0 ? min(width, width * done / total) : 0
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    return "\(step) \(bar)\(numbers)"
  }

  /// Nothing is promised in the first half second.
  private var speed: String {
    guard seconds > 0.5, done > first else { return "" }
    let rate = Double(done - first) / seconds
    let left = Double(max(0, total - done)) / rate
    return ", \(Int(rate.rounded()))/s, \(Counts.duration(left)) left"
  }
}

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
