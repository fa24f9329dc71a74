internal import Core
public import Foundation
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A real HTTP server on 127.0.0.1 that serves a folder and goes wrong as it is told.
///
/// A folder is answered by a listing as Microsoft's IIS writes it. Files have an `ETag` and a `Last-Modified`; ranges and
/// conditions are understood. It ends with its last reference.
public final class FaultyServer: Sendable {
  public enum UserError: Sendable {
    /// The body comes in pieces with a pause between.
    case slow(piece: Int, pause: TimeInterval)
    /// The connection is reset after so many bytes of the body.
    case reset(after: Int)
    /// The connection ends after so many bytes of the body.
    case ends(after: Int)
    /// The connection ends after the body, of which the head says that it is longer by so much.
    case claims(more: Int)
    /// Only the first bytes, as though they were all.
    case cut(to: Int)
    /// Another answer altogether, such as 503 with `Retry-After: 1`.
    case status(Int, fields: [String] = [], body: String = "")
    case ignoresRanges
    /// Gives a range of whatever is there now, although `If-Range` does not fit.
    case ignoresIfRange
    /// The range begins elsewhere than was asked for.
    case shiftsRanges(by: Int)
    /// Neither `ETag` nor `Last-Modified`.
    case tellsNoState
    /// A page of HTML with status 200.
    case page(String)
    case redirect(to: String)
    case packed
    case endlessHead
    /// Takes the request and says nothing.
    case silent
  }

  public struct Asked: Sendable {
    public let method: String
    /// Without percent signs, beginning with `/`.
    public let path: String
    /// By name in small letters.
    public let fields: [String: String]
    public let status: Int
    /// Of the body: what was given to the system to send.
    public fileprivate(set) var sentBytes = 0
  }

  struct State {
    var next: [String: [UserError]] = [:]
    var always: [String: UserError] = [:]
    var hidden: Set<String> = []
    var asked: [Asked] = []
    var open: Set<Int32> = []
    var most = 0
  }

  public let port: Int
  public var url: String { "http://127.0.0.1:\(port)" }
  let folder: URL
  let ignoresCase: Bool
  let state = Mutex(State())
  private let listener: Int32

  /// - Parameter ignoresCase: whether `/A.ZIP` gives `a.zip`, as with the FAA.
  public init(serving folder: URL, ignoresCase: Bool = false) throws {
    self.folder = folder
    self.ignoresCase = ignoresCase
    (listener, port) = try openedListener()
    let listener = listener
    Thread.detachNewThread { [weak self] in
      while true {
        let caller = accept(listener, nil, nil)
        guard caller >= 0 else { return }
        // The thread holds the server only while it answers, so that the last reference of a test ends it.
        guard let self else {
          close(caller)
          return
        }
        self.take(caller)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  // MARK: - What a test says

  /// The next requests for a path go wrong so, one after the other; those after them are answered well.
  public func inject(_ faults: UserError..., at path: String) {
    state.withLock { $0.next[path, default: []] += faults }
  }

  /// Every request for a path goes wrong so, once the injected faults are used up; nil for none any more.
  public func always(_ fault: UserError?, at path: String) {
    state.withLock { $0.always[path] = fault }
  }

  /// A file or folder is not there (404) and is not listed, or is there again.
  public func hide(_ path: String, _ isHidden: Bool = true) {
    state.withLock { state in
      if isHidden { state.hidden.insert(path) } else { state.hidden.remove(path) }
    }
  }

  // MARK: - What a test sees

  public var asked: [Asked] { state.withLock { $0.asked } }
  /// How many connections were open at one time, at most.
  public var mostConnections: Int { state.withLock { $0.most } }

  public func asked(_ path: String) -> [Asked] { asked.filter { $0.path == path } }

  /// How many bytes of bodies went out for a path, or for all.
  public func sentBytes(_ path: String? = nil) -> Int {
    asked.filter { path == nil || $0.path == path }.reduce(0) { $0 + $1.sentBytes }
  }

  public func forgetAsked() { state.withLock { $0.asked = [] } }

  // MARK: - Connections

  private func take(_ caller: Int32) {
    state.withLock {
      $0.open.insert(caller)
      $0.most = max($0.most, $0.open.count)
    }
    Thread.detachNewThread { [weak self] in
      FaultyConnection(caller).serve { self }
      self?.state.withLock { _ = $0.open.remove(caller) }
      close(caller)
    }
  }

  func fault(at path: String) -> UserError? {
    state.withLock { state in
      guard var next = state.next[path], !next.isEmpty else { return state.always[path] }
      defer { state.next[path] = next }
      return next.removeFirst()
    }
  }

  func isHidden(_ path: String) -> Bool {
    state.withLock { state in
      state.hidden.contains { path == $0 || path.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
    }
  }

  /// Called before the answer, so that whoever has the answer finds the question; gives its number.
  func note(_ request: FaultyRequest, _ status: Int) -> Int {
    state.withLock { state in
      state.asked.append(
        Asked(method: request.method, path: request.path, fields: request.fields, status: status))
      return state.asked.count - 1
    }
  }

  func note(sent count: Int, for number: Int) {
    state.withLock { if number < $0.asked.count { $0.asked[number].sentBytes += count } }
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
