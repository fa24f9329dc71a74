internal import ArchiveIO
internal import Core
internal import CryptoIO
internal import Foundation
internal import HTTPIO
internal import Pipeline
internal import Synchronization

/// Brings files, one a thread, each by itself from the server to its place.
struct Transfers: Sendable {
  let request: FetchRequest
  /// As it was before this run.
  let lock: SourceLock
  let clients: Pool<HTTPClient>
  let retry: RetryPolicy
  let tally: Tally
  private let gate = HostGate(width: 4)

  /// More than any source of the FAA has.
  static let limit = 4 << 30

  init(
    request: FetchRequest, lock: SourceLock, clients: Pool<HTTPClient>, retry: RetryPolicy, tally: Tally
  ) {
    self.request = request
    self.lock = lock
    self.clients = clients
    self.retry = retry
    self.tally = tally
  }

  @Sendable func bring(_ prospect: Prospect) -> (FetchedSource, SourceLock.Entry?) {
    do throws(NotHad) {
      let place = try prospect.place.get()
      do {
        let (entry, received) = try bring(prospect, from: place)
        return (told(prospect, entry, received, from: place), entry)
      } catch {
        throw .failed(error, at: place.address)
      }
    } catch {
      tally.progress.report(.failed(step: prospect.path, fault: error.fault))
      return (prospect.failed(error), nil)
    }
  }

  private func bring(
    _ prospect: Prospect, from place: Prospect.Place
  ) throws -> (entry: SourceLock.Entry, received: Int) {
    let (path, before) = (prospect.path, lock[prospect.path])
    try makeFolders(for: path)
    let (entry, received) =
      switch place {
      case .kept(let entry): (try keep(entry), 0)
      case .local(let file): (try copy(file, as: prospect), 0)
      case .remote(let url, let bytes): try download(url, as: prospect, promised: bytes)
      }
    if request.isLocked, let before, before.sha256 != entry.sha256 {
      throw FetchError.changed(place.address, since: before.fetched)
    }
    try request.cache.place(entry.sha256, at: request.file(path), scratch: part(path, "link"))
    // The same file keeps the day on which it was first had.
    return (before?.sha256 == entry.sha256 && before?.url == entry.url ? before ?? entry : entry, received)
  }

  private func keep(_ entry: SourceLock.Entry) throws -> SourceLock.Entry {
    if !request.cache.holds(entry.sha256) {
      let scratch = part(entry.path, "copy")
      try? FileManager.default.removeItem(at: scratch)
      try FileManager.default.copyItem(at: request.file(entry.path), to: scratch)
      try request.cache.adopt(scratch, as: entry.sha256)
    }
    tally.add(entry.bytes)
    return entry
  }

  private func copy(_ file: URL, as prospect: Prospect) throws -> SourceLock.Entry {
    let scratch = part(prospect.path, "copy")
    try? FileManager.default.removeItem(at: scratch)
    try FileManager.default.copyItem(at: file.resolvingSymlinksInPath(), to: scratch)
    let sha256 = try SHA256Hex(ofFile: scratch)
    let bytes = try scratch.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    try check(scratch, of: prospect, sha256, bytes, address: file.path, promised: nil)
    try request.cache.adopt(scratch, as: sha256)
    tally.add(bytes)
    return entry(
      prospect.path,
      .init(url: file.path, sha256: sha256, bytes: bytes, known: HTTPValidators(), fetched: "\(request.now)"))
  }

  private func download(
    _ url: String, as prospect: Prospect, promised: Int?
  ) throws -> (SourceLock.Entry, Int) {
    let known = request.cache.note(of: url)
    let scratch = part(prospect.path, nil)
    var seen = 0
    let download = HTTPDownload(
      from: url, to: scratch, limit: Transfers.limit, known: known?.known ?? HTTPValidators())
    let ending = try gate.through(URL(string: url)?.host ?? "") {
      try clients.withItem { client in
        try download.run(by: client, retry: retry) { now in
          tally.add(now.bytes - seen)
          seen = now.bytes
        }
      }
    }
    switch ending {
    case .unchanged:
      guard let known else { throw HTTPError(.unusable, "the server says that nothing changed, of nothing") }
      tally.add(known.bytes)
      try checkEdition(
        request.cache.blob(known.sha256), of: prospect, known.sha256, known.bytes, address: url)
      return (entry(prospect.path, known), 0)
    case .complete(let whole):
      do {
        try check(scratch, of: prospect, whole.sha256, whole.bytes, address: url, promised: promised)
      } catch {
        try? FileManager.default.removeItem(at: scratch)
        throw error
      }
      let note = SourceCache.Note(
        url: url, sha256: whole.sha256, bytes: whole.bytes, known: whole.known, fetched: "\(request.now)")
      try request.cache.adopt(scratch, as: whole.sha256)
      try request.cache.remember(note)
      return (entry(prospect.path, note), whole.received)
    }
  }

  // MARK: - Checking and telling

  private func check(
    _ file: URL, of prospect: Prospect, _ sha256: SHA256Hex, _ bytes: Int, address: String, promised: Int?
  ) throws {
    try SourceCheck(file: file, url: address, promised: promised).run()
    try checkEdition(file, of: prospect, sha256, bytes, address: address)
  }

  /// The file's own path would help nobody: it is about to be removed.
  private func checkEdition(
    _ file: URL, of prospect: Prospect, _ sha256: SHA256Hex, _ bytes: Int, address: String
  ) throws {
    do {
      try request.check(
        SourceFile(url: file, sha256: sha256, bytes: bytes, isFolder: false),
        prospect.wish.narrowed(to: prospect.path))
    } catch let fault as UserError {
      throw UserError(
        fault.kind, operation: "fetching", path: address, reason: fault.reason, suggestion: fault.suggestion,
        causes: [fault])
    }
  }

  private func entry(_ path: String, _ note: SourceCache.Note) -> SourceLock.Entry {
    SourceLock.Entry(
      path: path, url: note.url, sha256: note.sha256, bytes: note.bytes, etag: note.known.etag,
      lastModified: note.known.lastModified, fetched: note.fetched)
  }

  private func told(
    _ prospect: Prospect, _ entry: SourceLock.Entry, _ received: Int, from place: Prospect.Place
  ) -> FetchedSource {
    let before = lock[prospect.path]
    let isSame = before?.sha256 == entry.sha256
    if let before, !isSame {
      tally.progress.report(
        .warning(step: prospect.path, message: "it changed since it was had at \(before.fetched)"))
    }
    if isSame, received == 0 {
      tally.progress.report(.skipped(step: prospect.path))
    } else {
      let way = received > 0 ? "\(Counts.bytes(received)) came" : place.isLocal ? "copied" : "from the cache"
      tally.progress.report(.finished(step: prospect.path, detail: "\(Counts.bytes(entry.bytes)), \(way)"))
    }
    return FetchedSource(
      path: prospect.path, state: isSame ? .here : .fetched, url: entry.url, bytes: entry.bytes,
      sha256: entry.sha256, received: received, products: prospect.products)
  }

  // MARK: - Folders

  /// Hidden, so that nobody takes for a source what is under way.
  private var partFolder: URL { request.folder.appending(path: ".fetching") }

  private func part(_ path: String, _ ending: String?) -> URL {
    let file = partFolder.appending(path: path)
    return ending.map { file.appendingPathExtension($0) } ?? file
  }

  private func makeFolders(for path: String) throws {
    guard
      path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy({ String($0).isPlainFileName })
    else { throw HTTPError(.unusable, "\"\(path)\" is no name for a source") }
    for file in [request.file(path), part(path, nil)] {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    }
  }

  /// Removes what is under way, but for what a later run can go on with: the first bytes of a file, and the note of whose they
  /// are. The rest is of somebody who was killed.
  func sweep() {
    try? FileManager.default.removeItem(at: SourceLock.scratch(in: request.folder))
    let walk = FileManager.default.enumerator(at: partFolder, includingPropertiesForKeys: [.isRegularFileKey])
    let files = (walk?.compactMap { $0 as? URL } ?? []).filter(\.isRegularFile)
    let useful = files.filter { HTTPDownload.canResume($0) }
    if useful.isEmpty {
      try? FileManager.default.removeItem(at: partFolder)
    } else {
      for file in Set(files).subtracting(useful) { try? FileManager.default.removeItem(at: file) }
    }
  }
}

/// Lets only so many in for one server.
final class HostGate: Sendable {
  private let width: Int
  private let busy = Mutex<[String: Int]>([:])
  private let bell = NSCondition()

  init(width: Int) { self.width = width }

  func through<Value>(_ host: String, _ body: () throws -> Value) rethrows -> Value {
    bell.lock()
    while !enter(host) { bell.wait() }
    bell.unlock()
    defer {
      bell.lock()
      busy.withLock { $0[host, default: 1] -= 1 }
      bell.broadcast()
      bell.unlock()
    }
    return try body()
  }

  private func enter(_ host: String) -> Bool {
    busy.withLock { busy in
      guard busy[host, default: 0] < width else { return false }
      busy[host, default: 0] += 1
      return true
    }
  }
}

/// Counts the bytes of all files together.
final class Tally: Sendable {
  let progress: any ProgressReporter
  private let total: Int
  private let done = Mutex(0)

  init(_ total: Int, _ progress: any ProgressReporter) {
    self.total = total
    self.progress = progress
  }

  func add(_ bytes: Int) {
    let done = done.withLock { done in
      done += bytes
      return done
    }
    guard total > 0 else { return }
    progress.report(
      .advanced(step: "fetch", done: min(done, total) / 1000, total: total / 1000, unit: "kB"))
  }
}

/// Whether what a server gave is what it should be: all of an archive whose members are right, and no page about an error.
struct SourceCheck {
  let file: URL
  /// As people know it.
  let url: String
  /// The bytes that a listing promised.
  let promised: Int?

  func run() throws {
    let size = try FileHandle(forReadingFrom: file).seekToEnd()
    let start = try FileHandle(forReadingFrom: file).read(upToCount: 512) ?? Data()
    guard !start.isEmpty else { throw fault("it is empty") }
    if isPage(start) { throw fault("this is a web page, which the server gave in place of the file") }
    guard url.lowercased().hasSuffix(".zip") else { return }
    do {
      try readAll()
    } catch {
      throw fault(verdict(size: Int(size), error), causes: [error])
    }
  }

  /// Each member's CRC is compared when its end is reached.
  private func readAll() throws {
    let archive = try ZipArchive(path: file.path)
    guard !archive.members.isEmpty else { throw ZipError.library("nothing is in it") }
    for member in archive.members where member.size > 0 {
      try archive.read(member, inPiecesOf: 1 << 18) { _ in }
    }
  }

  private func verdict(size: Int, _ error: any Error) -> String {
    if SourceCheck.cutSizes.contains(size) {
      return "it is cut short at exactly \(Counts.grouped(size)) bytes, as copies in web archives are"
    }
    if let promised, size < promised {
      return
        "it is cut short: \(Counts.grouped(size)) bytes came, the folder's listing says \(Counts.grouped(promised))"
    }
    return "the zip archive is cut short or damaged: \(error)"
  }

  /// At which archives of the web are known to end large files.
  private static let cutSizes = [1_048_576, 5_242_880]

  private func isPage(_ start: Data) -> Bool {
    let text = String(decoding: start, as: UTF8.self).lowercased()
    return text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.hasPrefix("<")
      && ["<!doctype html", "<html", "<head", "<body"].contains { text.contains($0) }
  }

  private func fault(_ problem: String, causes: [any Error] = []) -> UserError {
    UserError(
      .badInput, operation: "fetching", path: url, reason: problem,
      suggestion: "Nothing of it is kept. Try again later, or name another place with --from.", causes: causes
    )
  }
}
