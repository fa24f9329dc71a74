import Core
import Fetch
import Foundation
import TestSupport
import Testing

@testable import Aero

/// The database held against the FAA's files by a program that shares nothing with this one.
struct IndependentCheckTests {
  private static let scripts = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "Independent")
  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
    .first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  /// `2304:/somewhere/20_Apr_2023_CSV.zip`, to compare a whole cycle too.
  private static let wholeCycle = ProcessInfo.processInfo.environment["CHARTPIPE_NASR"]

  @Test(.enabled(if: python != nil), arguments: ["2304", "2602"])
  func `field by field, nothing differs from the fixtures`(cycle: String) throws {
    let folder = try TemporaryFolder()
    let subscription = try Subscription(cycle)
    let source = try subscription.whole(in: folder)
    let built = try subscription.build(source, in: folder)
    try compare(built.file, source.url)
  }

  @Test(.enabled(if: python != nil && wholeCycle != nil)) func `nor from a whole cycle`() throws {
    let parts = try #require(IndependentCheckTests.wholeCycle).split(separator: ":", maxSplits: 1)
    let folder = try TemporaryFolder()
    let source = try SourceFolder.file(URL(filePath: String(try #require(parts.last))))
    let built = try Subscription(String(parts[0])).build(source, in: folder)
    try compare(built.file, source.url)
  }

  @Test(.enabled(if: python != nil)) func `the nearest airports are those of an exhaustive search`() throws {
    let folder = try TemporaryFolder()
    try run("check_nearest.py", [try Subscription("2304").build(in: folder).file.path])
  }

  private func compare(_ database: URL, _ source: URL) throws {
    try run("compare_airports.py", [database.path, source.path])
  }

  private func run(_ script: String, _ arguments: [String]) throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: try #require(IndependentCheckTests.python))
    process.arguments = [IndependentCheckTests.scripts.appending(path: script).path] + arguments
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let told = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitForExit()
    #expect(process.terminationStatus == 0, "\(told)")
  }
}
