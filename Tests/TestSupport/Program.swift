public import Foundation
public import Testing

/// The built `chartpipe`, run as a user runs it.
public struct Program: Sendable {
  public struct Ending: Sendable {
    public let status: Int32
    public let wasKilled: Bool
    public let output: String
    public let errors: String

    /// Expects this exit code, and these words among the errors.
    @discardableResult
    public func expect(
      _ status: Int32, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> Ending {
      #expect(self.status == status, "\(output)\(errors)", sourceLocation: sourceLocation)
      for word in words { #expect(errors.contains(word), "\(errors)", sourceLocation: sourceLocation) }
      return self
    }
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
      while running.isRunning, !file.exists { Thread.sleep(forTimeInterval: 0.002) }
      running.send(signal)
    }
    return try running.wait()
  }

  /// The same for words that spaces separate.
  public func run(
    _ call: String, in folder: URL = repositoryRoot, environment: [String: String] = [:],
    stopWhenExists file: URL? = nil, signal: Int32 = SIGKILL
  ) throws -> Ending {
    let words = call.split(separator: " ").map(String.init)
    return try run(words, in: folder, environment: environment, stopWhenExists: file, signal: signal)
  }
}

private struct MissingProgram: Error {}

/// A busy machine may answer late.
private let patience = ["CHARTPIPE_WAIT_SECONDS": "600"]

private func exists(_ url: URL) -> Bool { FileManager.default.isExecutableFile(atPath: url.path) }

/// A program that a test talks to while it runs. Its `deinit` kills it.
public final class RunningProgram {
  private let process = Process()
  private let output: TemporaryFolder

  public init(
    _ program: URL, _ arguments: [String], in folder: URL = repositoryRoot,
    environment: [String: String] = [:]
  ) throws {
    output = TemporaryFolder()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(patience) { $1 }.merging(environment) {
      $1
    }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try output.handle("out")
    process.standardError = try output.handle("err")
    try process.run()
  }

  deinit { send(SIGKILL) }

  public var isRunning: Bool { process.isRunning }
  public var processIdentifier: Int32 { process.processIdentifier }

  public func send(_ signal: Int32) { if process.isRunning { kill(process.processIdentifier, signal) } }

  /// The first line that it writes with these words in it; nil when it ends before, or after five minutes.
  public func line(with words: String) async throws -> String? {
    for _ in 0..<15_000 {
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

  private func text(_ name: String) throws -> String { try output.file(name).text }
}

extension TemporaryFolder {
  fileprivate func handle(_ name: String) throws -> FileHandle {
    try Data().write(to: file(name))
    return try FileHandle(forWritingTo: file(name))
  }
}

extension Process {
  /// Waits for the end of the process without using the processor: Foundation's own wait runs a loop on Linux.
  public func waitForExit() { while isRunning { Thread.sleep(forTimeInterval: 0.02) } }
}

/// Debian's Python, with whose libraries results are looked at independently.
public enum Python {
  private static let url = URL(filePath: "/usr/bin/python3")

  /// Whether it has a module, which `scripts/install-test-dependencies` brings.
  public static func has(_ module: String) -> Bool {
    (try? RunningProgram(url, ["-c", "import \(module)"]).wait().status) == 0
  }

  /// What a program prints.
  public static func run(_ program: String, _ arguments: [String]) throws -> Program.Ending {
    try RunningProgram(url, ["-c", program] + arguments).wait()
  }
}

/// A schema of `docs/schemas`, and the independent validator that reads it.
public struct SchemaCheck {
  private static let python = URL(filePath: "/usr/bin/python3")
  private let schema: String

  public init(_ schema: String) { self.schema = schema }

  /// Whether the validator is installed; `scripts/install-test-dependencies` does that.
  public static let isInstalled: Bool = {
    let trial = try? RunningProgram(python, ["-c", "import jsonschema"]).wait()
    return trial?.status == 0
  }()

  /// A line for each file: its name, and `ok` or what is wrong.
  public func verdicts(_ files: [URL]) throws -> [String] {
    let script = repositoryRoot.appending(path: "scripts/check-schema").path
    let schemas = repositoryRoot.appending(path: "docs/schemas").path
    let ending = try RunningProgram(
      SchemaCheck.python, [script, schemas, "\(schema).schema.json"] + files.map(\.path)
    ).wait()
    guard !ending.output.isEmpty else { return [ending.errors] }
    return ending.output.split(separator: "\n").map(String.init)
  }
}
