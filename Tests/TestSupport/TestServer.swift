public import Foundation
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An HTTP server on 127.0.0.1 that misbehaves as a test demands.
///
/// It serves a folder, with listings as Microsoft's IIS writes them, `ETag`, `Last-Modified`, ranges and conditions; or a handler
/// answers, such as the one of `LoopbackS3`. As a proxy it answers for every host. It ends with its last reference.
public final class TestServer: Sendable {
  public enum Behavior: Sendable {
    /// Sends the body in pieces with a pause between.
    case slow(piece: Int, pause: TimeInterval)
    /// Resets the connection after so many bytes of the body.
    case reset(after: Int)
    /// Closes the connection after so many bytes of the body.
    case ends(after: Int)
    /// Closes the connection after half of the body.
    case endsHalfway
    /// Carries out the request and closes the connection without an answer.
    case losesAnswer
    /// Declares a body that is longer by so much, and closes the connection after it.
    case claims(more: Int)
    /// Sends only the first bytes, as though they were all.
    case cut(to: Int)
    /// Another answer, such as 503 with `Retry-After: 1`.
    case status(Int, fields: [String] = [], body: String = "")
    /// Answers 403 and a body with the whole request and these words.
    case repeatsRequest(and: String)
    /// Changes a bit of the request's body.
    case damagesRequest
    case ignoresRanges
    /// Sends a range although `If-Range` does not match.
    case ignoresIfRange
    /// The range starts elsewhere than requested.
    case shiftsRanges(by: Int)
    /// Sends neither `ETag` nor `Last-Modified`.
    case omitsValidators
    /// Sends `ETag` alone, and a weak one if wanted.
    case onlyTag(isWeak: Bool)
    /// Sends `Last-Modified` alone.
    case onlyDate
    /// Sends these bytes with their own `ETag` if the client accepts gzip.
    case compresses(to: [UInt8])
    /// A page of HTML with status 200.
    case page(String)
    case redirect(to: String)
    case packed
    case endlessHead
    /// A body of spaces without an end and without a length.
    case endlessBody
    /// Accepts the request and sends nothing.
    case silent
  }

  /// A request as the server received it.
  public struct Request: Sendable {
    public let method: String
    /// Without percent escapes, starting with `/`.
    public let path: String
    public internal(set) var query = ""
    /// The header, by lower-case name.
    public internal(set) var fields: [String: String] = [:]
    public internal(set) var status = 0
    /// The bytes of the answer's body that went to the system for sending.
    public internal(set) var sentBytes = 0
    /// The lines of the head, and the body.
    var lines: [String] = []
    var body: [UInt8] = []

    public var target: String { query.isEmpty ? path : "\(path)?\(query)" }

    init(method: String, path: String) { (self.method, self.path) = (method, path) }
  }

  /// An answer before a behavior changes it.
  struct Answer: Sendable {
    var status = 200
    var fields: [String] = []
    var body: [UInt8] = []
  }

  typealias Handler = @Sendable (Request, Behavior?) -> Answer

  private struct Rule {
    let method: String
    let words: String
    let behavior: Behavior
    var times: Int
  }

  private struct State {
    var next: [String: [Behavior]] = [:]
    var always: [String: Behavior] = [:]
    var rules: [Rule] = []
    var hidden: Set<String> = []
    var requests: [Request] = []
    var open: Set<Int32> = []
    var most = 0
  }

  public let port: Int
  public var url: String { "http://127.0.0.1:\(port)" }
  private let handler: Handler?
  private let folder: ServedFolder?
  private let state = Mutex(State())
  private let listener: Int32

  /// - Parameter ignoresCase: Whether `/A.ZIP` is `a.zip`, as with the FAA.
  public convenience init(serving folder: URL, ignoresCase: Bool = false) throws {
    try self.init(folder: ServedFolder(url: folder, ignoresCase: ignoresCase), handler: nil)
  }

  convenience init(_ handler: @escaping Handler) throws { try self.init(folder: nil, handler: handler) }

  private init(folder: ServedFolder?, handler: Handler?) throws {
    (self.folder, self.handler) = (folder, handler)
    (listener, port) = try openedListener()
    let listener = listener
    Thread.detachNewThread { [weak self] in
      // Only this thread closes the listener: after a close elsewhere it would accept for the next server of the same number.
      defer { close(listener) }
      while true {
        let caller = accept(listener, nil, nil)
        guard caller >= 0 else { return }
        // The thread holds the server only while it answers, so the last reference of a test ends the server.
        guard let self else {
          close(caller)
          return
        }
        self.take(caller)
      }
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  // MARK: - Behavior

  /// The next requests for a path get these behaviors, one each; later requests get a right answer.
  public func inject(_ behaviors: Behavior..., at path: String) {
    state.withLock { $0.next[path, default: []] += behaviors }
  }

  /// The next requests of a method whose path and query contain some words get this behavior.
  public func inject(_ behavior: Behavior, method: String, containing words: String, times: Int = 1) {
    state.withLock { $0.rules.append(Rule(method: method, words: words, behavior: behavior, times: times)) }
  }

  /// Every request for a path gets this behavior after the injected ones; nil ends that.
  public func always(_ behavior: Behavior?, at path: String) { state.withLock { $0.always[path] = behavior } }

  /// Hides a file or folder (404, and not listed), or shows it again.
  public func hide(_ path: String, _ isHidden: Bool = true) {
    state.withLock { state in
      if isHidden { state.hidden.insert(path) } else { state.hidden.remove(path) }
    }
  }

  /// Ends all connections. On Linux, a request that was cancelled uses a processor until its connection ends.
  public func hangUp() { state.withLock { $0.open.forEach { shutdown($0, Int32(SHUT_RDWR)) } } }

  // MARK: - Log

  public var requests: [Request] { state.withLock { $0.requests } }
  /// The largest number of connections at one time.
  public var mostConnections: Int { state.withLock { $0.most } }

  public func requests(for path: String) -> [Request] { requests.filter { $0.path == path } }

  /// The bytes of bodies that were sent for a path, or for all.
  public func sentBytes(_ path: String? = nil) -> Int {
    requests.filter { path == nil || $0.path == path }.reduce(0) { $0 + $1.sentBytes }
  }

  public func clearLog() { state.withLock { $0.requests = [] } }

  // MARK: - Connections

  private func take(_ caller: Int32) {
    state.withLock {
      $0.open.insert(caller)
      $0.most = max($0.most, $0.open.count)
    }
    Thread.detachNewThread { [weak self] in
      TestServerConnection(caller).serve { self }
      self?.state.withLock { _ = $0.open.remove(caller) }
      close(caller)
    }
  }

  func answer(_ request: Request, _ behavior: Behavior?) -> Answer {
    switch behavior {
    case .status(let status, let fields, let body):
      return Answer(status: status, fields: fields, body: Array(body.utf8))
    case .redirect(let place): return Answer(status: 302, fields: ["Location: \(place)"])
    case .page(let text): return Answer(fields: ["Content-Type: text/html"], body: Array(text.utf8))
    default: break
    }
    if let handler { return handler(request, behavior) }
    return folder?.answer(request, behavior, isHidden: isHidden) ?? Answer(status: 404)
  }

  func behavior(for request: Request) -> Behavior? {
    state.withLock { state in
      let rule = state.rules.firstIndex {
        $0.times > 0 && $0.method == request.method && request.target.contains($0.words)
      }
      if let rule {
        state.rules[rule].times -= 1
        return state.rules[rule].behavior
      }
      guard var next = state.next[request.path], !next.isEmpty else { return state.always[request.path] }
      defer { state.next[request.path] = next }
      return next.removeFirst()
    }
  }

  private func isHidden(_ path: String) -> Bool {
    state.withLock { state in
      state.hidden.contains { path == $0 || path.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
    }
  }

  /// Called before the answer, so that a client with the answer finds its request in the log. Returns the request's number.
  func log(_ request: Request, _ status: Int) -> Int {
    var request = request
    (request.status, request.body) = (status, [])
    return state.withLock { [request] state in
      state.requests.append(request)
      return state.requests.count - 1
    }
  }

  func log(sent count: Int, for number: Int) {
    state.withLock { if number < $0.requests.count { $0.requests[number].sentBytes += count } }
  }
}

private func openedListener() throws -> (Int32, Int) {
  #if canImport(Glibc)
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let listener = socket(AF_INET, SOCK_STREAM, 0)
  #endif
  var place = sockaddr_in()
  place.sin_family = sa_family_t(AF_INET)
  place.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isOpen = withUnsafeMutablePointer(to: &place) { place in
    place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(listener, $0, size) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &size) == 0
    }
  }
  guard isOpen else { throw POSIXError(.EADDRINUSE) }
  return (listener, Int(UInt16(bigEndian: place.sin_port)))
}
