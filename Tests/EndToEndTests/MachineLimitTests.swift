import Foundation
import TestSupport
import Testing

/// Limits of memory and disk, and the report of what a run used.
@Suite(.blocking) struct BoundedRunTests {
  private let folder = TemporaryFolder()
  private var work: URL { folder.file("work") }
  private var sources: URL { folder.file("in") }

  init() throws { try folder.add(Samples.tinySource, to: "in") }

  private func call(
    _ command: String, _ pipelines: [String] = [Samples.tiny], into work: URL? = nil, with more: [String] = []
  ) throws -> Program.Ending {
    try Program().run(
      [command] + pipelines + [
        "--cycle", "2304", "--from", sources.path, "--work", (work ?? self.work).path,
      ] + more)
  }

  private func left() throws -> [String] { try files(below: work).filter { !$0.hasPrefix("journal/") } }

  @Test func `refuses a run that would exceed --max-disk`() throws {
    try call("run", with: ["--max-disk", "5kB"]).expect(
      1, "error: making room for cycle 2304: it needs about ", " and of the 5.0 kB that --max-disk allows, ")
    #expect(try left().isEmpty)
    try call("run", with: ["--max-disk", "50MB"]).expect(0)
    // Everything is up to date, so the run needs no space.
    try call("build", with: ["--max-disk", "5kB"]).expect(0)
  }

  @Test func `a run reports how long each phase took`() throws {
    let page = folder.file("page.md")
    let first = try call("run", with: ["--summary", page.path])
    let lines = first.errors.split(separator: "\n").suffix(5).map(String.init)
    try #require(lines.count == 5, "\(first.errors)")
    let head = /Took .* s, with at most .* MB of memory; the work folder holds .* kB\./
    #expect(lines[0].wholeMatch(of: head) != nil)
    #expect(lines[1].hasPrefix("  built  ") && lines[1].hasSuffix(" s  1 done"))
    #expect(lines[2].hasPrefix("       ") && lines[2].hasSuffix(" s  tiny/Tiny"))
    #expect(lines[3].hasPrefix("  validated  ") && lines[4].hasPrefix("  staged  "))
    #expect(try page.text.contains(" s, 1 done |\n|  | "))

    let again = try call("run", with: ["--json", "--publish", folder.file("public").path])
    let answer = try JSONSerialization.jsonObject(with: Data(again.output.utf8)) as? [String: Any]
    #expect(answer?["cycle"] as? String == "2304" && (answer?["failed"] as? [Any])?.isEmpty == true)
    #expect(answer?["products"] as? Int == 1)
    #expect((answer?["published"] as? [String: Any])?["changed"] as? Bool == true)
    let timing = try #require(again.errors.split(separator: "\n").last { $0.contains("\"timing\"") })
    let account = try JSONSerialization.jsonObject(with: Data(timing.utf8)) as? [String: Any]
    let phases = try #require(account?["phases"] as? [[String: Any]])
    #expect(phases.map { $0["phase"] as? String } == ["built", "validated", "staged", "published"])
    #expect(account?["upToDate"] as? Int == 1 && (account?["steps"] as? [Any])?.isEmpty == true)
    let parts = phases.compactMap { $0["seconds"] as? Double }
    #expect(
      parts.allSatisfy { $0 >= 0 } && parts.reduce(0, +) <= (account?["seconds"] as? Double ?? 0) + 0.01)
    #expect(try call("run", with: ["--quiet"]).errors.isEmpty)
  }

  @Test func `a run that builds nothing prints what failed as JSON`() throws {
    for file in try FileManager.default.contentsOfDirectory(atPath: sources.path) {
      try sources.appending(path: file).put("no zip")
    }
    let ending = try call("run", with: ["--json"])
    let answer = try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any]
    let failed = answer?["failed"] as? [[String: String]]
    #expect(
      ending.status != 0 && failed?.map { $0["step"] } == ["tiny/Tiny"]
        && failed?[0]["message"]?.isEmpty == false)
  }
}

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// A small tmpfs is the disk that becomes full. Only root may mount one.
  @Suite(.slow, .blocking) struct FullDiskTests {
    static let mayMount = getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/mount")

    @Test(.enabled(if: mayMount)) func `a disk that fills during the build leaves no partial files`() throws {
      try onDisk(kilobytes: 500) { disk, ending in
        #expect(ending.status == 1, "\(ending.errors)")
        #expect(ending.errors.contains("disk is full"), "\(ending.errors)")
        let left = try files(below: disk).filter { !$0.contains("journal/") }
        #expect(left.isEmpty, "\(left)")
      }
    }

    /// The need is estimated from the sources before the first step.
    @Test(.enabled(if: mayMount)) func `refuses a run for which the disk is too small`() throws {
      try onDisk(kilobytes: 60) { disk, ending in
        #expect(ending.status == 1, "\(ending.errors)")
        #expect(ending.errors.contains("making room for cycle 2304: it needs about"), "\(ending.errors)")
        let left = try files(below: disk)
        #expect(left.isEmpty, "\(left)")
      }
    }

    /// There is room for the databases, which the site shares, but not for their compressed copies.
    @Test(.enabled(if: mayMount)) func `a disk that fills during staging leaves no catalogue`() throws {
      try onDisk(kilobytes: 2400) { disk, ending in
        #expect(ending.status == 1, "\(ending.errors)")
        #expect(ending.errors.contains("disk is full"), "\(ending.errors)")
        let left = try files(below: disk)
        #expect(left.contains("work/build/2304/sample-nasr/aviation.sqlite"))
        #expect(!left.contains { $0.contains("scratch/") || $0.contains("catalog") }, "\(left)")
      }
    }

    @Test(.enabled(if: mayMount)) func `a full target keeps no partial files`() async throws {
      let site = try await Samples.cycle().file("site")
      try withDisk(kilobytes: 600) { disk in
        let target = disk.appending(path: "target")
        try Program().run("publish \(site.path) \(target.path)").expect(1, "the disk is full")
        let left = try files(below: target)
        #expect(!left.contains { $0.contains(".publishing-") || $0 == "catalog.json" }, "\(left)")
      }
    }

    @Test(.enabled(if: mayMount)) func `refuses a mirror for which the disk is too small`() async throws {
      let site = try await Samples.cycle().file("site")
      try withDisk(kilobytes: 600) { disk in
        let mirror = disk.appending(path: "mirror")
        try Program().run("mirror \(site.path) \(mirror.path)").expect(1, "the disk has room for")
        #expect(try files(below: mirror).isEmpty)
      }
    }

    @Test(.enabled(if: mayMount), arguments: ["mbtiles", "pmtiles"])
    func `a disk that fills while an image is tiled keeps no partial file`(kind: String) throws {
      let folder = TemporaryFolder()
      try RasterRunTests.write(to: folder.file("hills.tif"))
      try withDisk(kilobytes: 200) { disk in
        let ending = try Program().run([
          "tile", folder.file("hills.tif").path, "-o", disk.appending(path: "map.\(kind)").path, "--format",
          "png32",
        ]).expect(1, "map.\(kind): the disk is full")
        #expect(!ending.errors.contains("--work"), "\(ending.errors)")
        #expect(try files(below: disk).isEmpty)
      }
    }

    /// Builds the sample database on a separate disk.
    private func onDisk(kilobytes: Int, _ look: (URL, Program.Ending) throws -> Void) throws {
      try withDisk(kilobytes: kilobytes) { disk in
        let ending = try Program().run([
          "run", "sample-nasr", "--cycle", "2304", "--from", samplesFolder.path, "--work",
          disk.appending(path: "work").path,
        ])
        try look(disk, ending)
      }
    }

    private func withDisk(kilobytes: Int, _ body: (URL) throws -> Void) throws {
      let folder = TemporaryFolder()
      let disk = folder.file("disk")
      try disk.makeFolder()
      guard
        try system("/usr/bin/mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", disk.path]) == 0
      else {
        return  // a container may forbid it even to root
      }
      defer { _ = try? system("/usr/bin/umount", [disk.path]) }
      try body(disk)
    }

    private func system(_ program: String, _ arguments: [String]) throws -> Int32 {
      try RunningProgram(URL(filePath: program), arguments).wait().status
    }
  }
#endif

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Folders without write permission. Root may write everywhere, so the program runs as the user `nobody`.
  @Suite(.slow, .blocking) struct ReadOnlyTests {
    /// Whether the user `nobody` can run the program.
    static let canBeNobody = getuid() == 0 && (try? asNobody(["--version"]).status) == 0

    private static func asNobody(_ arguments: [String]) throws -> Program.Ending {
      let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"]
      return try RunningProgram(
        URL(filePath: "/usr/bin/setpriv"), nobody + [Program().url.path] + arguments
      ).wait()
    }

    /// A folder with subfolders that every user may write to.
    private func ownFolder(_ names: String...) throws -> TemporaryFolder {
      let own = TemporaryFolder()
      for name in [""] + names { try open(own.file(name)) }
      return own
    }

    private func open(_ folder: URL, to mode: Int = 0o777) throws {
      try folder.makeFolder()
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
    }

    @Test(
      .enabled(if: canBeNobody),
      arguments: [
        ("work", "preparing the work folder"), ("work/build", "putting in place"),
        ("work/site", "opening the site"), ("work/sources", "Tiny.zip: permission is denied"),
        ("cache", "writing into the cache"), ("target", "permission is denied"),
      ])
    func `a run names a read-only folder, and the next run succeeds`(folder: String, words: String) throws {
      let own = try ownFolder("served", "work", "cache", "target")
      try own.add(Samples.tinySource, to: "served")
      let server = try TestServer(serving: own.file("served"))
      let call = [
        "run", Samples.tiny, "--cycle", "2304", "--from", server.url, "--work", own.file("work").path,
        "--cache", own.file("cache").path, "--publish", own.file("target").path,
      ]
      try open(own.file(folder), to: 0o555)
      let ending = try Self.asNobody(call).expect(1)
      #expect(ending.errors.contains(words) && ending.errors.contains(own.file(folder).path))
      #expect(ending.errors.contains("permission is denied"), "\(ending.errors)")
      let half = try files(below: own.url).filter { $0.contains("scratch/") || $0.contains("/.") }
      #expect(half.isEmpty, "\(half)")
      try open(own.file(folder))
      try Self.asNobody(call).expect(0)
    }
  }
#endif
