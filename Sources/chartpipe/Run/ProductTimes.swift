/// The expected duration of each product's build, for dividing a plan among machines.
///
/// A duration is that of the last run that is in a journal. Otherwise it is estimated from the sizes of the sources or, where
/// these are not there, from the area of the chart and its deepest zoom.
struct ProductTimes {
  private let history: StepHistory?
  private let sizes: SourceSizes?
  /// The speed of the machine that measured some of the products, against the one of the estimates.
  private let slowness: Double

  /// - Parameters:
  ///   - history: nil to find the same durations on every machine.
  ///   - sizes: nil, likewise.
  init(_ plan: BuildPlan, history: StepHistory? = nil, sizes: SourceSizes? = nil) {
    self.history = history
    self.sizes = sizes
    let known = plan.items.compactMap { item in
      history?.seconds(of: item.step).map { (measured: $0, estimate: item.expectedSeconds(sizes)) }
    }
    let estimates = known.map(\.estimate).reduce(0, +)
    slowness = estimates > 0 ? known.map(\.measured).reduce(0, +) / estimates : 1
  }

  func isMeasured(_ item: any PipelineItem) -> Bool { history?.seconds(of: item.step) != nil }

  func milliseconds(_ item: any PipelineItem) -> Int {
    let seconds = history?.seconds(of: item.step) ?? item.expectedSeconds(sizes) * slowness
    return Int((min(max(seconds, 0), 1e6) * 1000).rounded())
  }
}
