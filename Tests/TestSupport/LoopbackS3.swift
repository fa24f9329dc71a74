internal import Foundation
internal import Synchronization

/// A store on this machine that speaks S3 and checks every signature.
public final class LoopbackS3: Sendable {
  /// Where CI is set, what is missing for a test is a failure.
  public static let canRun = ProcessInfo.processInfo.environment["CI"] != nil || isInstalled
  public static let whyNot = "there is no S3 store to test with: scripts/install-test-dependencies"

  public let port: Int
  public let keyID: String
  public let secret: String
  /// What dies with the store.
  private let program: Mutex<RunningProgram>
  private let folder: TemporaryFolder?

  private init(
    port: Int, key: (id: String, secret: String), _ program: sending RunningProgram,
    _ folder: TemporaryFolder? = nil
  ) {
    self.port = port
    keyID = key.id
    secret = key.secret
    self.program = Mutex(program)
    self.folder = folder
  }

  public var endpoint: String { "http://127.0.0.1:\(port)" }

  /// What a publisher finds in its environment.
  public var environment: [String: String] {
    ["AWS_ENDPOINT_URL": endpoint, "AWS_ACCESS_KEY_ID": keyID, "AWS_SECRET_ACCESS_KEY": secret]
  }
}

// MARK: - A store that keeps conditions

extension LoopbackS3 {
  /// Something that the store does wrong so many times, to requests of a method whose path has these words in it.
  public struct Misdeed: Encodable {
    var method: String
    var path: String
    var action: String
    var times = 1
    var status = ""
    var code = ""
    var message = ""
    var after = ""

    /// Does what it is asked, and hangs up in place of an answer.
    public static func loseAnswer(_ method: String, _ path: String) -> Misdeed {
      Misdeed(method: method, path: path, action: "lose-answer")
    }
    public static func halfAnswer(_ method: String, _ path: String, times: Int = 1) -> Misdeed {
      Misdeed(method: method, path: path, action: "half-answer", times: times)
    }
    /// Changes a bit of what comes in.
    public static func damage(_ method: String, _ path: String) -> Misdeed {
      Misdeed(method: method, path: path, action: "damage")
    }
    public static func refuse(
      _ method: String, _ path: String, status: String, code: String, times: Int = 1, after: String = ""
    ) -> Misdeed {
      Misdeed(
        method: method, path: path, action: "refuse", times: times, status: status, code: code, after: after)
    }
    /// Refuses, with all that it knows of the request in the message, and these words too.
    public static func repeatRequest(_ method: String, _ path: String, and words: String) -> Misdeed {
      Misdeed(method: method, path: path, action: "repeat-request", message: words)
    }
  }

  /// A request as the store saw it.
  public struct Seen: Decodable, Sendable {
    public let method: String
    public let path: String
    public let bytes: Int
    public let headers: [String: String]
  }

  /// Starts once for all tests of a run, since it takes seconds; buckets keep them apart. It ends with the run.
  public static func strict() async throws -> LoopbackS3 { try await one.value }

  private static let one = Task {
    let script = repositoryRoot.appending(path: "Tests/Servers/loopback_s3.py")
    let program = try RunningProgram(environmentFolder.appending(path: "bin/python3"), [script.path])
    struct Start: Decodable {
      let port: Int
      let key: String
      let secret: String
    }
    let start = try await JSONDecoder().decode(
      Start.self, from: Data(try firstLine(of: program, "port").utf8))
    return LoopbackS3(port: start.port, key: (start.key, start.secret), program)
  }

  /// A bucket that no other test has.
  public func newBucket() throws -> String {
    let name = "charts-\(UUID().uuidString.lowercased())"
    _ = try LoopbackCaller.fetch("/test-bucket", method: "POST", port: port, body: name)
    return name
  }

  public func tell(_ misdeed: Misdeed) throws {
    let body = String(decoding: try JSONEncoder().encode(misdeed), as: UTF8.self)
    _ = try LoopbackCaller.fetch("/test-fault", method: "POST", port: port, body: body)
  }

  /// What was asked of a bucket so far, in order.
  public func seen(of bucket: String) throws -> [Seen] {
    let answer = try LoopbackCaller.fetch("/test-seen", port: port)
    return try JSONDecoder().decode([Seen].self, from: answer.body).filter { $0.path.hasPrefix("/\(bucket)") }
  }
}

// MARK: - A store that takes no notice of conditions

extension LoopbackS3 {
  /// rclone over an empty folder, with a bucket: as some real stores do, it writes whatever the conditions are.
  public static func lenient(bucket: String) async throws -> LoopbackS3 {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.file(bucket), withIntermediateDirectories: true)
    let key = (id: "AKIALOOPBACKTEST", secret: "secret-of-the-loopback-store")
    let rclone = environmentFolder.appending(path: "bin/rclone").path
    let command = "exec '\(rclone)' serve s3 '\(folder.url.path)' --addr 127.0.0.1:0 --config /dev/null"
    let program = try RunningProgram(
      URL(filePath: "/bin/sh"), ["-c", "\(command) --auth-key \(key.id),\(key.secret) 2>&1"])
    let line = try await firstLine(of: program, "Starting s3 server")
    guard let port = line.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap({ Int($0.1) }) else {
      throw DidNotStart(output: line)
    }
    return LoopbackS3(port: port, key: key, program, folder)
  }
}

extension LoopbackS3 {
  private struct DidNotStart: Error {
    let output: String
  }

  private static let isInstalled = ["python3", "rclone"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: environmentFolder.appending(path: "bin/\($0)").path)
  }

  /// Where scripts/install-test-dependencies puts what it gets.
  private static let environmentFolder: URL = {
    let cache =
      ProcessInfo.processInfo.environment["XDG_CACHE_HOME"].map { URL(filePath: $0) }
      ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".cache")
    return cache.appending(path: "chartpipe-test/venv")
  }()

  /// A busy machine may take long.
  private static func firstLine(of program: RunningProgram, _ words: String) async throws -> String {
    for _ in 0..<9 where program.isRunning {
      if let line = try await program.line(with: words) { return line }
    }
    throw DidNotStart(output: program.isRunning ? "it says nothing" : try program.wait().errors)
  }
}
