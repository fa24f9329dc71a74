import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// The stored results of the rules that compare one chart with the databases of its cycle.
@Suite struct KeptChartResultsTests {
  @Test func `a changed chart repeats these rules for itself only`() throws {
    let sample = try SampleBuild()
    let workspace = Workspace(sample.folder.file("work"))
    try workspace.prepare()
    func stored() throws -> Set<String> {
      _ = try Validator(jobs: 2, journal: Journal(cycle: "2612", in: workspace)).validate(
        [sample.build("2612")], progress: SilentProgress())
      return Set(try files(below: workspace.journal.appending(path: "2612/chart-rules")))
    }
    try sample.chart("Seattle")
    try sample.chart("Reno")
    let first = try stored()
    #expect(first.count == 2)
    #expect(try stored() == first)
    try sample.chart("Reno", shade: 90)
    let second = try stored()
    #expect(second.count == 3 && second.isSuperset(of: first))
  }
}
