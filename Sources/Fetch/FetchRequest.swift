public import Core
public import CryptoIO
public import Foundation
public import Pipeline

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
