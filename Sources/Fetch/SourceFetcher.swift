public import Core
public import CryptoIO
public import Foundation
internal import HTTPIO
public import Pipeline
internal import Synchronization

/// Gets the sources of a plan: looks first what is there, then has several files at a time brought, checked, and put into the
/// cycle's folder. One that fails stops no other.
public struct SourceFetcher: Sendable {
  private let request: FetchRequest
  private let progress: any ProgressReporter
  private let clients: Pool<HTTPClient>
  private let retry: RetryPolicy

  public init(_ request: FetchRequest, progress: any ProgressReporter) {
    self.request = request
    self.progress = progress
    let patience = request.patience
    clients = Pool {
      try HTTPClient(
        agent: "\(ToolVersion.tool)/\(ToolVersion.version)",
        timeouts: HTTPTimeouts(
          connectSeconds: patience.connectSeconds, stallSeconds: patience.stallSeconds))
    }
    retry = RetryPolicy(
      attempts: patience.attempts, firstPause: patience.firstPause)
  }

  /// How each file stands, without fetching any.
  public func list() throws -> [FetchedSource] {
    let lock = try SourceLock(in: request.folder, cycle: request.cycle.identifier)
    return try survey(lock).map { prospect in
      switch prospect.place {
      case .failure(let reason): return prospect.failed(reason)
      case .success(let place): return try standing(prospect, place, lock)
      }
    }
  }

  /// Fetches what is not there, or not as the server has it by now.
  public func fetch() throws -> [FetchedSource] {
    let entered = request.cache.enter()
    defer { withExtendedLifetime(entered) {} }
    let lock = try SourceLock(in: request.folder, cycle: request.cycle.identifier)
    let prospects = try survey(lock)
    try request.room?.check(
      coming(prospects, lock), for: "the sources of cycle \(request.cycle.identifier)")
    let transfers = Transfers(
      request: request, lock: lock, clients: clients, retry: retry,
      tally: Tally(prospects.reduce(0) { $0 + ($1.promised ?? 0) }, progress))
    let fetched = try fetch(prospects, with: transfers, recordingIn: lock)
    transfers.sweep()
    return fetched
  }

  /// Records each file in the lock file as soon as it is complete, so that a killed run loses none.
  private func fetch(
    _ prospects: [Prospect], with transfers: Transfers, recordingIn lock: SourceLock
  ) throws -> [FetchedSource] {
    let lock = Mutex(lock)
    var fetched: [FetchedSource] = []
    try processInOrder(prospects, width: request.jobs) { [folder = request.folder] prospect in
      let (source, entry) = transfers.bring(prospect)
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

  /// How many bytes are to come, as far as sizes tell what is there already.
  private func coming(_ prospects: [Prospect], _ lock: SourceLock) -> Int {
    prospects.reduce(0) { sum, prospect in
      guard case .success(.remote(let url, _)) = prospect.place, let bytes = prospect.promised,
        lock[prospect.path]?.bytes != bytes, request.cache.note(of: url)?.bytes != bytes
      else { return sum }
      return sum + bytes
    }
  }

  // MARK: - Looking

  private func survey(_ lock: SourceLock) throws -> [Prospect] {
    let wishes = SourceRequirement.wishes(of: request.items, for: request.cycle)
    if case .folder(let folder) = request.origin {
      let sources = try SourceFolder(folder)
      return wishes.flatMap { locked($0, lock) ?? Prospect.local($0, in: sources) }
    }
    return try clients.withItem { client in
      var patient = retry
      patient.attempts = min(3, retry.attempts)
      let survey = RemoteSurvey(client, retry: patient)
      return try wishes.flatMap { wish in
        try CancellationToken.current.check()
        return locked(wish, lock) ?? Prospect.remote(wish, from: request, survey)
      }
    }
  }

  /// With `--locked`, what the cache or the folder has needs no server.
  private func locked(_ wish: SourceRequirement, _ lock: SourceLock) -> [Prospect]? {
    guard request.isLocked else { return nil }
    let way = wish.ways.first { $0.allSatisfy { lock[$0.path] != nil } }
    guard let way else {
      return [
        Prospect(wish, wish.name, .failure(NotHad(fault: FetchError.notLocked(wish.name), isAbsence: false)))
      ]
    }
    let entries = way.compactMap { lock[$0.path] }
    guard entries.allSatisfy({ request.has($0) }) else { return nil }
    return entries.map { Prospect(wish, $0.path, .success(.kept($0))) }
  }

  private func standing(
    _ prospect: Prospect, _ place: Prospect.Place, _ lock: SourceLock
  ) throws -> FetchedSource {
    var source = FetchedSource(
      path: prospect.path, state: .new, url: place.address, bytes: prospect.promised,
      products: prospect.products)
    guard let entry = lock[prospect.path], request.has(entry) else { return source }
    (source.bytes, source.sha256, source.state) = (entry.bytes, entry.sha256, .here)
    guard case .remote(let url, let promised) = place else { return source }
    let known = HTTPValidators(etag: entry.etag, lastModified: entry.lastModified)
    let answer = try? clients.withItem { try $0.send(HTTPRequest(.head, url)) }
    let isOther = answer.map { $0.status == 200 && HTTPValidators($0) != known && !known.isEmpty } ?? false
    if isOther || (promised.map { $0 != entry.bytes } ?? false) { source.state = .changed }
    return source
  }
}

extension FetchRequest {
  func file(_ path: String) -> URL { folder.appending(path: path) }

  /// Whether the file lies in its place, or at least in the cache, as the lock names it.
  func has(_ entry: SourceLock.Entry) -> Bool {
    if cache.holds(entry.sha256) { return true }
    let file = file(entry.path)
    return file.isRegularFile && (try? SHA256Hex(ofFile: file)) == entry.sha256
  }
}

/// What is to be fetched, from where and to where.
public struct FetchRequest: Sendable {
  public var items: [PipelineItem]
  public var cycle: AiracCycle
  public var origin: SourceOrigin
  /// The cycle's folder of sources. The caller keeps other runs out of it.
  public var folder: URL
  public var cache: SourceCache
  /// How many files at a time; of one server at most four.
  public var jobs: Int
  /// Only what the lock file names, to the bit.
  public var isLocked: Bool
  /// What the disk may take of what is to come; nil where nobody asks.
  public var room: DiskSpace?
  public var now: Instant
  /// Refuses a file of another edition. Called from several threads.
  public var check: @Sendable (_ file: SourceFile, _ wish: SourceRequirement) throws -> Void
  /// How stubborn it is when a server does not answer.
  public var patience = Patience()

  public struct Patience: Sendable {
    public var connectSeconds = 20
    public var stallSeconds = 30
    public var attempts = 5
    public var firstPause = Duration.seconds(1)

    public init() {}
  }

  public init(
    items: [PipelineItem], cycle: AiracCycle, origin: SourceOrigin, folder: URL, cache: SourceCache,
    jobs: Int = 4, isLocked: Bool = false, now: Instant,
    check: @escaping @Sendable (_ file: SourceFile, _ wish: SourceRequirement) throws -> Void = { _, _ in }
  ) {
    self.items = items
    self.cycle = cycle
    self.origin = origin
    self.folder = folder
    self.cache = cache
    self.jobs = jobs
    self.isLocked = isLocked
    self.now = now
    self.check = check
  }
}

/// What became of one file, or how it stands.
public struct FetchedSource: Sendable {
  public enum State: String, Codable, Sendable {
    /// It lies in the cycle's folder, and the server has no other.
    case here
    /// It can be had.
    case new
    /// It lies in the cycle's folder, and the server has another by now.
    case changed
    /// It was had from the server, the cache or the folder just now.
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
  public var fault: UserError?
  /// The products that need it.
  public var products: [String]
}
