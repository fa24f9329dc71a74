internal import Core
internal import Pipeline

/// The dates of a product against the calendar, and against what its file says.
struct ProductDates: ProductRule {
  let name = "product-dates"
  let protects =
    "No pilot flies with a chart that has expired, or that is labelled with another cycle's dates."

  func check(_ subject: ProductUnderTest) -> [Finding] {
    let product = subject.product
    let problems = calendarProblems(product) + disagreements(product, subject.ownWords)
    return problems.map { error(subject.place, $0) }
  }

  private func calendarProblems(_ product: Product) -> [String] {
    guard let cycle = AiracCycle(identifier: product.cycle) else {
      return ["the cycle \"\(product.cycle)\" is not in the calendar"]
    }
    guard let edition = CalendarDay(product.edition).flatMap({ AiracCycle(effective: $0) }) else {
      return ["no issue took effect on the edition's day, \"\(product.edition)\""]
    }
    let cadences = ProductDates.cadences(of: product).filter { cycle.issue($0) == edition }
    guard !cadences.isEmpty else {
      return ["the edition of \(product.edition) is not the one in force in cycle \(cycle)"]
    }
    return effectProblems(product, edition) + expiryProblems(product, cadences.map { cycle.expires($0) })
  }

  /// A database is made anew for every cycle; a family of charts may have either cadence.
  private static func cadences(of product: Product) -> [Cadence] {
    product.kind == .chart ? Cadence.allCases : [.every28Days]
  }

  private func effectProblems(_ product: Product, _ edition: AiracCycle) -> [String] {
    let expected = edition.effective.description
    return product.effectiveDate == expected
      ? [] : ["effectiveDate is \(product.effectiveDate), but this edition took effect at \(expected)"]
  }

  /// On a day on which both cadences begin, the description does not tell which one a chart has; `source-dates` knows from its
  /// page.
  private func expiryProblems(_ product: Product, _ possible: [Instant]) -> [String] {
    let expected = possible.map(\.description)
    return expected.contains(product.expirationDate)
      ? []
      : [
        "expirationDate is \(product.expirationDate), but this edition ends at \(expected.joined(separator: " or "))"
      ]
  }

  /// A file without words of its own is another rule's finding.
  private func disagreements(_ product: Product, _ own: OwnWords) -> [String] {
    [
      ("cycle", product.cycle, own.cycle), ("effectiveDate", product.effectiveDate, own.effective),
      ("expirationDate", product.expirationDate, own.expires),
    ].compactMap { key, told, found in
      guard let found, found != told else { return nil }
      return "\(key) is \(told), but its file says \(found)"
    }
  }
}
