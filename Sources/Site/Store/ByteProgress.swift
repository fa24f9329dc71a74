internal import Synchronization

/// Reports the progress of several threads.
final class ByteProgress: Sendable {
  private let step: String
  private let total: Int
  private let interval: Int
  private let progress: any ProgressReporter
  private let counts = Mutex((done: 0, reported: 0))

  /// - Parameter interval: how many bytes to wait for between two reports.
  init(_ step: String, total: Int, every interval: Int = 1 << 20, _ progress: any ProgressReporter) {
    (self.step, self.total, self.interval, self.progress) = (step, total, interval, progress)
  }

  func start() { progress.report(.started(step: step)) }

  /// - Parameter count: negative if bytes have to be transferred again.
  func advance(by count: Int) {
    let due = counts.withLock { counts -> Int? in
      counts.done += count
      guard abs(counts.done - counts.reported) >= interval || counts.done == total else { return nil }
      counts.reported = counts.done
      return counts.done
    }
    if let due { progress.report(.advanced(step: step, done: max(0, due), total: total, unit: "bytes")) }
  }

  func finish(_ detail: String) { progress.finish(step, detail) }
}
