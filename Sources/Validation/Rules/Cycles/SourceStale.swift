internal import Pipeline

/// What each product was made of, against its last edition: the FAA publishes no edition twice.
struct SourceStale: CycleRule {
  let name = "source-stale"
  let protects = "No old chart or database is published once more under the dates of the new edition."

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    cycle.products.compactMap { subject -> Finding? in
      guard let before = cycle.before(subject)?.product, before.edition != subject.product.edition,
        let source = subject.product.sources.first,
        before.sources.first?.sha256 == source.sha256
      else { return nil }
      return finding(
        .error, subject, "",
        "it was made of the very \(source.url) that the edition of \(before.edition) was made of; download the new one"
      )
    }
  }
}
