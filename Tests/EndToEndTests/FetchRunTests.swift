import ArchiveIO
import Foundation
import TestSupport
import Testing

/// `chartpipe fetch` as a user runs it, against a server that has the samples.
@Suite struct FetchRunTests {
  private let served: TemporaryFolder
  private let own: TemporaryFolder
  private let server: FaultyServer

  init() throws {
    served = try TemporaryFolder()
    own = try TemporaryFolder()
    for (folder, name) in [("sectional-files", "Sample_West.zip"), ("sectional-files", "Sample_East.zip")] {
      try FileManager.default.copyItem(
        at: samplesFolder.appending(path: "\(folder)/\(name)"), to: served.file(name))
    }
    server = try FaultyServer(serving: served.url)
  }

  private func arguments(_ command: String, _ more: [String] = [], cycle: String = "2304") -> [String] {
    [command, "sample-sectional", "--cycle", cycle, "--work", own.file("work").path] + more
  }

  private var fromServer: [String] { ["--from", server.url] }

  private func run(_ arguments: [String]) throws -> Program.Ending {
    try Program().run(arguments, environment: environment)
  }

  private var environment: [String: String] { ["XDG_CACHE_HOME": own.file("cache").path] }

  @Test func listsThenFetchesThenBuilds() throws {
    let listed = try run(arguments("fetch", fromServer + ["--list"]))
    #expect(listed.status == 0)
    let lines = listed.output.split(separator: "\n")
    #expect(lines.map { $0.prefix { $0 != " " } } == ["new", "new"])
    #expect(lines.first?.hasSuffix("\(server.url)/Sample_West.zip") == true)

    let fetched = try run(arguments("fetch", fromServer))
    #expect(fetched.status == 0)
    #expect(
      fetched.output.split(separator: "\n").map { $0.suffix(23) }
        == ["rces/2304/Sample_West.zip", "rces/2304/Sample_East.zip"].map { $0.suffix(23) })
    #expect(fetched.errors.contains("2 sources, "))

    let built = try run(arguments("build", ["--only", "Sample_West", "--jobs", "2"]))
    #expect(built.status == 0)
    #expect(built.output.contains("Sample_West.mbtiles"))
  }

  @Test func aMissingOneIsPartlyDoneAndJSONTellsIt() throws {
    server.hide("/Sample_East.zip")
    let ending = try run(arguments("fetch", fromServer + ["--json"]))
    #expect(ending.status == 5)
    let answer = try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any]
    let sources = try #require(answer?["sources"] as? [[String: Any]])
    #expect(sources.compactMap { $0["state"] as? String } == ["fetched", "missing"])
    #expect(
      (sources.last?["problem"] as? String)?.contains("it is gone: this edition was in force from") == true)
  }

  @Test func aChartOfAnotherEditionIsRefused() throws {
    let ending = try run(arguments("fetch", fromServer + ["--only", "Sample_West"], cycle: "2601"))
    #expect(ending.status == 3)
    #expect(ending.errors.contains("this is the edition of 2023-04-20 to 2023-06-14"))
    #expect(!FileManager.default.fileExists(atPath: own.file("work/sources/2601/Sample_West.zip").path))
  }

  /// Killed in the middle, the next run asks for the rest alone.
  @Test func aKilledFetchGoesOn() throws {
    let size = try Data(contentsOf: served.file("Sample_West.zip")).count
    server.inject(.slow(piece: size / 20, pause: 0.1), at: "/Sample_West.zip")
    let call = arguments("fetch", fromServer + ["--only", "Sample_West"])
    let running = try RunningProgram(Program().url, call, environment: environment)
    while running.isRunning, server.sentBytes("/Sample_West.zip") < size / 2 {
      Thread.sleep(forTimeInterval: 0.005)
    }
    running.send(SIGKILL)
    #expect(try running.wait().wasKilled)
    server.forgetAsked()
    #expect(try run(call).status == 0)
    let asked = server.asked("/Sample_West.zip")
    #expect(asked.map(\.status) == [206])
    #expect(asked.reduce(0) { $0 + $1.sentBytes } < size * 3 / 4)
    #expect(
      try Data(contentsOf: own.file("work/sources/2304/Sample_West.zip"))
        == Data(contentsOf: served.file("Sample_West.zip")))
  }

  @Test func aRunFromAMirrorFetchesFirst() throws {
    let ending = try run(
      arguments("run", fromServer + ["--only", "Sample_West", "--jobs", "2"]))
    #expect(ending.status == 0)
    #expect(FileManager.default.fileExists(atPath: own.file("work/site/catalog.json").path))
    let refused = try run(arguments("build", fromServer))
    #expect(refused.status == 2)
    #expect(refused.errors.contains("--from takes a folder here"))
  }

  /// What was not published on the first day is looked for on the next; what came is not asked for again.
  @Test func aRunGoesOnWithAFetchThatGotNotAll() throws {
    let definition = try String(
      contentsOf: repositoryRoot.appending(path: "pipelines/sample-sectional.json5"), encoding: .utf8
    )
    .replacing("cadence:", with: "url: \"\(server.url)/{name}\",\n  cadence:")
    try Data(definition.utf8).write(to: own.file("sample-sectional.json5"))
    let call = arguments("run", ["--pipelines", own.url.path, "--jobs", "2"])
    server.hide("/Sample_East.zip")
    let first = try run(call)
    #expect(first.status == 5)
    #expect(first.errors.contains(/1 of \d failed: sample-sectional\/Sample_East/))
    server.hide("/Sample_East.zip", false)
    server.forgetAsked()
    #expect(try run(call).status == 0)
    #expect(!server.asked("/Sample_East.zip").isEmpty)
    #expect(server.asked("/Sample_West.zip").allSatisfy { $0.sentBytes == 0 })
    server.forgetAsked()
    #expect(try run(call).status == 0)
    #expect(server.asked("/Sample_East.zip").isEmpty)
  }

  @Test func aServerThatCannotBeReachedIsTold() throws {
    let ending = try run(arguments("fetch", ["--from", "http://127.0.0.1:9"]))
    #expect(ending.status == 1)
    #expect(ending.errors.contains("the server cannot be reached"))
  }
}
