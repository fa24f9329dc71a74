public import Foundation

/// The built `chartpipe`, run as a user runs it.
public struct Program: Sendable {
  public struct Ending: Sendable {
    public let status: Int32
    public let wasKilled: Bool
    public let output: String
    public let errors: String
  }

  public let url: URL

  /// Beside the running tests, where the package manager puts both.
  public init() throws {
    let beside = Bundle.main.executableURL?.deletingLastPathComponent()
    let candidates = [beside, repositoryRoot.appending(path: ".build/debug")].compactMap(\.self)
    guard let found = candidates.map({ $0.appending(path: "chartpipe") }).first(where: exists) else {
      throw MissingProgram()
    }
    url = found
  }

  /// Runs to the end, or until a file is there: then it is killed (SIGKILL) or interrupted (SIGINT).
  public func run(
    _ arguments: [String], in folder: URL = repositoryRoot, environment: [String: String] = [:],
    stopWhenExists file: URL? = nil, signal: Int32 = SIGKILL
  ) throws -> Ending {
    let output = try TemporaryFolder()
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try output.handle("out")
    process.standardError = try output.handle("err")
    try process.run()
    if let file {
      while process.isRunning, !FileManager.default.fileExists(atPath: file.path) {
        Thread.sleep(forTimeInterval: 0.002)
      }
      if process.isRunning { kill(process.processIdentifier, signal) }
    }
    process.waitUntilExit()
    return Ending(
      status: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
      output: try String(contentsOf: output.file("out"), encoding: .utf8),
      errors: try String(contentsOf: output.file("err"), encoding: .utf8))
  }
}

private struct MissingProgram: Error {}

private func exists(_ url: URL) -> Bool { FileManager.default.isExecutableFile(atPath: url.path) }

extension TemporaryFolder {
  fileprivate func handle(_ name: String) throws -> FileHandle {
    try Data().write(to: file(name))
    return try FileHandle(forWritingTo: file(name))
  }
}
