internal import Core
internal import CryptoIO
internal import Foundation
internal import Synchronization

/// An S3 store on this machine that checks every signature.
public final class LoopbackS3: Sendable {
  /// Whether to run the tests: in CI a missing store is a failure.
  public static let canRun = ProcessInfo.processInfo.environment["CI"] != nil || isInstalled
  public static let whyNot = "there is no S3 store to test with: scripts/install-test-dependencies"

  public let port: Int
  public let keyID: String
  public let secret: String
  /// Moto behind a `TestServer`, or rclone, which has none. The program ends with the store.
  private let front: TestServer?
  private let programPort: Int
  private let program: Mutex<RunningProgram>
  private let folder: TemporaryFolder?

  private init(
    port programPort: Int, key: (id: String, secret: String), _ program: sending RunningProgram,
    front: TestServer? = nil, _ folder: TemporaryFolder? = nil
  ) {
    (self.front, self.programPort, self.folder) = (front, programPort, folder)
    port = front?.port ?? programPort
    (keyID, secret) = key
    self.program = Mutex(program)
  }

  public var endpoint: String { "http://127.0.0.1:\(port)" }

  /// The environment variables of a publisher.
  public var environment: [String: String] {
    ["AWS_ENDPOINT_URL": endpoint, "AWS_ACCESS_KEY_ID": keyID, "AWS_SECRET_ACCESS_KEY": secret]
  }
}

// MARK: - A store that respects conditions

extension LoopbackS3 {
  /// A fault for the next requests of a method whose path and query contain some words.
  public struct Fault: Sendable {
    let method: String
    let words: String
    let behavior: TestServer.Behavior
    var times = 1

    /// Carries out the request and closes the connection without an answer.
    public static func loseAnswer(_ method: String, _ path: String) -> Fault {
      Fault(method: method, words: path, behavior: .losesAnswer)
    }
    public static func halfAnswer(_ method: String, _ path: String, times: Int = 1) -> Fault {
      Fault(method: method, words: path, behavior: .endsHalfway, times: times)
    }
    /// Changes a bit of the request's body.
    public static func damage(_ method: String, _ path: String) -> Fault {
      Fault(method: method, words: path, behavior: .damagesRequest)
    }
    public static func refuse(
      _ method: String, _ path: String, status: String, code: String, times: Int = 1,
      after: String = ""
    ) -> Fault {
      let refusal = refusal(Int(status.prefix(3)) ?? 500, code)
      let fields = refusal.fields + (after.isEmpty ? [] : ["Retry-After: \(after)"])
      let body = String(decoding: refusal.body, as: UTF8.self)
      return Fault(
        method: method, words: path, behavior: .status(refusal.status, fields: fields, body: body),
        times: times)
    }
    /// Refuses with a message that contains the whole request and these words.
    public static func repeatRequest(_ method: String, _ path: String, and words: String) -> Fault {
      Fault(method: method, words: path, behavior: .repeatsRequest(and: words))
    }
  }

  /// Starts once for all tests of a process, since it takes seconds; each test makes its own buckets.
  public static func strict() async throws -> LoopbackS3 { try await one.value }

  private static let one = Samples.shared {
    let script = repositoryRoot.appending(path: "Tests/Servers/loopback_s3.py")
    let program = try RunningProgram(TestEnvironment.program("python3"), [script.path])
    struct Start: Decodable {
      let port: Int
      let key: String
      let secret: String
    }
    let start = try await JSONDecoder().decode(
      Start.self, from: Data(try firstLine(of: program, "port").utf8))
    let front = try TestServer { answer($0, $1, from: start.port) }
    return LoopbackS3(port: start.port, key: (start.key, start.secret), program, front: front)
  }

  /// A bucket that no other test has.
  public func newBucket() throws -> String {
    let name = "charts-\(UUID().uuidString.lowercased())"
    _ = try LoopbackCaller.fetch("/test-bucket", method: "POST", port: programPort, body: name)
    return name
  }

  public func inject(_ fault: Fault) {
    front?.inject(fault.behavior, method: fault.method, containing: fault.words, times: fault.times)
  }

  /// The requests for a bucket so far, in order.
  public func requests(of bucket: String) -> [TestServer.Request] {
    front?.requests.filter { $0.path.hasPrefix("/\(bucket)") } ?? []
  }

  /// Moto checks the signature but not the hash of the body, which real stores check too.
  private static func answer(
    _ request: TestServer.Request, _ behavior: TestServer.Behavior?, from port: Int
  ) -> TestServer.Answer {
    var body = request.body
    if case .damagesRequest = behavior { body[0] ^= 1 }
    if case .repeatsRequest(let words) = behavior {
      return refusal(403, "AccessDenied", (request.lines + [words]).joined(separator: " "))
    }
    guard (try? SHA256Hex(of: body).text) == request.fields["x-amz-content-sha256"] else {
      return refusal(400, "XAmzContentSHA256Mismatch")
    }
    let lines = request.lines.filter { !$0.lowercased().hasPrefix("expect:") }
    guard let caller = try? LoopbackCaller(port: port) else { return refusal(503, "ServiceUnavailable") }
    caller.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    return TestServer.Answer(caller.receiveAll()) ?? refusal(500, "InternalError")
  }

  private static func refusal(_ status: Int, _ code: String, _ message: String = "")
    -> TestServer.Answer
  {
    let escaped = message.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    let text = "<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message>\(escaped)</Message></Error>"
    return TestServer.Answer(
      status: status, fields: ["Content-Type: application/xml"], body: Array(text.utf8))
  }
}

extension TestServer.Answer {
  /// An answer that ends with its connection.
  fileprivate init?(_ bytes: [UInt8]) {
    guard let end = bytes.firstRange(of: [13, 10, 13, 10]) else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(
      separator: "\r\n" as Character)
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    self.status = status
    fields = lines.dropFirst().map(String.init).filter { !$0.lowercased().hasPrefix("connection:") }
    body = Array(bytes[end.upperBound...])
  }
}

// MARK: - A store that ignores conditions

extension LoopbackS3 {
  /// Rclone over an empty folder with a bucket. Like some real stores it writes without regard to conditions.
  public static func lenient(bucket: String) async throws -> LoopbackS3 {
    let folder = TemporaryFolder()
    try folder.file(bucket).makeFolder()
    let key = (id: "AKIALOOPBACKTEST", secret: "secret-of-the-loopback-store")
    let rclone = TestEnvironment.program("rclone").path
    let command = "exec '\(rclone)' serve s3 '\(folder.url.path)' --addr 127.0.0.1:0 --config /dev/null"
    let program = try RunningProgram(
      URL(filePath: "/bin/sh"), ["-c", "\(command) --auth-key \(key.id),\(key.secret) 2>&1"])
    let line = try await firstLine(of: program, "Starting s3 server")
    guard let port = line.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap({ Int($0.1) }) else {
      throw DidNotStart(output: line)
    }
    return LoopbackS3(port: port, key: key, program, front: nil, folder)
  }
}

extension LoopbackS3 {
  private struct DidNotStart: Error {
    let output: String
  }

  private static let isInstalled = ["python3", "rclone"].allSatisfy(TestEnvironment.has)

  /// A start may take long on a busy machine.
  private static func firstLine(of program: RunningProgram, _ words: String) async throws -> String {
    for _ in 0..<9 where program.isRunning {
      if let line = try await program.line(with: words) { return line }
    }
    throw DidNotStart(output: program.isRunning ? "it prints nothing" : try program.wait().errors)
  }
}
