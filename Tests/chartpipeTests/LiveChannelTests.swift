import Core
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ChartpipeKit

/// A kind of snapshots with everything that it needs.
private struct Wind: LiveDefinition, LiveItem {
  static let kind = "wind"
  static let file = "wind.txt"

  let name: String
  let url: SourceAddress

  enum CodingKeys: String, DefinitionKey {
    case name, url
  }

  var items: [any PipelineItem] { [self] }
  var pipeline: String { name }
  var id: String { "latest" }
  var confirmingSources: [String] { [Wind.file] }

  func definitionText() throws -> Data { Data() }

  /// `wind 2026-11-27T18:50:00Z calm end`
  private static func observed(_ data: Data) throws -> Instant {
    let words = String(decoding: data, as: UTF8.self).split(separator: " ")
    guard words.count == 4, words[3] == "end", let time = Instant(String(words[1])) else {
      throw UserError(.badInput, operation: "reading", path: file, reason: "it is no wind")
    }
    return time
  }

  func poll(_ poll: SourcePoll, _ cycle: CycleFiles) throws {
    try poll.fetch(
      Wind.file, from: url.filled(name: Wind.file, day: poll.now.day), limit: 100, check: Wind.observed)
  }

  func steps(_ context: StepContext) -> [Step] { [Step(id: step, fromSources: { try prepare(context) })] }

  private func prepare(_ context: StepContext) throws -> PreparedStep {
    let source = try context.sources.locate([Wind.file], getItFrom: url.pattern)
    let key = try context.key(of: self, sources: [source.ingredient], libraries: [:])
    return context.prepared(key, reading: [source]) {
      let words = try source.url.data
      let (scratch, time) = (context.workspace.scratchFile(Wind.file), try Wind.observed(words))
      try words.write(to: scratch)
      let made = Product(
        id: product, kind: Product.Kind(rawValue: "wind"), name: name, cycle: context.cycle,
        edition: .time(time), effectiveDate: time, expirationDate: time.adding(1800), format: "text",
        files: [
          Product.File(
            path: Wind.file, sha256: source.sha256, bytes: words.count, mediaType: "text/plain",
            role: Product.Role(rawValue: "text"))
        ],
        sources: [source.record],
        build: Product.Build(
          tool: ToolVersion.tool, version: ToolVersion.version, libraries: [:], counts: [:]))
      return try context.outputs(of: self, MadeProduct(product: made, files: [scratch]), detail: "wind")
    }
  }
}

/// Two work folders with a pipeline each, a server of sources and a target.
private struct Sky {
  let folder = TemporaryFolder()
  let key: SigningKey
  let server: TestServer
  var target: URL { folder.file("target") }
  private var library: PipelineLibrary {
    PipelineLibrary(folder: folder.url, kinds: PipelineLibrary.kinds + [Wind.self])
  }

  init() throws {
    key = try SigningKey.generate()
    server = try TestServer(serving: folder.url)
    for name in ["wind", "breeze"] {
      try folder.file("\(name).json5").put(
        "{ kind: \"wind\", name: \"\(name)\", url: \"\(server.url)/\(name)/{name}\" }")
    }
  }

  func path(_ name: String = "wind") -> String { "/\(name)/\(Wind.file)" }

  func put(_ time: Instant, _ word: String = "calm", in name: String = "wind") throws {
    try folder.file(name + "/" + Wind.file).put("wind \(time) \(word) end")
  }

  /// One turn, as `run` makes it.
  @discardableResult
  func turn(
    _ name: String = "wind", at now: Instant, from origin: SourceOrigin = .publisher,
    dyingAfter writes: Int = .max
  ) throws -> (report: LiveReport, faults: [String]) {
    let definition = try #require(try library.definition(name) as? any LiveDefinition)
    let work = folder.file("work-\(name)")
    let made = try LiveWork(
      definitions: [definition], plan: BuildPlan([definition]), workspace: Workspace(work), origin: origin,
      now: now
    ).run(SilentProgress())
    var options = PublishOptions(clock: PublishClock(now: { now }))
    options.key = key
    let store = DyingStore(base: FolderStore(root: target, for: .live), life: Life(writes))
    let publisher = LivePublisher(
      PublishTarget(store: store), options, from: work.appending(path: "site"), progress: SilentProgress())
    let report = try publisher.publish(made.snapshots, of: definition.items.map(\.product))
    return (report, made.faults.map(\.reason))
  }

  /// Reads as a client does. Returns the text of each snapshot that it calls current, by id.
  func view(at now: Instant) throws -> [String: String] {
    let store = FolderStore(root: target)
    guard let bytes = try CatalogueBytes.find(.live, in: store) else { return [:] }
    _ = try CatalogueSignature.find(of: bytes, in: store, by: key.verifier)
    let catalogue = try PublishedCatalogue(bytes).catalogue
    guard let term = catalogue.term, !term.isExpired(at: now) else { return [:] }
    let current = catalogue.products.filter {
      $0.expirationDate > now && max($0.fetched ?? $0.effectiveDate, $0.effectiveDate) <= now.adding(300)
    }
    return try Dictionary(
      uniqueKeysWithValues: current.map {
        ($0.id, String(decoding: try store.data(of: FileReference($0.files[0])), as: UTF8.self))
      })
  }

  func findings(at now: Instant) throws -> [String] {
    var health = SiteHealth(site: PublishedSite(folder: target), verifier: key.verifier, now: now)
    health.channel = .live
    return try health.check(progress: SilentProgress()).findings.map { "\($0.severity): \($0.where)" }
  }
}

@Suite(.blocking) struct LiveChannelTests {
  private let sky: Sky
  private let noon: Instant = "2026-11-27T12:00:00Z"

  init() throws { sky = try Sky() }

  @Test func `a snapshot is published, and replaced by a newer one`() throws {
    try sky.put(noon.adding(-600))
    let first = try sky.turn(at: noon)
    #expect(first.report.changed && first.report.serial == 1 && first.faults == [])
    #expect(first.report.snapshots.map(\.observed) == [noon.adding(-600)])
    #expect(try sky.view(at: noon) == ["wind/latest": "wind 2026-11-27T11:50:00Z calm end"])
    try sky.put(noon, "gale")
    let second = try sky.turn(at: noon.adding(300))
    #expect(second.report.serial == 2 && second.report.sent == 1)
    #expect(try sky.view(at: noon.adding(300)) == ["wind/latest": "wind 2026-11-27T12:00:00Z gale end"])
  }

  @Test func `a turn asks for each file once, and only whether it changed`() throws {
    try sky.put(noon)
    try sky.turn(at: noon)
    try sky.turn(at: noon.adding(300))
    let requests = sky.server.requests(for: sky.path())
    #expect(requests.map(\.status) == [200, 304])
    #expect(requests[1].fields["user-agent"]?.hasPrefix("chartpipe/") == true)
    #expect(try sky.view(at: noon.adding(301)).count == 1)
  }

  @Test(
    arguments: [
      .status(503), .status(403), .page("<html>busy</html>"), .cut(to: 12), .endsHalfway, .reset(after: 5),
      .claims(more: 7), .endlessHead, .endlessBody, .losesAnswer, .redirect(to: "/nowhere"),
      .status(200, body: ""), .status(200, body: "wind 2026-11-27T11:00:00Z old end"),
      .status(200, body: "wind 2026-11-27T13:00:00Z half"),
    ] as [TestServer.Behavior])
  func `a failed fetch never replaces a good snapshot`(_ fault: TestServer.Behavior) throws {
    try sky.put(noon)
    try sky.turn(at: noon)
    let good = try sky.view(at: noon)
    try sky.put(noon.adding(200), "next")
    sky.server.always(fault, at: sky.path())
    let turn = try sky.turn(at: noon.adding(300))
    #expect(turn.faults.count == 1 && !turn.report.changed)
    #expect(try sky.view(at: noon.adding(300)) == good)
    #expect(try sky.view(at: noon.adding(1800)) == [:], "it must not be used after half an hour")
    let last = try sky.turn(at: noon.adding(1800))
    #expect(last.report.changed && last.report.held == ["wind/latest"])
    #expect(try sky.findings(at: noon.adding(1801)) == ["error: wind/latest"])
    sky.server.always(nil, at: sky.path())
    try sky.put(noon.adding(3000), "back")
    #expect(try sky.turn(at: noon.adding(3600)).report.held == [])
    #expect(try sky.findings(at: noon.adding(3600)) == [])
  }

  @Test func `a turn with a wrong clock publishes nothing`() throws {
    try sky.put(noon)
    try sky.turn(at: noon)
    let other = TestServer.Behavior.status(
      200, fields: ["Date: Fri, 27 Nov 2026 18:00:00 GMT"], body: "wind 2026-11-27T12:04:00Z x end")
    sky.server.always(other, at: sky.path())
    try expectFault("another time", kind: .failed) { try sky.turn(at: noon.adding(300)) }
    #expect(try sky.view(at: noon.adding(300)).count == 1)
  }

  @Test func `two pipelines share the channel`() throws {
    try sky.put(noon)
    try sky.put(noon, "mild", in: "breeze")
    try sky.turn("wind", at: noon)
    try sky.turn("breeze", at: noon)
    #expect(try sky.view(at: noon).keys.sorted() == ["breeze/latest", "wind/latest"])
    #expect(try sky.findings(at: noon) == [])
    try sky.put(noon.adding(1500), "mild", in: "breeze")
    let later = try sky.turn("breeze", at: noon.adding(1800)).report
    #expect(later.held == ["wind/latest"], "the other one expired meanwhile, which is said")
  }

  @Test func `replaced files stay for an hour`() throws {
    func files() throws -> [String] {
      try FolderStore(root: sky.target).list("live/").map(\.key).filter(BlobPath.isValid)
    }
    try sky.put(noon)
    try sky.turn(at: noon)
    let first = try #require(try files().first)
    for (minutes, isThere) in [(5, true), (60, true), (65, false), (70, false)] {
      try sky.put(noon.adding(minutes * 60), "gale\(minutes)")
      #expect(try sky.turn(at: noon.adding(minutes * 60)).faults == [])
      #expect(try files().contains(first) == isThere, "after \(minutes) minutes")
    }
    let signatures = try FolderStore(root: sky.target).list("live/signatures/").count
    #expect(signatures == 4, "those of the last hour")
  }

  @Test func `a clock that was wrong is not believed afterwards`() throws {
    try sky.put(noon)
    try sky.turn(at: noon)
    // The clock is three hours ahead for a turn: the file seems old.
    #expect(try sky.turn(at: noon.adding(10_800)).report.held == ["wind/latest"])
    #expect(try sky.view(at: noon.adding(300)) == [:])
    let back = try sky.turn(at: noon.adding(300))
    #expect(back.report.held == [] && back.report.serial == 3)
    #expect(try sky.view(at: noon.adding(300)).count == 1)
    // And an hour behind: what is listed is of the future.
    let behind = try sky.turn(at: noon.adding(-3600))
    #expect(behind.report.held == ["wind/latest"])
    #expect(try sky.view(at: noon.adding(-3600)) == [:])
  }

  @Test func `an unsigned or older catalogue is replaced and not extended`() throws {
    try sky.put(noon)
    try sky.put(noon, in: "breeze")
    try sky.turn("wind", at: noon)
    let file = sky.target.appending(path: "live.json")
    let old = try file.data
    try sky.turn("breeze", at: noon)
    try old.write(to: file)
    let report = try sky.turn("breeze", at: noon.adding(60)).report
    #expect(report.serial == 3 && report.snapshots.map(\.id) == ["breeze/latest"])
    try String(decoding: file.data, as: UTF8.self).replacing("breeze", with: "hurricane").write(
      to: file, atomically: true, encoding: .utf8)
    #expect(throws: (any Error).self) { try sky.view(at: noon.adding(60)) }
    #expect(try sky.turn("breeze", at: noon.adding(120)).report.serial == 4)
    #expect(try sky.view(at: noon.adding(120)).keys.sorted() == ["breeze/latest"])
  }

  @Test func `a publisher without the key stops before it replaces anything`() throws {
    try sky.put(noon)
    try sky.turn(at: noon)
    let options = PublishOptions(clock: PublishClock(now: { noon }))
    let publisher = LivePublisher(
      PublishTarget(folder: sky.target), options, from: sky.folder.file("other"), progress: SilentProgress())
    try expectFault("signed", kind: .badCall) { try publisher.publish([], of: ["wind/latest"]) }
    #expect(try sky.view(at: noon).count == 1)
  }

  @Test func `saved files are taken by their names, also with a time before them`() throws {
    let saved = sky.folder.file("saved")
    for (time, word) in [("1140", "old"), ("1150", "newer"), ("1230", "future")] {
      let clock = "\(time.prefix(2)):\(time.suffix(2))"
      try saved.appending(path: "2026-11-27T\(time)-\(Wind.file)").put(
        "wind 2026-11-27T\(clock):00Z \(word) end")
    }
    let report = try sky.turn(at: noon, from: .folder(saved)).report
    #expect(report.snapshots.map(\.fetched) == ["2026-11-27T11:50:00Z"])
    #expect(try sky.view(at: noon).values.first?.contains("newer") == true)
  }

  /// Turns every five minutes for half a day with faults of the server, killed publishers and two clocks that jump. A reader that polls
  /// each minute never sees an expired snapshot, one of the future, or an older one after a newer one.
  @Test(arguments: 1...3)
  func `a reader never sees an old sky as current`(_ seed: Int) throws {
    var random = SteadyNumbers(seed: seed)
    let faults: [TestServer.Behavior] = [
      .status(503), .page("<html>"), .cut(to: 20), .endsHalfway, .losesAnswer, .claims(more: 3),
      .status(200, body: ""), .status(200, body: "wind 2026-11-27T01:00:00Z ancient end"),
    ]
    let jumps = [random.below(140), random.below(140)]
    var (shown, confirmed): (Instant?, Int) = (nil, 0)
    for turn in 0..<144 {
      let time = noon.adding(turn * 300)
      if random.below(3) != 0 { try sky.put(time.adding(-random.below(500)), "w\(turn)") }
      let isBad = random.below(4) == 0
      sky.server.always(isBad ? faults[random.below(faults.count)] : nil, at: sky.path())
      let jump = jumps.firstIndex(of: turn).map { $0 == 0 ? 86_400 : -86_400 } ?? 0
      let life = random.below(8) == 0 ? random.below(6) : Int.max
      _ = try? sky.turn(at: time.adding(jump), dyingAfter: life)
      for minute in 0..<5 {
        let now = time.adding(minute * 60)
        let seen = try sky.view(at: now)["wind/latest"]
        guard let word = seen?.split(separator: " ")[1], let observed = Instant(String(word)) else {
          continue
        }
        confirmed += 1
        #expect(observed.adding(1800) > now && observed <= now.adding(300))
        #expect(shown.map { $0 <= observed } ?? true, "an older snapshot after a newer one")
        shown = observed
      }
    }
    #expect(confirmed > 100, "the channel works most of the time")
  }
}

/// How many writes are left.
private final class Life: Sendable {
  private let left: Mutex<Int>
  init(_ writes: Int) { left = Mutex(writes) }
  func take() -> Bool {
    left.withLock { left in
      left -= 1
      return left >= 0
    }
  }
}

/// A store of a publisher that is killed after some writes.
private struct DyingStore: WritableObjectStore {
  struct Killed: Error {}

  let base: FolderStore
  let life: Life

  var name: String { base.name }
  func read(_ key: String) throws -> TaggedObject? { try base.read(key) }
  func read(_ key: String, _ receive: PieceReceiver) throws -> ObjectInfo? { try base.read(key, receive) }
  func list(_ prefix: String) throws -> [ListedObject] { try base.list(prefix) }

  func put(_ body: ObjectBody, at key: String, _ headers: ObjectHeaders, if condition: PutCondition) throws
    -> ObjectTag?
  {
    try live()
    return try base.put(body, at: key, headers, if: condition)
  }

  func remove(_ key: String) throws {
    try live()
    try base.remove(key)
  }

  private func live() throws {
    guard life.take() else { throw Killed() }
  }
}
