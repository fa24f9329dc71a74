public import Foundation

/// A program that a test talks to while it runs. It is killed when nobody holds it any more.
public final class RunningProgram {
  private let process = Process()
  private let output: TemporaryFolder

  public init(
    _ program: URL, _ arguments: [String], in folder: URL = repositoryRoot,
    environment: [String: String] = [:]
  ) throws {
    output = try TemporaryFolder()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try output.handle("out")
    process.standardError = try output.handle("err")
    try process.run()
  }

  deinit { send(SIGKILL) }

  public var isRunning: Bool { process.isRunning }

  public func send(_ signal: Int32) {
    if process.isRunning { kill(process.processIdentifier, signal) }
  }

  /// The first line that it writes with these words in it; nil when it ends or ten seconds pass before.
  public func line(with words: String) async throws -> String? {
    for _ in 0..<500 {
      let isRunning = process.isRunning
      let lines = try text("out").split(separator: "\n")
      if let line = lines.first(where: { $0.contains(words) }) { return String(line) }
      guard isRunning else { return nil }
      try await Task.sleep(for: .milliseconds(20))
    }
    return nil
  }

  public func wait() throws -> Program.Ending {
    process.waitForExit()
    return Program.Ending(
      status: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
      output: try text("out"), errors: try text("err"))
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: output.file(name), encoding: .utf8)
  }
}

extension TemporaryFolder {
  fileprivate func handle(_ name: String) throws -> FileHandle {
    try Data().write(to: file(name))
    return try FileHandle(forWritingTo: file(name))
  }
}
