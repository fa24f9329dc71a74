/// How far a run is, over all its pending steps: `chart 12 of 61, 4 min left`.
///
/// Steps from sources and steps that use their results are counted separately, since the second kind starts again with the first chart.
struct OverallProgress {
  private struct Phase {
    let unit: String
    var pending: [Step.ID]
    var done = 0
    let total: Int
    var seconds = 0.0

    init(_ unit: String, _ pending: [Step.ID]) {
      (self.unit, self.pending, total) = (unit, pending, pending.count)
    }
  }

  private var phases: [Phase]
  private let expected: (Step.ID) -> Double?
  /// The number of finished steps whose mean predicts the rest.
  private static let sample = 3

  /// - Parameters:
  ///   - unit: of the steps from sources: `chart` or `product`.
  ///   - expected: the seconds of a step in an earlier run; nil if it never ran.
  init(unit: String, _ first: [Step.ID], joins: [Step.ID], expected: @escaping (Step.ID) -> Double?) {
    phases = [Phase(unit, first), Phase("join", joins)]
    self.expected = expected
  }

  /// Returns the event after a step; nil for a step that was not expected to run.
  mutating func finished(_ step: Step.ID, seconds: Double?) -> ProgressEvent? {
    for index in phases.indices {
      guard let place = phases[index].pending.firstIndex(of: step) else { continue }
      phases[index].pending.remove(at: place)
      phases[index].done += 1
      phases[index].seconds += seconds ?? 0
      return .overall(
        done: phases[index].done, total: phases[index].total, unit: phases[index].unit,
        secondsLeft: secondsLeft)
    }
    return nil
  }

  /// Nil until the duration of every pending step is known, from earlier runs or from similar steps of this one.
  private var secondsLeft: Double? {
    var left = 0.0
    for phase in phases {
      let mean = phase.done >= OverallProgress.sample ? phase.seconds / Double(phase.done) : nil
      for step in phase.pending {
        guard let seconds = expected(step) ?? mean else { return nil }
        left += seconds
      }
    }
    return left
  }
}
