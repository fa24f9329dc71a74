import Foundation
import TestSupport
import Testing

/// Standard files that are full or were closed by the caller: never a crash, and an exit code that says what is true.
@Suite struct StandardFilesTests {
  /// Runs a command of the shell, in which `chartpipe` is the built program.
  private func shell(_ command: String) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "chartpipe() { \"\(try Program().url.path)\" \"$@\"; }; \(command)"]
    process.currentDirectoryURL = repositoryRoot
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitForExit()
    return process.terminationStatus
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: [
      ("chartpipe cycle >/dev/full", 1), ("chartpipe cycle --json >/dev/full", 1),
      ("chartpipe --help >/dev/full", 1), ("chartpipe cycle --jsn 2>/dev/full", 2),
    ])
  func aFullFileIsNoCrash(command: String, status: Int32) throws {
    #expect(try shell(command) == status)
  }

  @Test(arguments: [
    ("chartpipe cycle >&-", 1), ("chartpipe cycle --jsn 2>&-", 2), ("chartpipe cycle <&-", 0),
  ])
  func aClosedFileIsNoCrash(command: String, status: Int32) throws {
    #expect(try shell(command) == status)
  }

  @Test func messagesNeverLandInAFileThatTookTheirNumber() throws {
    let work = try TemporaryFolder()
    let call = "chartpipe build sample-nasr --cycle 2304 --from samples --work"
    #expect(try shell("\(call) \"\(work.file("open").path)\"") == 0)
    #expect(try shell("\(call) \"\(work.file("closed").path)\" <&- 2>&-") == 0)
    for name in ["aviation.sqlite", "aviation.product.json", "aviation.problems.json"] {
      let (open, closed) = ("open/build/2304/sample-nasr/\(name)", "closed/build/2304/sample-nasr/\(name)")
      #expect(try Data(contentsOf: work.file(open)) == Data(contentsOf: work.file(closed)), "\(name)")
    }
  }
}
