import CryptoIO
import Foundation
import TestSupport
import Testing

/// A machine that makes cycles and publishes them with nobody looking: a work folder, a cache and a place to publish to.
struct UnattendedMachine {
  /// For how often a test is to kill a run; nil for what there is time for whenever all tests run. With it the cycle is the
  /// whole sample cycle and not a small one: `CHARTPIPE_KILLS=50 swift test --filter KilledRunTests`.
  static let kills = ProcessInfo.processInfo.environment["CHARTPIPE_KILLS"].flatMap { Int($0) }

  private static let small = [
    "broken/good/Tiny.zip", "nasr/28DaySubscription_Effective_2023-04-20.zip", "obstacles/DOF.CSV",
  ]
  private static let charts = [
    "sectional-files/Sample_West.zip", "sectional-files/Sample_East.zip", "tac-files/Sample_Bay_TAC.zip",
  ]
  private static var pipelines: [String] {
    let tiny = samplesFolder.appending(path: "broken/tiny.json5").path
    return kills == nil
      ? [tiny, "sample-nasr"] : [tiny, "sample-sectional", "sample-terminal", "sample-mosaic", "sample-nasr"]
  }

  private let folder: TemporaryFolder
  private let environment: [String: String]
  let server: FaultyServer
  let target: String

  /// - Parameter target: where it publishes to; nil for a folder of its own.
  init(_ server: FaultyServer, target: String? = nil, environment: [String: String] = [:]) throws {
    (self.server, self.environment) = (server, environment)
    folder = try TemporaryFolder()
    self.target = target ?? folder.file("target").path
  }

  var work: URL { folder.file("work") }
  var targetFolder: URL { folder.file("target") }

  /// The files of the cycle, side by side; each takes a moment to come.
  static func serve(from folder: TemporaryFolder) throws -> FaultyServer {
    for path in small + (kills == nil ? [] : charts) {
      let file = samplesFolder.appending(path: path)
      try FileManager.default.copyItem(at: file, to: folder.file(file.lastPathComponent))
    }
    let server = try FaultyServer(serving: folder.url)
    for name in try files(below: folder.url) {
      let size = try Data(contentsOf: folder.file(name)).count
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

  /// All files that are there, with their hashes, but for what tells the time at which it was made.
  func contents() throws -> [String] {
    try files(below: folder.url).filter { $0 != "target/publishing.json" }.map { path in
      // By the address of the server, which has the port that was free.
      if path.hasPrefix("cache/addresses/") { return "cache/addresses" }
      if path.hasPrefix("work/journal/") || path.hasSuffix("/sources.lock.json") { return path }
      return "\(path) \(try hash(path).text)"
    }
  }

  /// The time of publication is in the catalogue and in the feed, and the catalogue's hash in `latest.json`.
  private func hash(_ path: String) throws -> SHA256Hex {
    let file = folder.file(path)
    guard ["target/catalog.json", "target/feed.xml", "target/latest.json"].contains(path) else {
      return try SHA256Hex(ofFile: file)
    }
    let text = try String(contentsOf: file, encoding: .utf8)
    return try SHA256Hex(
      of: Array(text.replacing(/"published" : "[^"]+"|<updated>[^<]+|"catalog":"[^"]+"/, with: "").utf8))
  }

  /// Whatever lies under its own name is whole: what is named by its hash has it, and what is JSON can be read.
  func expectOnlyWholeFiles() throws {
    for path in try files(below: folder.url) where !path.contains("scratch/") && !path.contains("/.") {
      let file = folder.file(path)
      let name = file.deletingPathExtension().lastPathComponent
      if path.hasSuffix(".json"), SHA256Hex(name) == nil {
        _ = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
      } else if let hash = SHA256Hex(name), !path.hasPrefix("cache/addresses/") {
        let isSignature = path.contains("/signatures/")
        #expect(try isSignature || SHA256Hex(ofFile: file) == hash, "\(path)")
      }
    }
  }

  /// As somebody does who knows that the publisher is dead, and does not want to wait for its lease to lapse.
  func removeLease() {
    try? FileManager.default.removeItem(at: targetFolder.appending(path: "publishing.json"))
  }
}
