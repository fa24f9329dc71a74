public import Core
internal import Synchronization

/// An event in a run. A reporter shows it.
public enum ProgressEvent: Codable, Equatable, Sendable {
  /// A step begins.
  case started(step: String)
  /// `done` of `total` units (tiles, rows, files) of a step are finished.
  case advanced(step: String, done: Int, total: Int, unit: String)
  /// A step succeeded; the detail describes its output ("1,154 tiles, 12.4 MB").
  case finished(step: String, detail: String)
  /// A step was up to date.
  case skipped(step: String)
  case failed(step: String, fault: UserError)
  case warning(step: String, message: String)
  /// `done` of `total` charts or products of the run are finished. The time left is nil where it cannot be estimated.
  case overall(done: Int, total: Int, unit: String, secondsLeft: Double?)
}

/// Shows progress. It may be called from any thread.
public protocol ProgressReporter: Sendable {
  func report(_ event: ProgressEvent)
}

extension ProgressReporter {
  func warn(_ step: String, _ message: String) { report(.warning(step: step, message: message)) }
  func finish(_ step: String, _ detail: String) { report(.finished(step: step, detail: detail)) }

  /// Reports each advance of a step, and ends it after a cancellation.
  func advance(_ step: String, _ unit: String) -> (_ done: Int, _ total: Int) throws -> Void {
    { done, total in
      try CancellationToken.current.check()
      report(.advanced(step: step, done: done, total: total, unit: unit))
    }
  }
}

/// Passes on some of the events.
public struct FilteredProgress: ProgressReporter {
  let reporter: any ProgressReporter
  let passes: @Sendable (ProgressEvent) -> Bool

  public func report(_ event: ProgressEvent) {
    if passes(event) { reporter.report(event) }
  }
}

/// Shows nothing.
public struct SilentProgress: ProgressReporter {
  public init() {}
  public func report(_ event: ProgressEvent) {}
}

/// Writes one plain line per step, for logs and pipes, and the overall progress once in a while.
public final class PlainProgress: ProgressReporter {
  private let showsCauses: Bool
  private let interval: Duration
  private let write: @Sendable (String) -> Void
  private let lastOverall = Mutex<ContinuousClock.Instant?>(nil)

  /// - Parameter interval: between two lines of overall progress.
  public init(
    showsCauses: Bool = false, interval: Duration = .seconds(15), write: @escaping @Sendable (String) -> Void
  ) {
    (self.showsCauses, self.interval, self.write) = (showsCauses, interval, write)
  }

  public func report(_ event: ProgressEvent) {
    if let text = event.overall {
      if isDue() { write(text + "\n") }
    } else if let text = event.lines(showsCauses: showsCauses) {
      write(text)
    }
  }

  /// A short run needs no line, so the first one comes after an interval too.
  private func isDue() -> Bool {
    lastOverall.withLock { last in
      let now = ContinuousClock.now
      let isDue = last.map { now - $0 >= interval } ?? (interval == .zero)
      if isDue || last == nil { last = now }
      return isDue
    }
  }
}

/// The texts of events, for terminals and logs.
extension ProgressEvent {
  /// The lines of an event, with line ends; nil for an event that only a bar shows.
  fileprivate func lines(showsCauses: Bool) -> String? {
    switch self {
    case .started, .advanced, .overall: nil
    case .finished(let step, let detail): "\(step): \(detail)\n".withoutControls
    case .skipped(let step): "\(step): up to date\n"
    case .failed(let step, let fault):
      "\(step): FAILED: \(fault.message)\n" + (showsCauses ? fault.causeLines : "")
    case .warning(let step, let message): "\(step): warning: \(message)\n".withoutControls
    }
  }

  /// `chart 12 of 61, 4 min left`; nil for other events.
  var overall: String? {
    guard case .overall(let done, let total, let unit, let secondsLeft) = self else { return nil }
    let left = secondsLeft.map { ", \(ProgressEvent.rounded($0)) left" } ?? ""
    return "\(unit) \(done) of \(total)\(done < total ? left : "")"
  }

  /// `4 min`, `1 h 20 min`: an estimate has no seconds beyond the last minute.
  private static func rounded(_ seconds: Double) -> String {
    guard seconds >= 60 else { return Counts.duration(seconds) }
    let minutes = Int((seconds / 60).rounded())
    guard minutes >= 60 else { return "\(minutes) min" }
    return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
  }
}

/// Shows a bar with rate and remaining time on the last line of a terminal, and one line above it for each finished step.
public final class TerminalProgress: ProgressReporter {
  private struct State {
    var step = ""
    var start: ContinuousClock.Instant?
    /// The units that were finished at `start`: a bar that is drawn again below other lines does not start at zero.
    var first = 0
    var lastDrawn: ContinuousClock.Instant?
    /// `chart 12 of 61, 4 min left`; empty before the first chart is finished.
    var overall = ""
  }

  private let write: @Sendable (String) -> Void
  private let columns: Int
  private let showsCauses: Bool
  private let state = Mutex(State())
  private static let eraseLine = "\r\u{1B}[K"

  public init(columns: Int, showsCauses: Bool = false, write: @escaping @Sendable (String) -> Void) {
    (self.showsCauses, self.columns, self.write) = (showsCauses, columns, write)
  }

  public func report(_ event: ProgressEvent) {
    state.withLock { state in
      switch event {
      case .started(let step):
        state = State(step: step, start: .now, overall: state.overall)
        let text = state.overall.isEmpty ? step : "\(step)  \(state.overall)"
        write(TerminalProgress.eraseLine + text.prefix(max(0, columns - 1)))
      case .overall(let done, let total, _, _):
        state.overall = done < total ? event.overall ?? "" : ""
      case .advanced(let step, let done, let total, let unit):
        draw(step, done, total, unit, &state)
      default:
        if let text = event.lines(showsCauses: showsCauses) {
          write(TerminalProgress.eraseLine + text)
        }
        state = State(overall: state.overall)
      }
    }
  }

  /// Draws the bar at most ten times a second, since a terminal is slower than the work.
  private func draw(_ step: String, _ done: Int, _ total: Int, _ unit: String, _ state: inout State) {
    let now = ContinuousClock.now
    if state.step != step || state.start == nil {
      state = State(step: step, start: now, first: done, overall: state.overall)
    }
    if let last = state.lastDrawn, now - last < .milliseconds(100), done < total { return }
    state.lastDrawn = now
    let seconds = state.start.map { (now - $0) / .seconds(1) } ?? 0
    let bar = ProgressBar(done: done, total: total, unit: unit, seconds: seconds, first: state.first)
    write(TerminalProgress.eraseLine + bar.line(step: step, overall: state.overall, columns: columns))
  }
}

/// The text of a bar, independent of the clock for tests.
struct ProgressBar {
  let done: Int
  let total: Int
  let unit: String
  let seconds: Double
  /// The units that were finished before the seconds began.
  var first = 0

  /// - Parameter overall: the progress of the run, which stays visible on a narrow terminal.
  func line(step: String, overall: String = "", columns: Int) -> String {
    let numbers = " \(done)/\(total) \(unit)" + (overall.isEmpty ? speed : " · \(overall)")
    let room = columns - step.count - numbers.count - 4
    guard room >= 10 else { return String((step + numbers).prefix(max(0, columns - 1))) }
    let width = min(room, 40)
    let filled = total > 0 ? min(width, width * done / total) : 0
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    return "\(step) \(bar)\(numbers)"
  }

  /// Empty in the first half second, when the rate is uncertain.
  private var speed: String {
    guard seconds > 0.5, done > first else { return "" }
    let rate = Double(done - first) / seconds
    let left = Double(max(0, total - done)) / rate
    return ", \(Int(rate.rounded()))/s, \(Counts.duration(left)) left"
  }
}

/// Writes one JSON object per line, for programs that follow a run.
public struct JSONProgress: ProgressReporter {
  let write: @Sendable (String) -> Void

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
    var secondsLeft: Int?

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
      case .overall(let done, let total, let unit, let secondsLeft):
        (self.event, self.step) = ("overall", "run")
        (self.done, self.total, self.unit) = (done, total, unit)
        self.secondsLeft = secondsLeft.map { Int($0.rounded()) }
      }
    }
  }
}
