internal import Foundation
internal import Pipeline
internal import TileArchive

/// Where a chart's tiles show what its sheet shows, by pieces of the sheet that were put by before the warp and by formulas
/// that share nothing with it.
struct PlaceControl: ProductRule {
  let name = "place-control"
  let protects =
    "Each thing on the chart lies where it is on the earth, and the chart is the one that it is called."

  func check(_ subject: ProductUnderTest) throws -> [Finding] {
    let product = subject.product
    guard product.kind == .chart else { return [] }
    // That it is missing is what `sheet-evidence` finds.
    guard let control = product.control else { return [] }
    guard !control.points.isEmpty else {
      subject.facts.note(.control, "no piece of the sheet was saved that could show where its tiles lie")
      return []
    }
    guard let archive = subject.tiles else { return [] }
    guard let strip = subject.file(role: Product.Control.role) else { return [] }
    let pieces = try ControlPieces(control, in: strip)
    guard let survey = try PlaceSurvey(pieces, of: archive, zoom: product.maxZoom ?? -1)
    else { return [error(subject.place, "its `control` names no possible place")] }
    guard product.boundingBox.map(survey.lies(within:)) ?? true else {
      return [error(subject.place, "its `control` places pieces of its sheet where the chart is not")]
    }
    let verdict = PlaceVerdict(try survey.sightings())
    subject.facts.place = verdict.agreement
    if let weakness = verdict.weakness { subject.facts.note(.control, weakness) }
    return try findings(verdict, survey, subject)
  }

  private func findings(
    _ verdict: PlaceVerdict, _ survey: PlaceSurvey, _ subject: ProductUnderTest
  ) throws -> [Finding] {
    if verdict.isLost {
      let wide = PlaceVerdict(try survey.sightings(reach: PlaceVerdict.wideReach))
      let shift = wide.isLost ? nil : wide.shift
      return [error(subject.place, shift.map(PlaceVerdict.words) ?? PlaceVerdict.otherChart)]
    }
    if let shift = verdict.shift, hypot(shift.x, shift.y) > PlaceVerdict.chartLimit {
      return [error(subject.place, PlaceVerdict.words(shift))]
    }
    return verdict.strays.map { error("\(subject.place) tile \($0.tile)", $0.problem) }
  }
}
