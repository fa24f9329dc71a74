import ArchiveIO
import CryptoIO
import Foundation
import TestSupport
import Testing

/// The same inputs give the same bytes: at any number of workers, and however often a run was killed on the way.
@Suite struct ResumeTests {
  private static let pipelines = [samplesFolder.appending(path: "broken/tiny.json5").path, "sample-nasr"]

  /// The sources of a small cycle: a tiny chart, and the sample's NASR subscription and obstacles.
  private func sources() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for path in [
      "broken/good/Tiny.zip", "nasr/28DaySubscription_Effective_2023-04-20.zip", "obstacles/DOF.CSV",
    ] {
      let file = samplesFolder.appending(path: path)
      try FileManager.default.copyItem(at: file, to: folder.file(file.lastPathComponent))
    }
    return folder
  }

  private func arguments(_ sources: TemporaryFolder, _ work: TemporaryFolder, jobs: Int) -> [String] {
    ["run"] + Self.pipelines + [
      "--cycle", "2304", "--from", sources.url.path, "--work", work.url.path, "--jobs", String(jobs),
      "--quiet",
    ]
  }

  /// Path and SHA-256 of all that a run is for. The journal tells times, so it is no part of it.
  private func fingerprint(_ work: TemporaryFolder) throws -> [String] {
    try ["build", "site"].flatMap { folder in
      try files(below: work.file(folder)).map { path in
        let file = work.file(folder).appending(path: path)
        return "\(folder)/\(path) \(try SHA256Hex(ofFile: file).text)"
      }
    }
  }

  private func finishedRun(_ sources: TemporaryFolder, jobs: Int) throws -> TemporaryFolder {
    let work = try TemporaryFolder()
    let ending = try Program().run(arguments(sources, work, jobs: jobs))
    try #require(ending.status == 0, "\(ending.errors)")
    return work
  }

  @Test func oneWorkerAndFourMakeTheSameBytes() throws {
    let sources = try sources()
    let one = try fingerprint(finishedRun(sources, jobs: 1))
    let four = try fingerprint(finishedRun(sources, jobs: 4))
    #expect(one == four)
    #expect(one.contains { $0.hasPrefix("build/2304/tiny/Tiny.mbtiles ") })
    #expect(one.contains { $0.hasPrefix("site/catalog.json ") })
  }

  /// What appears one after the other in a run; it is killed as soon as each is there.
  private static let killPoints = [
    "scratch", "build/2304/tiny/Tiny.mbtiles", "build/2304/tiny/Tiny.product.json", "journal/2304.jsonl",
    "build/2304/sample-nasr/aviation.sqlite", "site/.staging", "site/blobs", "site/cycles/2304/manifest.json",
    "site/catalog.json",
  ]

  @Test func aRunThatIsKilledAgainAndAgainEndsWithTheSameBytes() throws {
    let sources = try sources()
    let reference = try fingerprint(finishedRun(sources, jobs: 2))
    let work = try TemporaryFolder()
    var kills = 0
    for point in Self.killPoints {
      let ending = try Program().run(
        arguments(sources, work, jobs: 2), stopWhenExists: work.file(point))
      kills += ending.wasKilled ? 1 : 0
      try expectOnlyWholeFiles(in: work)
    }
    let last = try Program().run(arguments(sources, work, jobs: 2))
    #expect(last.status == 0, "\(last.errors)")
    #expect(kills >= 2, "the run was too quick to be killed: \(kills)")
    #expect(try fingerprint(work) == reference)
    #expect(try files(below: work.url).allSatisfy { !$0.contains("scratch/") && !$0.contains(".staging") })
  }

  @Test func aSecondRunDoesNothing() throws {
    let sources = try sources()
    let work = try finishedRun(sources, jobs: 2)
    let before = try fingerprint(work)
    let again = try Program().run(arguments(sources, work, jobs: 2).filter { $0 != "--quiet" })
    #expect(again.errors.contains("tiny/Tiny: up to date"), "\(again.errors)")
    #expect(try fingerprint(work) == before)
  }

  @Test func ctrlCStopsTheRunAndLeavesNothingHalfWritten() throws {
    let work = try TemporaryFolder()
    // Far more zooms than anyone wants: there is time to interrupt it, however busy the machine.
    let definitions = try TemporaryFolder()
    let terminal = try String(
      contentsOf: repositoryRoot.appending(path: "pipelines/sample-terminal.json5"), encoding: .utf8)
    try terminal.replacing("maxZoom: 13", with: "maxZoom: 18")
      .write(to: definitions.file("sample-terminal.json5"), atomically: true, encoding: .utf8)
    let ending = try Program().run(
      [
        "run", "sample-terminal", "--cycle", "2304", "--from", "samples", "--work", work.url.path, "--quiet",
        "--pipelines", definitions.url.path,
      ],
      stopWhenExists: work.file("scratch"), signal: SIGINT)
    #expect(ending.status == 130)
    #expect(!ending.wasKilled)
    #expect(ending.errors.contains("stopped"), "\(ending.errors)")
    #expect(try files(below: work.url).isEmpty)
  }

  /// What a product's description vouches for is there and is whole, and a blob is what its name says.
  private func expectOnlyWholeFiles(in work: TemporaryFolder) throws {
    for path in try files(below: work.url) where !path.hasPrefix("scratch/") && !path.contains(".staging/") {
      let file = work.file(path)
      if path.hasSuffix(".json") {
        _ = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
      } else if path.contains("/blobs/") {
        let name = file.deletingPathExtension().lastPathComponent
        #expect(try SHA256Hex(ofFile: file).text == name)
      }
    }
  }
}

/// Two runs at once, and sources that change under a run.
@Suite struct TwoAtOnceTests {
  private let served: TemporaryFolder
  private let own: TemporaryFolder
  private let server: FaultyServer
  private static let tiny = samplesFolder.appending(path: "broken/tiny.json5").path

  init() throws {
    (served, own) = (try TemporaryFolder(), try TemporaryFolder())
    let zip = samplesFolder.appending(path: "broken/good/Tiny.zip")
    try FileManager.default.copyItem(at: zip, to: served.file("Tiny.zip"))
    server = try FaultyServer(serving: served.url)
  }

  private func call(_ command: String, work: String) -> [String] {
    [
      command, Self.tiny, "--cycle", "2304", "--from", server.url, "--work", own.file(work).path, "--cache",
      own.file("cache").path,
    ]
  }

  private func start(_ arguments: [String]) throws -> RunningProgram {
    try RunningProgram(Program().url, arguments)
  }

  private func wait(for isSo: () throws -> Bool, while running: RunningProgram) throws {
    while running.isRunning, try !isSo() { Thread.sleep(forTimeInterval: 0.005) }
  }

  @Test func `the second one in a work folder is refused, and the first one ends well`() throws {
    let size = try Data(contentsOf: served.file("Tiny.zip")).count
    server.always(.slow(piece: size / 60, pause: 0.1), at: "/Tiny.zip")
    let first = try start(call("run", work: "work"))
    try wait(for: { server.sentBytes("/Tiny.zip") > 0 }, while: first)
    for command in ["run", "fetch"] {
      let second = try Program().run(call(command, work: "work"))
      #expect(second.status == 1)
      #expect(second.errors.contains("another chartpipe is at work in it"), "\(second.errors)")
    }
    let ending = try first.wait()
    #expect(ending.status == 0, "\(ending.errors)")
  }

  @Test func `work folders that share a cache do not disturb each other`() throws {
    let size = try Data(contentsOf: served.file("Tiny.zip")).count
    server.always(.slow(piece: size / 10, pause: 0.02), at: "/Tiny.zip")
    let left = own.file("cache/scratch/what-a-kill-left")
    try FileManager.default.createDirectory(
      at: left.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data([1]).write(to: left)
    let all = try ["one", "two", "three"].map { try start(call("run", work: $0)) }
    for running in all {
      let ending = try running.wait()
      #expect(ending.status == 0, "\(ending.errors)")
    }
    let sites = try ["one", "two", "three"].map { try Data(contentsOf: own.file("\($0)/site/catalog.json")) }
    #expect(Set(sites).count == 1)
    // The file, and the note of the address that it came from.
    #expect(try files(below: own.file("cache")).count == 2)
  }

  /// The database is made first, so there is time to put another chart in place of the one that was hashed.
  @Test(arguments: [true, false])
  func `a source that is replaced before it is read is noticed`(isOther: Bool) throws {
    let sources = own.file("sources")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    for path in [
      "broken/good/Tiny.zip", "nasr/28DaySubscription_Effective_2023-04-20.zip", "obstacles/DOF.CSV",
    ] {
      let file = samplesFolder.appending(path: path)
      try FileManager.default.copyItem(at: file, to: sources.appending(path: file.lastPathComponent))
    }
    let running = try start([
      "run", "sample-nasr", Self.tiny, "--cycle", "2304", "--from", sources.path, "--work",
      own.file("work").path,
    ])
    try wait(for: { try !files(below: own.file("work/scratch")).isEmpty }, while: running)
    let chart = sources.appending(path: "Tiny.zip")
    try (isOther ? withOneMore(chart) : Data(contentsOf: chart)).write(to: chart, options: .atomic)
    let ending = try running.wait()
    if isOther {
      #expect(ending.status == 5)
      #expect(ending.errors.contains("Tiny.zip: it changed while it was read"), "\(ending.errors)")
      #expect(!FileManager.default.fileExists(atPath: own.file("work/build/2304/tiny/Tiny.mbtiles").path))
    } else {
      #expect(ending.status == 0, "\(ending.errors)")
    }
  }
  /// The same chart, and a file beside it that nobody reads.
  private func withOneMore(_ chart: URL) throws -> Data {
    let archive = try ZipArchive(path: chart.path)
    var zip = ZipWriter()
    zip.members = try archive.members.map { ($0.name, try archive.read($0)) } + [("note.txt", [1])]
    let file = own.file("other.zip")
    try zip.write(to: file.path)
    return try Data(contentsOf: file)
  }
}
