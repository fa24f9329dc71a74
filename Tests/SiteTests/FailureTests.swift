import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Why a product is missing, from the run to the manifest.
@Suite struct FailureTests {
  let sample = SampleBuild()

  private func stage(_ build: URL, _ failures: ProductFailure...) throws {
    try sample.stage(build, missing: failures.map(\.id)) { $0.failures = failures }
  }

  @Test func `keeps the reason until the product is built or fails in another way`() throws {
    let seattle = try sample.chart("Seattle")
    let miami = ProductFailure(
      id: "vfr-sectional/Miami", message: "looking for Miami.zip: it is not there", remedy: "Get it.")
    let reno = ProductFailure(id: "vfr-sectional/Reno", message: "reading Reno.zip: it is broken")
    try stage(seattle, reno, miami)
    #expect(try sample.manifest("2612").failures == [miami, reno])
    #expect(try sample.report().contains("reading Reno.zip: it is broken"))
    let worse = ProductFailure(id: reno.id, message: "reading Reno.zip: it is a text")
    try stage(try sample.chart("Miami", shade: 3), worse)
    #expect(try sample.manifest("2612").failures == [worse])
    try stage(try sample.chart("Reno", shade: 4))
    #expect(try sample.manifest("2612").failures == nil)
  }

  @Test func `a failure does not contain the folders of the machine`() {
    let fault = UserError(
      .badInput, operation: "reading the chart", path: "/srv/in/Miami.zip", reason: "it is not in /srv/in",
      suggestion: "Look into /srv/made/scratch.", causes: [])
    let failure = ProductFailure(
      id: "a/b", fault, leavingOut: [URL(filePath: "/srv/in"), URL(filePath: "/srv/made")])
    #expect(failure.message == "reading the chart Miami.zip: it is not in in")
    #expect(failure.remedy == "Look into scratch.")
  }
}
