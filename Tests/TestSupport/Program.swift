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
    let running = try RunningProgram(url, arguments, in: folder, environment: environment)
    if let file {
      while running.isRunning, !FileManager.default.fileExists(atPath: file.path) {
        Thread.sleep(forTimeInterval: 0.002)
      }
      running.send(signal)
    }
    return try running.wait()
  }
}

private struct MissingProgram: Error {}

private func exists(_ url: URL) -> Bool { FileManager.default.isExecutableFile(atPath: url.path) }
