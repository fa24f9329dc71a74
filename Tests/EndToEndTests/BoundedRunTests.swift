import Foundation
import TestSupport
import Testing

/// A run that may take only so much of the machine, and that tells what it took.
@Suite struct BoundedRunTests {
  private static let tiny = samplesFolder.appending(path: "broken/tiny.json5").path
  private let folder: TemporaryFolder
  private var work: URL { folder.file("work") }
  private var sources: URL { folder.file("in") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    try take("broken/good/Tiny.zip")
  }

  private func take(_ sample: String) throws {
    let file = samplesFolder.appending(path: sample)
    try FileManager.default.copyItem(at: file, to: sources.appending(path: file.lastPathComponent))
  }

  private func call(
    _ command: String, _ pipelines: [String] = [tiny], into work: URL? = nil, with more: [String] = []
  ) throws -> Program.Ending {
    try Program().run(
      [command] + pipelines + [
        "--cycle", "2304", "--from", sources.path, "--work", (work ?? self.work).path,
      ] + more)
  }

  private func left() throws -> [String] {
    try files(below: work).filter { !$0.hasPrefix("journal/") }
  }

  @Test func aRunThatWouldMakeTheFolderTooLargeIsRefused() throws {
    let refused = try call("run", with: ["--max-disk", "5kB"])
    #expect(refused.status == 1)
    #expect(
      refused.errors.contains("error: making room for cycle 2304: it needs about "), "\(refused.errors)")
    #expect(refused.errors.contains(" and of the 5.0 kB that --max-disk allows, "), "\(refused.errors)")
    #expect(try left().isEmpty)
    #expect(try call("run", with: ["--max-disk", "50MB"]).status == 0)
    // It stands, so it needs no room at all.
    #expect(try call("build", with: ["--max-disk", "5kB"]).status == 0)
  }

  @Test func aRunForWhichThereIsNoMemoryIsRefused() throws {
    let refused = try call("run", with: ["--max-memory", "60MB"])
    #expect(refused.status == 1)
    #expect(
      refused.errors.contains("of memory with one worker, and --max-memory allows 60.0 MB"),
      "\(refused.errors)")
    #expect(try left().isEmpty)
    let narrow = try call("build", with: ["--max-memory", "160MB", "--jobs", "8"])
    #expect(narrow.status == 0)
    #expect(narrow.errors.contains("--max-memory 160.0 MB has room for 2 workers of 8."), "\(narrow.errors)")
    let wide = folder.file("wide")
    #expect(try call("build", into: wide, with: ["--jobs", "8"]).status == 0)
    for path in try files(below: wide.appending(path: "build")) {
      let (a, b) = (wide.appending(path: "build/\(path)"), work.appending(path: "build/\(path)"))
      #expect(try Data(contentsOf: a) == Data(contentsOf: b), "\(path)")
    }
  }

  @Test func theEndTellsWhereTheTimeWent() throws {
    let page = folder.file("page.md")
    let first = try call("run", with: ["--summary", page.path])
    let lines = first.errors.split(separator: "\n").suffix(5).map(String.init)
    try #require(lines.count == 5, "\(first.errors)")
    let head = /Took .* s, with at most .* MB of memory; the work folder holds .* kB\./
    #expect(lines[0].wholeMatch(of: head) != nil)
    #expect(lines[1].hasPrefix("  built  ") && lines[1].hasSuffix(" s  1 made"))
    #expect(lines[2].hasPrefix("       ") && lines[2].hasSuffix(" s  tiny/Tiny"))
    #expect(lines[3].hasPrefix("  validated  ") && lines[4].hasPrefix("  staged  "))
    #expect(try String(contentsOf: page, encoding: .utf8).contains(" s, 1 made |\n|  | "))

    let again = try call("run", with: ["--json", "--publish", folder.file("public").path])
    let timing = try #require(again.errors.split(separator: "\n").last { $0.contains("\"timing\"") })
    let account = try JSONSerialization.jsonObject(with: Data(timing.utf8)) as? [String: Any]
    let phases = try #require(account?["phases"] as? [[String: Any]])
    #expect(phases.map { $0["phase"] as? String } == ["built", "validated", "staged", "published"])
    #expect(account?["standing"] as? Int == 1 && (account?["steps"] as? [Any])?.isEmpty == true)
    let parts = phases.compactMap { $0["seconds"] as? Double }
    #expect(
      parts.allSatisfy { $0 >= 0 } && parts.reduce(0, +) <= (account?["seconds"] as? Double ?? 0) + 0.01)
    #expect(try call("run", with: ["--quiet"]).errors.isEmpty)
  }

  @Test func aPlanTellsWhatARunTakes() throws {
    func cost() throws -> [String: Any] {
      let answer = try JSONSerialization.jsonObject(with: Data(call("plan").output.utf8)) as? [String: Any]
      return try #require(answer?["cost"] as? [String: Any])
    }
    let before = try cost()
    #expect(before["steps"] as? Int == 1 && before["measuredSteps"] as? Int == 0 && before["seconds"] == nil)
    #expect(!FileManager.default.fileExists(atPath: work.path))
    #expect(try call("build").status == 0)
    let after = try cost()
    let built = work.appending(path: "build")
    let bytes = try files(below: built).reduce(0) {
      try $0 + Data(contentsOf: built.appending(path: $1)).count
    }
    #expect(after["measuredSteps"] as? Int == 1 && after["buildBytes"] as? Int == bytes)
    #expect(after["seconds"] as? Double ?? 0 > 0)
  }
}
