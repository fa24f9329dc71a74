import Core
import CryptoIO
import Foundation
import SyntheticSheet
import TestSupport
import Testing

/// A daily run from the FAA's server to a store.
@Suite(.slow, .blocking) struct UnattendedRunTests {
  private let served = TemporaryFolder()
  private let server: TestServer

  init() throws { server = try UnattendedMachine.serve(from: served) }

  @Test(.enabled(if: LoopbackS3.canRun, Comment(rawValue: LoopbackS3.whyNot)))
  func `publishes a cycle from a server to a store, and sends nothing the second time`() async throws {
    let store = try await LoopbackS3.strict()
    let bucket = try store.newBucket()
    let machine = try UnattendedMachine(server, target: "s3://\(bucket)/vfr", environment: store.environment)
    try machine.run().expect(0)
    try expectWhole(machine)
    let (before, seen) = (try machine.contents(), store.requests(of: bucket).count)
    server.clearLog()
    try machine.run().expect(0, "publish: up to date")
    let asked = store.requests(of: bucket).dropFirst(seen)
    #expect(!asked.isEmpty && asked.allSatisfy { ["GET", "HEAD"].contains($0.method) }, "\(asked)")
    #expect(server.requests.filter { $0.path != "/" }.allSatisfy { $0.sentBytes == 0 }, "\(server.requests)")
    #expect(try machine.contents() == before)
    try expectWhole(machine)
  }

  @Test func `reports an unreadable target before it fetches`() throws {
    let machine = try UnattendedMachine(server)
    try machine.targetFolder.makeFolder()
    try machine.targetFolder.appending(path: "catalog.json").put("{")
    try machine.run().expect(3, "reading the catalogue of \(machine.target)")
    #expect(server.requests.isEmpty)
    #expect(try files(below: machine.work).isEmpty)
  }

  /// The sample cycle has expired, so its only error is `site-currency`.
  private func expectWhole(_ machine: UnattendedMachine) throws {
    let ending = try machine.run("verify", machine.target).expect(4)
    let findings = ending.output.split(separator: "\n").filter { $0.contains("  site-") }
    #expect(!findings.isEmpty && findings.allSatisfy { $0.contains("site-currency") }, "\(ending.output)")
  }
}

/// Runs from the server to the published site that are killed at any time and started again.
@Suite(.slow, .blocking) struct KilledRunTests {
  private let served = TemporaryFolder()
  private let server: TestServer

  init() throws { server = try UnattendedMachine.serve(from: served) }

  @Test func `a run that is killed at any time ends with the same files and no others`() throws {
    let undisturbed = try UnattendedMachine(server)
    let start = ContinuousClock.now
    try undisturbed.run().expect(0)
    let longest = (ContinuousClock.now - start) / .seconds(1)
    let reference = try undisturbed.contents()
    #expect(reference.contains { $0.hasPrefix("target/catalog.json ") })

    var (kills, wanted) = (0, UnattendedMachine.kills ?? 5)
    var instants: [String: Int] = [:]
    while wanted > 0 {
      let machine = try UnattendedMachine(server)
      var last: Program.Ending
      repeat {
        last = try killed(machine, after: wanted > 0 ? Double.random(in: 0.01...longest) : nil)
        kills += last.wasKilled ? 1 : 0
        wanted -= 1
        instants[last.wasKilled ? Self.instant(last) : "the end", default: 0] += 1
        try machine.expectOnlyWholeFiles()
      } while last.wasKilled
      #expect(last.status == 0, "\(last.errors)")
      let differs = try Set(machine.contents()).symmetricDifference(reference)
      #expect(differs.isEmpty, "\(differs.sorted())")
    }
    #expect(kills >= 1, "each run was over before it was killed")
    if UnattendedMachine.kills != nil { print("\(kills) kills: \(instants.sorted { $0.key < $1.key })") }
  }

  private func killed(_ machine: UnattendedMachine, after seconds: Double?) throws -> Program.Ending {
    let running = try machine.start()
    if let seconds {
      Thread.sleep(forTimeInterval: seconds)
      running.send(SIGKILL)
    }
    return try running.wait()
  }

  /// The step of the last message.
  private static func instant(_ ending: Program.Ending) -> String {
    ending.errors.split(separator: "\n").last.map { String($0.prefix { $0 != ":" }) } ?? "the start"
  }
}

/// `packaging/run-due`, as a job runs it every day.
@Suite(.slow, .blocking) struct RunDueTests {
  private let own = TemporaryFolder()
  private let server: TestServer

  /// A server with a chart of the current and the next edition.
  init() throws {
    let served = own.file("served")
    let now = AiracCycle(at: Instant(secondsSince1970: Int(Date().timeIntervalSince1970)))
    for cycle in [now, now.advanced(by: 1)] {
      let folder = served.appending(path: cycle.edition(.every56Days).effectiveDay.description)
      try folder.makeFolder()
      let sheet = try SheetFiles(SampleSet(samples: samplesFolder, cycle: cycle).tiny, scratch: own.url)
      try sheet.writeZip(to: folder.appending(path: "Tiny.zip"))
    }
    server = try TestServer(serving: served)
    let definition = try String(contentsOfFile: Samples.tiny, encoding: .utf8)
      .replacing("cadence:", with: "url: \"\(server.url)/{date}/{name}\", cadence:")
    try own.file("tiny.json5").put(definition)
  }

  private func runDue(
    pipelines: String? = nil, target: String? = nil, programs: [URL]? = nil
  ) throws -> Program.Ending {
    let programs = try programs ?? [Program().url.deletingLastPathComponent()]
    let path = (programs.map(\.path) + ["/usr/local/bin", "/usr/bin", "/bin"]).joined(separator: ":")
    return try RunningProgram(
      repositoryRoot.appending(path: "packaging/run-due"),
      ["--work", own.file("work").path, "--cache", own.file("cache").path],
      environment: [
        "PATH": path, "CHARTPIPE_PIPELINES": pipelines ?? own.file("tiny.json5").path,
        "CHARTPIPE_TARGET": target ?? own.file("target").path, "GITHUB_ACTIONS": "",
        "GITHUB_STEP_SUMMARY": "",
      ]
    ).wait()
  }

  private var catalogue: URL { own.file("target/catalog.json") }

  @Test func `publishes the due cycles, then does nothing`() throws {
    try runDue().expect(0)
    let published = try catalogue.data
    server.clearLog()
    let second = try runDue()
    #expect(second.status == 0 && second.output.isEmpty && second.errors.isEmpty, "\(second)")
    #expect(server.requests.isEmpty)
    #expect(try catalogue.data == published)
    let verified = try Program().run("verify \(own.file("target").path)")
    #expect(!verified.output.contains("error"), "\(verified.output)")
  }

  @Test func `reports a missing source, and a later run publishes it`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: own.file("served").path)
    for folder in folders { server.hide("/\(folder)/Tiny.zip") }
    try runDue().expect(3, "the server does not have it, although this edition is in force")
    #expect(!catalogue.exists)
    for folder in folders { server.hide("/\(folder)/Tiny.zip", false) }
    try runDue().expect(0)
    #expect(catalogue.exists)
  }

  @Test func `reports a failed check for due cycles`() throws {
    try own.file("target").makeFolder()
    try catalogue.put("{")
    try runDue().expect(3, "it is not a catalogue that")
    try runDue(pipelines: "nowhere", target: own.file("other").path).expect(2)
    #expect(try runDue(pipelines: "").errors.contains("names of pipelines, such as vfr-sectional nasr"))
    #expect(try runDue(target: "").status != 0)
  }

  /// A successful or partly published cycle does not hide the failure of another. Ctrl-C ends all.
  @Test(arguments: [
    ("4", "0", 4), ("0", "5", 5), ("3", "5", 3), ("5", "1", 1), ("0", "0", 0), ("130", "0", 130),
  ])
  func `runs every due cycle and exits with the worst code`(
    first: String, second: String, worst: Int32
  ) throws {
    let stub = own.file("chartpipe")
    let log = own.file("log").path
    try stub.put(
      """
      #!/bin/sh
      echo "$*" >>'\(log)'
      case "$*" in
        due*) echo 2611; echo 2612 ;;
        *'--cycle 2611'*) exit \(first) ;;
        *) exit \(second) ;;
      esac
      """)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: stub.path)
    let ending = try runDue(pipelines: "vfr;nasr", target: "s3://charts/vfr", programs: [own.url])
    #expect(ending.status == worst)
    let options = "--work \(own.file("work").path) --cache \(own.file("cache").path)"
    let runs = (first == "130" ? ["2611"] : ["2611", "2612"]).map {
      "run vfr nasr --cycle \($0) --publish s3://charts/vfr \(options)"
    }
    #expect(
      try own.file("log").text.split(separator: "\n").map(String.init)
        == ["due vfr nasr --site s3://charts/vfr --cycles"] + runs)
  }
}

/// A machine that builds and publishes cycles without supervision: a work folder, a cache and a target.
struct UnattendedMachine {
  /// How often a test kills a run, for a long test with the whole sample cycle:
  /// `CHARTPIPE_KILLS=50 swift test --filter KilledRunTests`. Nil in an ordinary test run, with a small cycle.
  static let kills = ProcessInfo.processInfo.environment["CHARTPIPE_KILLS"].flatMap { Int($0) }

  private static let charts = [
    "sectional-files/Sample_West.zip", "sectional-files/Sample_East.zip", "tac-files/Sample_Bay_TAC.zip",
  ]
  private static var pipelines: [String] {
    kills == nil
      ? [Samples.tiny, "sample-nasr"]
      : [Samples.tiny, "sample-sectional", "sample-terminal", "sample-mosaic", "sample-nasr"]
  }

  private let folder = TemporaryFolder()
  private let environment: [String: String]
  let server: TestServer
  let target: String

  /// - Parameter target: Where it publishes to; nil for a folder of the machine.
  init(_ server: TestServer, target: String? = nil, environment: [String: String] = [:]) throws {
    (self.server, self.environment) = (server, environment)
    self.target = target ?? folder.file("target").path
  }

  var work: URL { folder.file("work") }
  var targetFolder: URL { folder.file("target") }

  /// The files of the cycle in one folder; each download takes a moment.
  static func serve(from folder: TemporaryFolder) throws -> TestServer {
    try folder.add(Samples.smallCycle + (kills == nil ? [] : charts))
    let server = try TestServer(serving: folder.url)
    for name in try files(below: folder.url) {
      let size = try folder.file(name).data.count
      server.always(.slow(piece: size / 8 + 1, pause: 0.02), at: "/\(name)")
    }
    return server
  }

  func start() throws -> RunningProgram {
    let call = [
      "run", "--cycle", "2304", "--from", server.url, "--work", work.path, "--cache",
      folder.file("cache").path, "--publish", target, "--jobs", "2",
    ]
    return try RunningProgram(Program().url, call + Self.pipelines, environment: environment)
  }

  func run(_ command: String...) throws -> Program.Ending {
    if command.isEmpty { return try start().wait() }
    return try Program().run(command, environment: environment)
  }

  /// All files with their hashes, without times of publication.
  func contents() throws -> [String] {
    try files(below: folder.url).map { path in
      // The name depends on the server's port.
      if path.hasPrefix("cache/addresses/") { return "cache/addresses" }
      // Results in the journal name the times of files.
      if path.hasPrefix("work/journal/") { return "work/journal" }
      // It names the folder of the target.
      if path == "work/site/.published.json" { return path }
      if path.hasSuffix("/sources.lock.json") { return path }
      // The list of pages has the hash of the feed, which contains the time of publication.
      if path.hasPrefix("target/blobs/"), try isPageList(path) { return "target/blobs/pages" }
      return "\(path) \(try hash(path).text)"
    }
  }

  private func isPageList(_ path: String) throws -> Bool {
    let start = Data(#"{"files":[{"bytes":"#.utf8)
    return try folder.file(path).data.starts(with: start)
  }

  /// The catalogue and the feed contain the time of publication, and `latest.json` the catalogue's hash.
  private func hash(_ path: String) throws -> SHA256Hex {
    let file = folder.file(path)
    guard ["target/catalog.json", "target/feed.xml", "target/latest.json"].contains(path) else {
      return try SHA256Hex(ofFile: file)
    }
    let text = try file.text
    return try SHA256Hex(
      of: Array(
        text.replacing(/"(published|issued|catalog)":"[^"]+"|<updated>[^<]+|"pages":{[^}]+}/, with: "").utf8))
  }

  /// Files named by their hash have that hash, and JSON can be parsed. Results in the journal are named by the hash of their inputs.
  func expectOnlyWholeFiles() throws {
    for path in try files(below: folder.url) where !path.contains("scratch/") && !path.contains("/.") {
      let file = folder.file(path)
      let name = file.deletingPathExtension().lastPathComponent
      if path.hasSuffix(".json"), SHA256Hex(name) == nil {
        _ = try JSONSerialization.jsonObject(with: file.data)
      } else if let hash = SHA256Hex(name), !path.hasPrefix("cache/addresses/"),
        !path.hasPrefix("work/journal/")
      {
        let isSignature = path.contains("/signatures/")
        #expect(try isSignature || SHA256Hex(ofFile: file) == hash, "\(path)")
      }
    }
  }
}
