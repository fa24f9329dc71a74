internal import Core
public import Foundation
internal import Synchronization

/// Recognises a staging that would change nothing.
///
/// After a staging, it stores what the staging depended on, with the state of the site. If all of that is the same, the next one
/// is skipped, and only the messages are repeated.
public struct StagingRecord {
  private let request: StageRequest
  private let site: SiteFolder
  private let inputs: State

  /// - Parameter files: the outputs of the steps, with all files of the products.
  /// - Returns: nil if a file cannot be read, or if nothing is kept.
  public init?(_ request: StageRequest, files: [URL]) {
    guard let root = request.journal.root else { return nil }
    (self.request, site) = (request, SiteFolder(root: request.site))
    guard let inputs = try? State(request, files, root) else { return nil }
    self.inputs = inputs
  }

  private static let step = "stage"

  /// Returns the result of the last staging, and repeats its messages. Nil if a staging might change something.
  public func unchanged(progress: any ProgressReporter) throws -> StagedSite? {
    let state = try? state()
    guard let state, let known: Outcome = try request.journal.value(of: StagingRecord.step, for: state),
      known.blobs.allSatisfy(isUnchanged)
    else { return nil }
    for message in known.messages { progress.report(message) }
    progress.report(.skipped(step: "stage"))
    return known.staged
  }

  /// Records a finished staging.
  public func store(_ staged: StagedSite, messages: [ProgressEvent]) throws {
    let outcome = try Outcome(staged: staged, messages: messages, blobs: blobs(of: staged.cycle))
    try request.journal.keep(outcome, of: StagingRecord.step, for: state())
  }

  // MARK: - Inputs

  /// What a staging depends on.
  private struct State: Encodable {
    var cycleInForce: AiracCycle
    var root: String
    var builds: [String]
    var files: [String: SHA256Hex]
    var missing: [String]
    var failures: [ProductFailure]
    var skipped: [[String]]
    var notes: [SourceNote]
    var published: [Product]
    var accepted: [Acceptance]
    var isStrict: Bool
    var key: String?
    var siteURL: String?
    /// The files of the site except blobs, by path.
    var pages: [String: SHA256Hex] = [:]

    init(_ request: StageRequest, _ files: [URL], _ root: URL) throws {
      cycleInForce = AiracCycle(at: request.now)
      self.root = root.path
      builds = request.builds.map(\.path)
      self.files = try Dictionary(first: files.map { ($0.path, try request.journal.hashes.sha256(of: $0)) })
      (missing, failures, notes) = (request.missing, request.failures, request.notes)
      skipped = request.skipped.map { [$0.id, $0.name] + $0.parts }
      published = request.published
      (accepted, isStrict, siteURL) = (request.accepted, request.isStrict, request.siteURL)
      key = request.key?.verifier.line
    }
  }

  private func state() throws -> State {
    var state = inputs
    // The content-addressed files are compared by size.
    let names = try FileManager.default.contentsOfDirectory(atPath: site.root.path)
      .filter { $0 != "blobs" && !$0.hasPrefix(".") }
    let store = FolderStore(root: site.root)
    let paths = try names.flatMap { name in
      site.root.appending(path: name).kindOnDisk == .folder ? try store.list(name + "/").map(\.key) : [name]
    }
    for path in paths {
      state.pages[path] = try request.journal.hashes.sha256(of: site.root.appending(path: path))
    }
    return state
  }

  // MARK: - Outcome

  private struct Outcome: Codable {
    var staged: StagedSite
    /// Warnings and failures.
    var messages: [ProgressEvent]
    var blobs: [Blob]
  }

  private struct Blob: Codable {
    var path: String
    /// Its size on the disk; nil if it is missing, as a file of an old edition may be.
    var bytes: Int?
    /// Of manifests, and of the files of the staged cycle; files of other cycles are compared by size.
    var sha256: SHA256Hex?
  }

  /// Returns the blobs that the site's manifests and its catalogue name.
  private func blobs(of cycle: AiracCycle) throws -> [Blob] {
    let manifests = try site.readManifests()
    let own = manifests[cycle]?.manifest.allFiles ?? []
    let all = manifests.flatMap { CycleProducts($0.value.manifest).all }.flatMap(\.allFiles)
    let catalogue = try site.readCatalogue()?.catalogue
    let lists = (catalogue?.ownFiles ?? []).map(\.reference)
    let named = (catalogue?.productFiles ?? []).map(\.reference) + lists
    let hashes = Dictionary(own.map { ($0.path, $0.sha256) } + lists.map { ($0.path, $0.sha256) }) { $1 }
    return Set((own + all).map(\.path) + named.map(\.path)).sorted().map { path in
      Blob(path: path, bytes: FileStamp(site.root.appending(path: path))?.bytes, sha256: hashes[path])
    }
  }

  private func isUnchanged(_ blob: Blob) -> Bool {
    let file = site.root.appending(path: blob.path)
    guard FileStamp(file)?.bytes == blob.bytes else { return false }
    return blob.sha256 == nil || (try? request.journal.hashes.sha256(of: file)) == blob.sha256
  }
}

/// Passes events on, and keeps warnings and failures.
public final class MessageRecorder: ProgressReporter {
  private let reporter: any ProgressReporter
  private let kept = Mutex<[ProgressEvent]>([])

  public init(_ reporter: any ProgressReporter) { self.reporter = reporter }

  public var messages: [ProgressEvent] { kept.withLock { $0 } }

  public func report(_ event: ProgressEvent) {
    switch event {
    case .warning, .failed: kept.withLock { $0.append(event) }
    case .started, .advanced, .finished, .skipped, .overall: break
    }
    reporter.report(event)
  }
}
