#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Folders that may not be written to. Root may write everywhere, so the runs are nobody's.
  @Suite struct ReadOnlyTests {
    /// Whether nobody may be made to run the program, and can reach it.
    static let canBeNobody =
      getuid() == 0 && (try? asNobody(["--version"]).status) == 0

    private static func asNobody(_ arguments: [String]) throws -> Program.Ending {
      let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"]
      return try RunningProgram(
        URL(filePath: "/usr/bin/setpriv"), nobody + [Program().url.path] + arguments
      ).wait()
    }

    /// A folder with others in it, all of them everybody's.
    private func ownFolder(_ names: String...) throws -> TemporaryFolder {
      let own = try TemporaryFolder()
      for name in [""] + names { try open(own.file(name)) }
      return own
    }

    private func open(_ folder: URL, to mode: Int = 0o777) throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
    }

    @Test(
      .enabled(if: canBeNobody),
      arguments: [
        ("work", "preparing the work folder"), ("work/build", "putting in place"),
        ("work/site", "opening the site"), ("work/sources", "Tiny.zip: permission is denied"),
        ("cache", "writing into the cache"), ("target", "publishing.json: permission is denied"),
      ])
    func `a folder that is read-only is named, and the next run makes up for it`(
      folder: String, words: String
    ) throws {
      let own = try ownFolder("served", "work", "cache", "target")
      let zip = samplesFolder.appending(path: "broken/good/Tiny.zip")
      try FileManager.default.copyItem(at: zip, to: own.file("served/Tiny.zip"))
      let server = try FaultyServer(serving: own.file("served"))
      let call = [
        "run", samplesFolder.appending(path: "broken/tiny.json5").path, "--cycle", "2304", "--from",
        server.url,
        "--work", own.file("work").path, "--cache", own.file("cache").path, "--publish",
        own.file("target").path,
      ]
      try open(own.file(folder), to: 0o555)
      let ending = try Self.asNobody(call)
      #expect(ending.status == 1, "\(ending.errors)")
      #expect(ending.errors.contains(words) && ending.errors.contains(own.file(folder).path))
      #expect(ending.errors.contains("permission is denied"), "\(ending.errors)")
      let half = try files(below: own.url).filter { $0.contains("scratch/") || $0.contains("/.") }
      #expect(half.isEmpty, "\(half)")
      try open(own.file(folder))
      let again = try Self.asNobody(call)
      #expect(again.status == 0, "\(again.errors)")
    }
  }
#endif
