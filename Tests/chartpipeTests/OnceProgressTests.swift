import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct OnceProgressTests {
  @Test func `passes on each warning once, from any reporter of the run`() {
    let (recorder, printed) = (RecordedProgress(), PrintedWarnings())
    let doubt = ProgressEvent.warning(step: "vfr/A", message: "the south edge is not measurable")
    let staged = ProgressEvent.warning(
      step: "stage", message: "vfr/A: vfr/A.product.json: the south edge is not measurable")
    let accepted = ProgressEvent.warning(
      step: "stage", message: "vfr/A: vfr/A.product.json: the south edge is not measurable (accepted: known)")
    let other = ProgressEvent.warning(
      step: "stage", message: "vfr/B: vfr/B.product.json: the south edge is not measurable")
    let done = ProgressEvent.finished(step: "vfr/A", detail: "2 tiles")
    for event in [doubt, doubt, done, done] {
      OnceProgress(reporter: recorder, printed: printed).report(event)
    }
    for event in [staged, accepted, other, other] {
      OnceProgress(reporter: recorder, printed: printed).report(event)
    }
    #expect(recorder.all == [doubt, done, done, accepted, other])
  }
}
