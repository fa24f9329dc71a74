internal import Pipeline

/// What the build measured where it cut the chart out of its sheet. None of it stops a chart: a person has to look.
struct NeatlineCut: ProductRule {
  let name = "neatline-cut"
  let protects =
    "No legend hides a neighbouring chart, and no strip of the map with an airport in it is missing."

  func check(_ subject: ProductUnderTest) -> [Finding] {
    (subject.product.cut?.doubts ?? []).map { warning(subject.place, $0) }
  }
}
