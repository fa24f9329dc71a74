internal import Pipeline
internal import Synchronization

/// Counts the bytes that several threads have dealt with, and tells of each megabyte.
final class ByteTally: Sendable {
  private let step: String
  private let total: Int
  private let progress: any ProgressReporter
  private let counts = Mutex((done: 0, told: 0))

  init(_ step: String, total: Int, _ progress: any ProgressReporter) {
    self.step = step
    self.total = total
    self.progress = progress
    progress.report(.started(step: step))
  }

  var done: Int { counts.withLock { $0.done } }

  /// - Parameter count: less than nothing where something has to come again.
  func advance(by count: Int) {
    let news = counts.withLock { counts -> Int? in
      counts.done += count
      guard abs(counts.done - counts.told) >= 1 << 20 || counts.done == total else { return nil }
      counts.told = counts.done
      return counts.done
    }
    if let news { progress.report(.advanced(step: step, done: max(0, news), total: total, unit: "bytes")) }
  }

  func finish(_ detail: String) { progress.report(.finished(step: step, detail: detail)) }
}
