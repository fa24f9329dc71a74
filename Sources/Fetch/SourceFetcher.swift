public import Core
internal import CryptoIO
public import Foundation
public import HTTPIO
internal import Synchronization

/// Fetches the sources of a plan: looks them all up first, then downloads several files at a time, checks them, and puts them
/// into the cycle's folder. One that fails does not stop the others.
public struct SourceFetcher: Sendable {
  private let request: FetchRequest
  private let progress: any ProgressReporter
  private let clients: Pool<HTTPClient>

  public init(_ request: FetchRequest, progress: any ProgressReporter) {
    self.request = request
    self.progress = progress
    clients = Pool { [timeouts = request.timeouts] in
      try HTTPClient(agent: "\(ToolVersion.tool)/\(ToolVersion.version)", timeouts: timeouts)
    }
  }

  /// Returns the state of each file, without fetching any.
  public func list() throws -> [FetchedSource] {
    let lock = try SourceLock(in: request.folder, cycle: request.cycle.identifier)
    return try lookUp(lock).map { result in
      switch result.location {
      case .failure(let reason): return result.failed(reason)
      case .success(let location): return try state(of: result, at: location, lock)
      }
    }
  }

  /// Fetches the files that are missing or that changed on the server, and then the files that they name.
  public func fetch() throws -> [FetchedSource] {
    let fetched = try fetchOnce()
    var rest = request
    rest.requirements = try SourceRequirement.named(by: request.requirements, in: request.folder)
    return rest.requirements.isEmpty
      ? fetched : fetched + (try SourceFetcher(rest, progress: progress).fetchOnce())
  }

  private func fetchOnce() throws -> [FetchedSource] {
    let cacheLock = request.cache.startAdding()
    defer { withExtendedLifetime(cacheLock) {} }
    let lock = try SourceLock(in: request.folder, cycle: request.cycle.identifier)
    let results = try lookUp(lock)
    try request.room?.check(
      bytesToDownload(results, lock), for: "the sources of cycle \(request.cycle.identifier)")
    let transfers = Transfers(
      request: request, lock: lock, clients: clients,
      progress: TransferProgress(total: results.reduce(0) { $0 + ($1.bytes ?? 0) }, progress))
    let fetched = reported(try fetch(results, with: transfers, recordingIn: lock))
    transfers.removeLeftovers()
    return fetched
  }

  /// Records each file in the lock file as soon as it is complete, so that a killed run loses none.
  private func fetch(
    _ results: [LookupResult], with transfers: Transfers, recordingIn lock: SourceLock
  ) throws -> [FetchedSource] {
    let lock = Mutex(lock)
    var fetched: [FetchedSource] = []
    try processInOrder(results, width: request.jobs) { [folder = request.folder] result in
      let (source, entry) = transfers.fetch(result)
      try lock.withLock { lock in
        guard let entry, lock[entry.path] != entry else { return }
        lock.set(entry)
        try lock.write(in: folder)
      }
      return source
    } consume: { source in
      fetched.append(source)
    }
    try CancellationToken.current.check()
    return fetched
  }

  /// Reports one failure for each server, since a dead network fails every file for the same reason, and a single failing file by
  /// its name.
  ///
  /// - Returns: the sources, with the server only where it failed several files.
  private func reported(_ sources: [FetchedSource]) -> [FetchedSource] {
    let counts = Dictionary(sources.compactMap(\.unreachableServer).map { ($0, 1) }, uniquingKeysWith: +)
    var seen: Set<String> = []
    return sources.map { source in
      guard let server = source.unreachableServer, let error = source.error else { return source }
      let count = counts[server] ?? 0
      guard count > 1 else {
        progress.report(.failed(step: source.path, fault: error))
        var single = source
        single.unreachableServer = nil
        return single
      }
      if seen.insert(server).inserted {
        let fault = UserError(
          error.kind, operation: "fetching \(Counts.of(count, "source")) from", path: server,
          reason: error.reason, suggestion: error.suggestion)
        progress.report(.failed(step: server, fault: fault))
      }
      return source
    }
  }

  /// Returns an estimate: a file that is present with the same size counts as unchanged.
  private func bytesToDownload(_ results: [LookupResult], _ lock: SourceLock) -> Int {
    results.reduce(0) { sum, result in
      guard case .success(.remote(let url, _)) = result.location, let bytes = result.bytes,
        lock[result.path]?.bytes != bytes, request.cache.download(from: url)?.bytes != bytes
      else { return sum }
      return sum + bytes
    }
  }

  private func lookUp(_ lock: SourceLock) throws -> [LookupResult] {
    if let folder = request.origin.localFolder {
      let sources = try SourceFolder(folder)
      return request.requirements.flatMap { locked($0, lock) ?? LookupResult.local($0, in: sources) }
    }
    return try clients.withItem { client in
      var retry = request.retry
      retry.attempts = min(3, retry.attempts)
      let survey = RemoteSurvey(client, retry: retry)
      return try request.requirements.flatMap { requirement in
        try CancellationToken.current.check()
        return locked(requirement, lock) ?? LookupResult.remote(requirement, from: request, survey)
      }
    }
  }

  /// Returns the files that the lock names when the cache or the folder has them, without asking a server; nil where a server
  /// has to be asked.
  private func locked(_ requirement: SourceRequirement, _ lock: SourceLock) -> [LookupResult]? {
    guard request.isLocked else { return nil }
    guard let files = requirement.alternatives.first(where: { $0.allSatisfy { lock[$0.path] != nil } }) else {
      let name = requirement.name
      let error = UserError.fetching(
        .refused, name, "the lock file does not name it",
        "Fetch once without --locked, check the files, and keep the lock file.")
      return [
        LookupResult(
          requirement: requirement, path: name,
          location: .failure(Unavailable(error: error, isMissing: false)))
      ]
    }
    let entries = files.compactMap { lock[$0.path] }
    guard entries.allSatisfy({ request.has($0) }) else { return nil }
    return entries.map {
      LookupResult(requirement: requirement, path: $0.path, location: .success(.stored($0)))
    }
  }

  private func state(
    of result: LookupResult, at location: LookupResult.Location, _ lock: SourceLock
  ) throws -> FetchedSource {
    var source = FetchedSource(
      path: result.path, state: .new, url: location.address, bytes: result.bytes, products: result.products)
    guard let entry = lock[result.path], request.has(entry) else { return source }
    (source.bytes, source.sha256, source.state) = (entry.bytes, entry.sha256, .here)
    guard case .remote(let url, let bytes) = location else { return source }
    let known = HTTPValidators(etag: entry.etag, lastModified: entry.lastModified)
    let answer = try? clients.withItem { try $0.send(HTTPRequest(.head, url)) }
    let isOther = answer.map { $0.status == 200 && HTTPValidators($0) != known && !known.isEmpty } ?? false
    if isOther || (bytes.map { $0 != entry.bytes } ?? false) { source.state = .changed }
    return source
  }
}

extension FetchRequest {
  func file(_ path: String) -> URL { folder.appending(path: path) }

  /// Whether the folder or the cache has the file with the hash that the lock names.
  func has(_ entry: SourceLock.Entry) -> Bool {
    if cache.holds(entry.sha256) { return true }
    let file = file(entry.path)
    return file.isRegularFile && (try? SHA256Hex(ofFile: file)) == entry.sha256
  }
}

/// The sources to fetch, their origin, and the folder to put them into.
public struct FetchRequest: Sendable {
  public var requirements: [SourceRequirement]
  public var cycle: AiracCycle
  public var origin: SourceOrigin
  /// The cycle's folder of sources. The caller locks it.
  public var folder: URL
  public var cache: SourceCache
  /// How many files are transferred at a time, at most four from one server.
  public var jobs = 4
  /// Whether only files with the hashes of the lock file are accepted.
  public var isLocked = false
  /// The disk space to check before the first download; nil for no check.
  public var room: DiskSpace?
  public var now: Instant
  public var timeouts = HTTPTimeouts(connectSeconds: 20, stallSeconds: 30)
  public var retry = RetryPolicy()
}

/// The state of one source, listed or fetched.
public struct FetchedSource: Sendable {
  public enum State: String, Codable, Sendable {
    /// The cycle's folder has it, and the server has the same file.
    case here
    /// The cycle's folder does not have it, and the server does.
    case new
    /// The cycle's folder has it, and the server has another file.
    case changed
    /// It has just been fetched from the server, the cache or the folder.
    case fetched
    /// The server does not have it.
    case missing
    /// Something went wrong.
    case failed
  }

  public var path: String
  public var state: State
  public var url: String?
  public var bytes: Int?
  public var sha256: SHA256Hex?
  /// How many bytes came over the network.
  public var received = 0
  public var error: UserError?
  /// The server that cannot be reached, if that is why several files failed, which one message reports; nil otherwise.
  public var unreachableServer: String?
  /// The products that need it.
  public var products: [String]
}
