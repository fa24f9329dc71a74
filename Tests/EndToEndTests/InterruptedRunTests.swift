import ArchiveIO
import Core
import CryptoIO
import Foundation
import TestSupport
import Testing
import ZipWriting

/// The same inputs give the same bytes, at any number of workers and after any number of kills.
@Suite(.slow, .blocking) struct ResumeTests {
  private static let pipelines = [Samples.tiny, "sample-nasr"]

  private func arguments(_ sources: TemporaryFolder, _ work: TemporaryFolder, jobs: Int) -> [String] {
    ["run"] + Self.pipelines + [
      "--cycle", "2304", "--from", sources.url.path, "--work", work.url.path, "--jobs", String(jobs),
      "--quiet",
    ]
  }

  /// The results of a run; the journal contains times.
  private func results(_ work: TemporaryFolder) throws -> [String] {
    try ["build", "site"].flatMap { name in try fingerprint(work.file(name)).map { "\(name)/\($0)" } }
  }

  @Test func `one worker and two write the same bytes`() async throws {
    let two = try await Samples.small()
    let work = TemporaryFolder()
    try Program().run(arguments(two.sources, work, jobs: 1)).expect(0)
    let one = try results(work)
    #expect(try one == results(two.work))
    #expect(one.contains { $0.hasPrefix("build/2304/tiny/Tiny.mbtiles ") })
    #expect(one.contains { $0.hasPrefix("site/catalog.json ") })
  }

  /// Files in the order in which a run creates them; it is killed as soon as each exists.
  private static let killPoints = [
    "scratch", "build/2304/tiny/Tiny.mbtiles", "build/2304/tiny/Tiny.product.json", "journal/2304/products",
    "build/2304/sample-nasr/aviation.sqlite", "site/.staging", "site/blobs", "site/cycles/2304/manifest.json",
    "site/catalog.json",
  ]

  @Test func `a run of four workers that is killed repeatedly ends with the same bytes`() async throws {
    let (sources, whole) = try await Samples.small()
    let reference = try results(whole)
    let work = TemporaryFolder()
    var kills = 0
    for point in Self.killPoints {
      let ending = try Program().run(arguments(sources, work, jobs: 4), stopWhenExists: work.file(point))
      kills += ending.wasKilled ? 1 : 0
      try expectOnlyWholeFiles(in: work)
    }
    try Program().run(arguments(sources, work, jobs: 4)).expect(0)
    #expect(kills >= 2, "the run was too quick to be killed: \(kills)")
    #expect(try results(work) == reference)
    #expect(try files(below: work.url).allSatisfy { !$0.contains("scratch/") && !$0.contains(".staging") })
  }

  @Test func `Ctrl-C stops the run and leaves no partial files`() throws {
    let work = TemporaryFolder()
    // So many zooms take long enough to interrupt the run on any machine.
    let definitions = TemporaryFolder()
    let terminal = try repositoryRoot.appending(path: "pipelines/sample-terminal.json5").text
    try terminal.replacing("maxZoom: 13", with: "maxZoom: 18")
      .write(to: definitions.file("sample-terminal.json5"), atomically: true, encoding: .utf8)
    let ending = try Program().run(
      [
        "run", "sample-terminal", "--cycle", "2304", "--from", "samples", "--work", work.url.path, "--quiet",
        "--pipelines", definitions.url.path,
      ],
      stopWhenExists: work.file("scratch"), signal: SIGINT
    ).expect(130)
    #expect(!ending.wasKilled)
    #expect(ending.errors.contains("interrupted: stopped by Ctrl-C or a signal"), "\(ending.errors)")
    #expect(try files(below: work.url).allSatisfy { $0 == "journal/hashes.txt" })
  }

  /// JSON can be parsed, and a blob has the hash of its name.
  private func expectOnlyWholeFiles(in work: TemporaryFolder) throws {
    for path in try files(below: work.url) where !path.hasPrefix("scratch/") && !path.contains(".staging/") {
      let file = work.file(path)
      if path.hasSuffix(".json") {
        _ = try JSONSerialization.jsonObject(with: file.data)
      } else if path.contains("/blobs/") {
        let name = file.deletingPathExtension().lastPathComponent
        #expect(try SHA256Hex(ofFile: file).text == name)
      }
    }
  }
}

/// Two runs at once, and sources that change under a run.
@Suite(.slow, .blocking) struct TwoAtOnceTests {
  private let served: TemporaryFolder
  private let own: TemporaryFolder
  private let server: TestServer

  init() throws {
    (served, own) = (TemporaryFolder(), TemporaryFolder())
    try served.add(Samples.tinySource)
    server = try TestServer(serving: served.url)
  }

  private func call(_ command: String, work: String) -> [String] {
    [
      command, Samples.tiny, "--cycle", "2304", "--from", server.url, "--work", own.file(work).path,
      "--cache", own.file("cache").path,
    ]
  }

  private func start(_ arguments: [String]) throws -> RunningProgram {
    try RunningProgram(Program().url, arguments)
  }

  private func wait(for isSo: () throws -> Bool, while running: RunningProgram) throws {
    while running.isRunning, try !isSo() { Thread.sleep(forTimeInterval: 0.005) }
  }

  @Test func `refuses a second run in a work folder, and the first one succeeds`() throws {
    let size = try served.file("Tiny.zip").data.count
    server.always(.slow(piece: size / 60, pause: 0.1), at: "/Tiny.zip")
    let first = try start(call("run", work: "work"))
    try wait(for: { server.sentBytes("/Tiny.zip") > 0 }, while: first)
    for command in ["run", "fetch"] {
      try Program().run(call(command, work: "work")).expect(1, "another chartpipe is at work in it")
    }
    try first.wait().expect(0)
  }

  @Test func `work folders can share a cache`() throws {
    let size = try served.file("Tiny.zip").data.count
    server.always(.slow(piece: size / 10, pause: 0.02), at: "/Tiny.zip")
    let left = own.file("cache/scratch/left-by-a-kill")
    try left.deletingLastPathComponent().makeFolder()
    try Data([1]).write(to: left)
    let all = try ["one", "two", "three"].map { try start(call("run", work: $0)) }
    for running in all { try running.wait().expect(0) }
    let sites = try ["one", "two", "three"].map { try own.file("\($0)/site/catalog.json").data }
    #expect(Set(sites).count == 1)
    // The file and the record of its address.
    #expect(try files(below: own.file("cache")).count == 2)
  }

  /// The database is built first, so there is time to replace the chart after it is hashed.
  @Test(arguments: [true, false])
  func `detects a source that is replaced before it is read`(isOther: Bool) throws {
    let sources = own.file("sources")
    try own.add(Samples.smallCycle, to: "sources")
    let running = try start([
      "run", "sample-nasr", Samples.tiny, "--cycle", "2304", "--from", sources.path, "--work",
      own.file("work").path,
    ])
    try wait(for: { try !files(below: own.file("work/scratch")).isEmpty }, while: running)
    let chart = sources.appending(path: "Tiny.zip")
    try (isOther ? withOneMore(chart) : chart.data).write(to: chart, options: .atomic)
    let ending = try running.wait()
    if isOther {
      #expect(ending.status == 5)
      #expect(ending.errors.contains("Tiny.zip: it changed while it was read"), "\(ending.errors)")
      #expect(!own.file("work/build/2304/tiny/Tiny.mbtiles").exists)
    } else {
      #expect(ending.status == 0, "\(ending.errors)")
    }
  }

  /// The same chart with an additional file.
  private func withOneMore(_ chart: URL) throws -> Data {
    let archive = try ZipArchive(path: chart.path)
    var zip = ZipWriter()
    zip.members = try archive.members.map { ($0.name, try archive.read($0)) } + [("note.txt", [1])]
    let file = own.file("other.zip")
    try zip.write(to: file.path)
    return try file.data
  }
}
