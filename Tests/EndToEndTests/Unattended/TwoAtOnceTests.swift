import ArchiveIO
import Foundation
import TestSupport
import Testing

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
