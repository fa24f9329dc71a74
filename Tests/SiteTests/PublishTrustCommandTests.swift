import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// `PublishTrustTests` with the program, as a scheduled job runs it.
@Suite(.blocking, .slow) struct PublishTrustCommandTests {
  private let folder: TemporaryFolder
  private let program: Program
  private let sites: [String]
  private var target: URL { folder.file("target") }
  private var key: String { folder.file("key").path }

  init() throws {
    (folder, program) = (TemporaryFolder(), try Program())
    let cycle = AiracCycle(at: Instant(secondsSince1970: Int(Date().timeIntervalSince1970))).identifier
    sites = try ["first", "second"].map { [folder] name in
      try PaperSite(at: folder.file(name), [cycle: ["a": name]]).root.path
    }
    #expect(try call(["keygen", key]).status == 0)
    for site in sites { #expect(try call(["publish", site, target.path, "--key", key]).status == 0) }
  }

  private func call(_ arguments: [String]) throws -> Program.Ending { try program.run(arguments) }

  private func expect(_ status: Int32, _ problem: String, _ calls: [[String]]) throws {
    let before = try fileContents(below: target)
    for arguments in calls { try call(arguments).expect(status, problem) }
    #expect(try fileContents(below: target) == before)
  }

  @Test func `no command signs a changed catalogue`() throws {
    let file = target.appending(path: "catalog.json")
    let text = try file.text.replacing("\"serial\":3", with: "\"serial\":4")
    try file.put(text)
    let publish = ["publish", sites[0], target.path, "--key", key]
    let run = [
      "run", Samples.tiny, "--cycle", "2304", "--from", samplesFolder.appending(path: "broken/good").path,
      "--work",
      folder.file("work").path, "--publish", target.path, "--key", key,
    ]
    let rollback = ["rollback", target.path, "--key", key]
    try expect(
      4, "its catalogue is not verified",
      [
        publish, publish + ["--replace"], publish + ["--dry-run"], publish + ["--adopt-unsigned"], rollback,
        run,
      ])
    #expect(folder.file("work/build").kindOnDisk == nil)  // the run noticed it before it built anything
    for path in try files(below: target) where path.hasSuffix(".minisig") {
      try target.appending(path: path).remove()
    }
    try expect(4, "--adopt-unsigned once", [publish, rollback, run])
    let adopted = try call(publish + ["--adopt-unsigned"]).expect(0)
    #expect(adopted.output.contains("adopted without a signature"), "\(adopted.errors)")
  }

  @Test func `a new key needs the old public key`() throws {
    let other = folder.file("other").path
    #expect(try call(["keygen", other]).status == 0)
    let publish = ["publish", sites[0], target.path]
    try expect(4, "--new-key OLD.pub", [publish + ["--key", other]])
    try expect(4, "it is of key", [publish + ["--key", other, "--new-key", "\(other).pub"]])
    try expect(2, "require --key", [publish + ["--new-key", "\(key).pub"], publish + ["--adopt-unsigned"]])
    try call(publish + ["--key", other, "--new-key", "\(key).pub"]).expect(0)
    #expect(try call(["rollback", target.path, "--key", other, "--new-key", "\(key).pub"]).status == 0)
    try expect(4, "--new-key OLD.pub", [publish + ["--key", key]])
  }

  @Test func `a key file that others can read is reported`() throws {
    let publish = ["publish", sites[1], target.path, "--key", key]
    #expect(try !call(publish).errors.contains("chmod"))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: key)
    try call(publish).expect(0, "other users of this machine can use \(key)")
  }
}
