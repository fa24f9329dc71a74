import Core
import Foundation
import SyntheticSheet
import TestSupport
import Testing

/// `packaging/run-due`, as a job runs it every day.
@Suite struct RunDueTests {
  private let own: TemporaryFolder
  private let server: FaultyServer

  /// A server with a chart of the editions that are in force now and next.
  init() throws {
    own = try TemporaryFolder()
    let served = own.file("served")
    let now = AiracCycle(at: Instant(secondsSince1970: Int(Date().timeIntervalSince1970)))
    for cycle in [now, now.advanced(by: 1)] {
      let folder = served.appending(path: cycle.issue(.every56Days).effectiveDay.description)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let sheet = try SheetFiles(SampleSet(samples: samplesFolder, cycle: cycle).tiny, scratch: own.url)
      try sheet.writeZip(to: folder.appending(path: "Tiny.zip"))
    }
    server = try FaultyServer(serving: served)
    let tiny = samplesFolder.appending(path: "broken/tiny.json5")
    let definition = try String(contentsOf: tiny, encoding: .utf8)
      .replacing("cadence:", with: "url: \"\(server.url)/{date}/{name}\", cadence:")
    try Data(definition.utf8).write(to: own.file("tiny.json5"))
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

  @Test func `what is due is made and published, and then it is silent`() throws {
    let first = try runDue()
    #expect(first.status == 0, "\(first.errors)")
    let published = try Data(contentsOf: catalogue)
    server.forgetAsked()
    let second = try runDue()
    #expect(second.status == 0 && second.output.isEmpty && second.errors.isEmpty, "\(second)")
    #expect(server.asked.isEmpty)
    #expect(try Data(contentsOf: catalogue) == published)
    let verified = try Program().run(["verify", own.file("target").path])
    #expect(!verified.output.contains("error"), "\(verified.output)")
  }

  @Test func `what the server does not have is told, and the next day makes up for it`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: own.file("served").path)
    for folder in folders { server.hide("/\(folder)/Tiny.zip") }
    let ending = try runDue()
    #expect(ending.status == 3, "\(ending)")
    #expect(ending.errors.contains("the server does not have it, although this edition is in force"))
    #expect(catalogue.isAbsent)
    for folder in folders { server.hide("/\(folder)/Tiny.zip", false) }
    #expect(try runDue().status == 0)
    #expect(!catalogue.isAbsent)
  }

  @Test func `a look that fails is told`() throws {
    try FileManager.default.createDirectory(at: own.file("target"), withIntermediateDirectories: true)
    try Data("{".utf8).write(to: catalogue)
    let ending = try runDue()
    #expect(ending.status == 3 && ending.errors.contains("it is no catalogue that"), "\(ending)")
    #expect(try runDue(pipelines: "nowhere", target: own.file("other").path).status == 2)
    #expect(try runDue(pipelines: "").errors.contains("names of pipelines, such as vfr-sectional nasr"))
    #expect(try runDue(target: "").status != 0)
  }

  /// One cycle that goes well does not hide that another did not.
  @Test(arguments: [("4", "0", 4), ("0", "5", 5), ("3", "5", 5), ("0", "0", 0)])
  func `every cycle that is due has its turn, and the worst code counts`(
    first: String, second: String, worst: Int32
  ) throws {
    let stub = own.file("chartpipe")
    let log = own.file("log").path
    try Data(
      """
      #!/bin/sh
      echo "$*" >>'\(log)'
      case "$*" in
        due*) echo 2611; echo 2612 ;;
        *2611*) exit \(first) ;;
        *) exit \(second) ;;
      esac
      """.utf8
    ).write(to: stub)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: stub.path)
    let ending = try runDue(pipelines: "vfr nasr", target: "s3://charts/vfr", programs: [own.url])
    #expect(ending.status == worst)
    let options = "--work \(own.file("work").path) --cache \(own.file("cache").path)"
    #expect(
      try String(contentsOf: own.file("log"), encoding: .utf8).split(separator: "\n") == [
        "due vfr nasr --site s3://charts/vfr --cycles",
        "run vfr nasr --cycle 2611 --publish s3://charts/vfr \(options)",
        "run vfr nasr --cycle 2612 --publish s3://charts/vfr \(options)",
      ])
  }
}

extension URL {
  fileprivate var isAbsent: Bool { !FileManager.default.fileExists(atPath: path) }
}
