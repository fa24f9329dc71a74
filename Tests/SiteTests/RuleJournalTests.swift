import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// The results of rules in the journal: each input of a rule is part of its key, so a changed input never meets an old result.
@Suite struct RuleJournalTests {
  private let sample = SampleBuild()
  private let workspace: Workspace

  init() throws {
    workspace = Workspace(sample.folder.file("work"))
    try workspace.prepare()
    for id in ["Seattle", "Reno"] { try sample.chart(id) }
    try Data([1]).write(to: evidence)
    try describe { product in
      product.files.append(
        .init(
          path: "Reno.control.bin", sha256: try .init(of: [1]), bytes: 1,
          mediaType: "application/octet-stream",
          role: .control))
    }
  }

  private var evidence: URL { sample.build("2612", "vfr-sectional/Reno.control.bin") }

  /// Changes the description of a chart.
  private func describe(_ change: (inout Product) throws -> Void) throws {
    let file = sample.build("2612", "vfr-sectional/Reno.product.json")
    var product = try Product(describedBy: file)
    try change(&product)
    try CanonicalJSON.pretty(product).write(to: file)
  }

  /// Validates the build, and returns the results that the journal has then.
  private func results(
    program: String = "1", _ change: (inout ValidationRequest) throws -> Void = { _ in }
  ) throws -> Set<String> {
    var request = ValidationRequest([sample.build("2612")])
    try change(&request)
    let journal = try Journal(cycle: "2612", in: workspace, environment: ["program": program])
    _ = try Validator(jobs: 2, journal: journal).validate(request, progress: SilentProgress())
    return Set(try files(below: workspace.journal.appending(path: "2612")))
  }

  /// The steps with a new result, without the keys: `rules/vfr-sectional/Reno/Reno.mbtiles`
  private func steps(_ new: Set<String>, after old: Set<String>) -> Set<String> {
    Set(new.subtracting(old).map { String($0[..<($0.lastIndex(of: "/") ?? $0.endIndex)]) })
  }

  private static let archive = "rules/vfr-sectional/Reno/Reno.mbtiles"
  private static let product = "rules/vfr-sectional/Reno/Reno.product.json"

  @Test func `nothing is checked again without a change`() throws {
    let first = try results()
    #expect(first.count { $0.hasPrefix("chart-rules/") } == 2)
    #expect(try results() == first)
  }

  @Test func `a changed archive repeats its own rules and those of its cycle`() throws {
    let before = try results()
    try sample.chart("Reno", shade: 90)
    let again = steps(try results(), after: before)
    #expect(again == [Self.archive, Self.product, "chart-rules", "cycle-rules"])
    #expect(try results().count { $0.hasPrefix("chart-rules/") } == 3)
  }

  @Test func `a changed description, but not its cycle alone, repeats the rules of the archive`() throws {
    let before = try results()
    try describe { $0.name = "Another" }
    let renamed = try results()
    #expect(
      steps(renamed, after: before).isSuperset(of: [Self.archive, Self.product, "chart-rules", "cycle-rules"])
    )
    try describe { $0.cycle = "2613" }
    let dated = steps(try results(), after: renamed)
    #expect(dated.contains(Self.product) && !dated.contains(Self.archive))
  }

  @Test func `a changed file beside an archive repeats the rules of both`() throws {
    let before = try results()
    try Data([2]).write(to: evidence)
    #expect(
      steps(try results(), after: before) == [Self.archive, Self.product, "chart-rules", "cycle-rules"])
  }

  @Test(arguments: [
    "another product of the cycle in the site", "a product of an earlier cycle", "the facts of another file",
  ])
  func `a changed product to compare with repeats the rules of the cycle`(_ kind: String) throws {
    let before = try results()
    var other = try Product(describedBy: sample.chart("Klamath_Falls", cycle: "2611"))
    func add(_ request: inout ValidationRequest) {
      let placed = PlacedProduct(other, in: sample.build("2611", "vfr-sectional"))
      switch kind {
      case "a product of an earlier cycle": request.against = [placed]
      case "another product of the cycle in the site":
        other.cycle = "2612"
        request.beside = [PlacedProduct(other, in: placed.folder)]
      default: request.paths.append(sample.build("2611"))
      }
    }
    let added = try results(add)
    #expect(steps(added, after: before).isSuperset(of: ["cycle-rules"]))
    #expect(try results(add) == added)
    other.name = "Renamed"
    if kind != "the facts of another file" {
      #expect(steps(try results(add), after: added).isSuperset(of: ["cycle-rules"]))
    }
  }

  @Test func `another program repeats all rules`() throws {
    let before = try results()
    let again = try results(program: "2")
    #expect(again.count == 2 * before.count && steps(again, after: before) == steps(before, after: []))
  }
}
