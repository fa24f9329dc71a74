internal import Aero
internal import Core
internal import Pipeline

/// What the sources say of their own time, against the cycle that they were taken for.
struct SourceDates: ProductRule {
  let name = "source-dates"
  let protects = "No chart or table of another month is sold to a pilot as this one's."

  func check(_ subject: ProductUnderTest) -> [Finding] {
    // That the cycle is none is told by another rule.
    guard let cycle = AiracCycle(identifier: subject.product.cycle) else { return [] }
    return subject.product.sources.flatMap { source in
      (source.dates ?? []).compactMap { problem($0, subject.product, cycle) }.map {
        error("\(subject.place) source \(source.url)", $0)
      }
    }
  }

  private func problem(_ date: Product.StatedDate, _ product: Product, _ cycle: AiracCycle) -> String? {
    let expected = SourceDates.day(date, product, cycle)
    guard date.from == expected else {
      return
        "\(date.place) says \(date.from), and in cycle \(cycle.identifier) it must be \(expected ?? "undated")"
    }
    guard let until = date.until else { return nil }
    let ends = CalendarDay(until)?.adding(days: 1).description ?? ""
    return product.expirationDate.hasPrefix(ends + "T")
      ? nil : "\(date.place) ends on \(until), but the product expires at \(product.expirationDate)"
  }

  /// Tables have two cadences; what else is in a subscription is of the cycle itself, and a chart's page of its edition.
  private static func day(_ date: Product.StatedDate, _ product: Product, _ cycle: AiracCycle) -> String? {
    guard product.kind != .chart else { return product.edition }
    guard date.place.hasSuffix(".csv") else { return cycle.effectiveDay.description }
    return EffectiveDates.day(of: String(date.place.dropLast(4)), in: cycle)?.description
  }
}
