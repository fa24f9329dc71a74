import Pipeline
import Site

extension BuildPlan {
  /// What a site should have of this plan, and from when on it can be made.
  var expected: [DueCalendar.Expected] { items.map(\.expected) }
}

extension PipelineItem {
  /// How many days before an issue takes effect the FAA brings it out: charts some twenty, the subscription a whole cycle.
  private static let (chartDays, dataDays) = (20, 28)

  fileprivate var expected: DueCalendar.Expected {
    let (cadence, days) =
      switch content {
      case .chart(_, let family), .mosaic(_, let family): (family.cadence, PipelineItem.chartDays)
      case .nasr(let definition): (definition.cadence, PipelineItem.dataDays)
      case .obstacles(let definition): (definition.cadence, PipelineItem.dataDays)
      case .export(_, let origin): (origin.cadence, PipelineItem.dataDays)
      }
    return DueCalendar.Expected(product: product, pipeline: pipeline, cadence: cadence, daysAhead: days)
  }
}
