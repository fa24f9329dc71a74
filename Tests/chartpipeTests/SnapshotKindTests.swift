import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// A kind of product that changes every few minutes, with everything that it needs.
private struct Snapshot: PipelineDefinition, PipelineItem {
  static let kind = "snapshot"

  let name: String
  let minutes: Int
  let url: SourceAddress

  enum CodingKeys: String, DefinitionKey {
    case name, minutes, url
  }

  var items: [any PipelineItem] { [self] }
  var problem: String? { minutes > 0 ? nil : "minutes must be positive" }

  var pipeline: String { name }
  var id: String { "latest" }
  var schedule: Schedule { .every(minutes: minutes) }
  var daysAhead: Int { 0 }

  func definitionText() throws -> Data { Data("\(minutes)".utf8) }

  private func file(_ edition: Edition) -> String { "latest-\(edition.id).txt" }

  func sources(for date: RunDate) -> [SourceRequirement] {
    let edition = date.edition(schedule)
    let url = url.filled(name: "latest.txt", day: edition.effectiveDay)
    let file = RequiredFile(path: file(edition), url: url, edition: edition)
    return [SourceRequirement(alternatives: [[file]], products: [product])]
  }

  func steps(_ context: StepContext) -> [Step] { [Step(id: step, fromSources: { try prepare(context) })] }

  private func prepare(_ context: StepContext) throws -> PreparedStep {
    let edition = context.date.edition(schedule)
    let source = try context.sources.locate([file(edition)], getItFrom: url.pattern)
    let key = try context.key(of: self, edition: edition, sources: [source.ingredient], libraries: [:])
    return context.prepared(key, reading: [source]) {
      let scratch = context.workspace.scratchFile("latest.txt")
      let words = try source.url.data
      try words.write(to: scratch)
      let made = Product(
        id: product, kind: Product.Kind(rawValue: "snapshot"), name: name, cycle: context.cycle,
        edition: edition.issue, effectiveDate: edition.effective, expirationDate: edition.expires,
        format: "text",
        files: [
          Product.File(
            path: "latest.txt", sha256: source.sha256, bytes: words.count, mediaType: "text/plain",
            role: Product.Role(rawValue: "text"))
        ],
        sources: [source.record],
        build: Product.Build(
          tool: ToolVersion.tool, version: ToolVersion.version, libraries: [:],
          definitionSha256: try definitionSha256(), counts: [:]))
      return try context.outputs(
        of: self, MadeProduct(product: made, files: [scratch]), detail: "\(words.count) bytes")
    }
  }
}

/// A kind in one file and one entry of a list, with a schedule of its own.
@Suite struct SnapshotKindTests {
  private let folder = TemporaryFolder()
  private let server: TestServer

  init() throws {
    server = try TestServer(serving: folder.url)
    let text = "{ kind: \"snapshot\", name: \"wind\", minutes: 5, url: \"\(server.url)/{name}\" }"
    try folder.file("wind.json5").put(text)
  }

  private func plan() throws -> BuildPlan {
    let library = PipelineLibrary(folder: folder.url, kinds: PipelineLibrary.kinds + [Snapshot.self])
    return try BuildPlan([library.definition("wind")])
  }

  private func date(_ time: String) throws -> RunDate {
    let now = try #require(Instant("2026-11-27T\(time)Z"))
    return RunDate(cycle: AiracCycle(at: now), now: now)
  }

  /// Fetches and builds at a time of the day.
  private func run(_ time: String) throws -> (product: Product, text: String, isNew: Bool) {
    let settings = RunSettings(
      plan: try plan(), date: try date(time), workspace: Workspace(folder.file("work")), place: nil, jobs: 1,
      engine: .kernel, cache: folder.file("cache").path)
    let run = try PipelineRun(settings, Console(json: true))
    try run.fetch()
    let outcome = try run.build(settings.plan)
    #expect(outcome.failures.isEmpty)
    let (product, place) = try #require(try outcome.results.first?.product())
    let text = try place.appending(path: product.files[0].path).text
    return (product, text, !outcome.seconds.isEmpty)
  }

  private func publish(_ text: String) throws { try folder.file("latest.txt").put(text) }

  @Test func `a product is built once in each edition`() throws {
    try publish("calm")
    let first = try run("18:55:00")
    #expect(first.isNew && first.text == "calm")
    #expect(first.product.effectiveDate == "2026-11-27T18:55:00Z")
    let asked = server.requests.count
    try publish("a breeze")
    let second = try run("18:59:59")
    #expect(!second.isNew && second.product == first.product && second.text == "calm")
    #expect(server.requests.count == asked, "a run in the same edition fetches nothing")
    let third = try run("19:00:00")
    #expect(third.isNew && third.text == "a breeze")
    #expect(third.product.edition == "2026-11-27T19:00:00Z")
    #expect(first.product.expirationDate == third.product.effectiveDate)
  }

  /// Builds, stages and publishes at a time of the day.
  private func release(_ time: String) throws -> PublishReport {
    _ = try run(time)
    let now = try date(time).now
    let site = folder.file("work/site")
    _ = try Stager.stage(
      StageRequest(builds: [folder.file("work/build")], site: site, now: now), progress: SilentProgress())
    let options = PublishOptions(holder: "test", clock: PublishClock(now: { now }))
    return try Publisher.publish(
      site, to: PublishTarget(folder: folder.file("target")), options, progress: SilentProgress())
  }

  private func findings(_ time: String) throws -> [String] {
    let site = PublishedSite(folder: folder.file("target"))
    return try SiteHealth(site: site, now: date(time).now)
      .check(progress: SilentProgress()).findings.filter { $0.severity == .error }
      .map { "\($0.where): \($0.message)" }
  }

  private func published() throws -> [Product] {
    try PublishedSite(folder: folder.file("target")).catalogue()?.catalogue.products ?? []
  }

  @Test func `an edition is staged, published, and replaced by the next one`() throws {
    try publish("calm")
    #expect(try release("18:55:00").changed)
    let first = try #require(try published().first)
    #expect(first.edition == "2026-11-27T18:55:00Z" && first.cycle == "2612")
    #expect(try findings("18:59:59") == [])
    #expect(try findings("19:00:00") == ["wind/latest: its last edition expired at 2026-11-27T19:00:00Z"])
    try publish("a breeze")
    #expect(try release("19:01:00").changed)
    let second = try published()
    #expect(second.map(\.edition) == ["2026-11-27T19:00:00Z"] && second[0].files != first.files)
    #expect(try findings("19:01:00") == [])
    try publish("a gale")
    let third = try release("19:05:00")
    #expect(third.removed.map(\.path).contains(first.files[0].path))
  }

  @Test func `an edition is due when the one before has expired`() throws {
    func due(_ time: String, _ published: [Product]) throws -> [AiracCycle] {
      DueCalendar(try plan().expected, published: published, now: try date(time).now).cycles
    }
    try publish("calm")
    let product = try run("18:55:00").product
    #expect(try due("18:54:00", []) == ["2612"])
    #expect(try due("18:59:59", [product]) == [])
    #expect(try due("19:00:00", [product]) == ["2612"])
  }

  @Test func `a definition of the kind is checked`() throws {
    let text = "{ kind: \"snapshot\", name: \"wind\", minutes: 0, url: \"https://x.org/{name}\" }"
    try folder.file("wind.json5").put(text)
    #expect(throws: UserError.self) { try plan() }
    let fault = #expect(throws: UserError.self) { try PipelineLibrary.read(folder.file("wind.json5")) }
    #expect(
      fault?.reason.hasPrefix("`kind`: \"snapshot\" is none of charts, nasr, obstacles, raster (line 1")
        == true,
      "\(fault?.reason ?? "")")
  }
}
