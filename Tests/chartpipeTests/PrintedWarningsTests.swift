import Testing

@testable import ChartpipeKit

@Suite struct PrintedWarningsTests {
  @Test func `passes on each warning once, as any phase of the run finds it`() {
    let doubt = ProgressEvent.warning(step: "vfr/A", message: "the south edge is not measurable")
    func staged(_ product: String, _ end: String = "") -> ProgressEvent {
      .warning(
        step: "stage",
        message: "vfr/\(product): vfr/\(product).product.json: the south edge is not measurable\(end)")
    }
    let accepted = staged("A", " (accepted: known)")
    let done = ProgressEvent.finished(step: "vfr/A", detail: "2 tiles")
    let printed = PrintedWarnings()
    let events = [doubt, doubt, done, done, staged("A"), accepted, staged("B"), staged("B")]
    #expect(events.filter(printed.isNew) == [doubt, done, done, accepted, staged("B")])
  }
}
