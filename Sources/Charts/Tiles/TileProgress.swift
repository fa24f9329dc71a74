internal import Pipeline

/// Reports a few dozen times however many tiles there are.
struct TileProgress {
  let reporter: any ProgressReporter
  let step: String
  let total: Int
  private var done = 0
  private var reported = 0

  private static let reports = 25

  init(_ reporter: any ProgressReporter, step: String, total: Int) {
    self.reporter = reporter
    self.step = step
    self.total = total
  }

  mutating func advance(by tiles: Int) {
    done += tiles
    let stage = total > 0 ? done * TileProgress.reports / total : TileProgress.reports
    guard stage > reported else { return }
    reported = stage
    reporter.report(.advanced(step: step, done: done, total: total, unit: "tiles"))
  }
}
