internal import Core
internal import CryptoIO
public import Foundation
internal import Synchronization
internal import Testing

/// The samples of the repository, and work folders that are built from them once for all tests of a process.
public enum Samples {
  /// A definition of one chart of 100 kB, for tests in which the chart does not matter, and its source.
  public static let tiny = samplesFolder.appending(path: "broken/tiny.json5").path
  public static let tinySource = "broken/good/Tiny.zip"

  /// The sources of `tiny` and of `sample-nasr`.
  public static let smallCycle = [
    tinySource, "nasr/28DaySubscription_Effective_2023-04-20.zip", "obstacles/DOF.CSV",
    "terrain/Sample_Terrain.tif",
  ]

  /// A work folder after a run of the sectionals, the terminal chart, the databases and the obstacles. A test that changes it
  /// makes a copy.
  public static func cycle() async throws -> TemporaryFolder { try await cycleRun.value }

  /// A work folder after a run of the two sectionals with seams, their mosaic and the databases.
  public static func mosaic() async throws -> TemporaryFolder { try await mosaicRun.value }

  /// The sources of a small cycle, and a work folder after a run of `tiny` and `sample-nasr`. A test that changes them makes copies.
  public static func small() async throws -> (sources: TemporaryFolder, work: TemporaryFolder) {
    try await smallRun.value
  }

  /// The build folders of both runs as one folder, without the archives from which edge tiles are completed. Blocks the thread,
  /// for tests that are not asynchronous.
  public static func copyBuilds(to folder: URL) throws {
    try folder.makeFolder()
    for build in try [cycleRun, mosaicRun].map({ try $0.wait().file("build/2304") }) {
      for name in try FileManager.default.contentsOfDirectory(atPath: build.path) {
        let copy = folder.appending(path: name)
        guard !copy.exists else { continue }
        try FileManager.default.copyItem(at: build.appending(path: name), to: copy)
        try? copy.appending(path: "cut").remove()
      }
    }
  }

  private static let cycleRun = run("sample-sectional", "sample-terminal", "sample-nasr", "sample-obstacles")
  private static let mosaicRun = run("sample-mosaic", "sample-nasr")
  private static let smallRun = shared {
    let sources = TemporaryFolder()
    try sources.add(smallCycle)
    return (sources: sources, work: try run([tiny, "sample-nasr"], from: sources.url.path))
  }

  private static func run(_ pipelines: String...) -> Task<TemporaryFolder, any Error> {
    shared { try run(pipelines, from: "samples") }
  }

  private static func run(_ pipelines: [String], from sources: String) throws -> TemporaryFolder {
    let work = TemporaryFolder()
    let ending = try Program().run(
      ["run"] + pipelines + ["--cycle", "2304", "--from", sources, "--work", work.url.path, "--jobs", "2"])
    try #require(ending.status == 0, "\(ending.errors)")
    return work
  }

  /// A value that several tests need, made once by a thread that may wait, without a turn in the queue of the tests.
  public static func shared<Value: Sendable>(
    _ make: @escaping @Sendable () async throws -> Value
  ) -> Task<Value, any Error> { Task(executorPreference: BlockingThreads.forValues) { try await make() } }
}

extension Task where Failure == any Error {
  fileprivate func wait() throws -> Success {
    let ended = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Success, any Error>>(.failure(POSIXError(.EAGAIN)))
    Task<Void, Never>(executorPreference: BlockingThreads.forValues) {
      let value = await self.result
      result.withLock { $0 = value }
      ended.signal()
    }
    ended.wait()
    return try result.withLock { $0 }.get()
  }
}

extension TemporaryFolder {
  /// A copy that a test may change.
  public func copy() throws -> TemporaryFolder {
    let copy = TemporaryFolder()
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
      try FileManager.default.copyItem(at: file(name), to: copy.file(name))
    }
    return copy
  }

  /// Copies samples into this folder or a folder in it.
  public func add(_ samples: String..., to folder: String = "") throws { try add(samples, to: folder) }

  public func add(_ samples: [String], to folder: String = "") throws {
    let target = file(folder)
    try target.makeFolder()
    for path in samples {
      let sample = samplesFolder.appending(path: path)
      try FileManager.default.copyItem(at: sample, to: target.appending(path: sample.lastPathComponent))
    }
  }
}

/// The path and the SHA-256 of each file below a folder.
public func fingerprint(_ folder: URL) throws -> [String] {
  try files(below: folder).map { "\($0) \(try SHA256Hex(ofFile: folder.appending(path: $0)).text)" }
}
