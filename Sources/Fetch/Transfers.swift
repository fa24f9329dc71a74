internal import ArchiveIO
internal import Core
internal import CryptoIO
internal import Foundation
internal import HTTPIO
internal import Synchronization

/// Transfers files into the cycle's folder, each on its own thread: download, check, add to the cache, link.
struct Transfers: Sendable {
  let request: FetchRequest
  /// The lock file before this run.
  let lock: SourceLock
  let clients: Pool<HTTPClient>
  let progress: TransferProgress
  private let hosts = HostLimit(connections: 4)

  /// Larger than any source of the FAA.
  static let limit = 4 << 30

  @Sendable func fetch(_ result: LookupResult) -> (FetchedSource, SourceLock.Entry?) {
    do throws(Unavailable) {
      let location = try result.location.get()
      return try explaining({ Unavailable.failed($0, at: location.address) }) {
        let (entry, received) = try fetch(result, from: location)
        return (report(result, entry, received, from: location), entry)
      }
    } catch {
      // Failures of servers are reported at the end, one for each server.
      if error.server == nil {
        progress.reporter.report(.failed(step: result.path, fault: error.error))
      }
      return (result.failed(error), nil)
    }
  }

  private func fetch(
    _ result: LookupResult, from location: LookupResult.Location
  ) throws -> (entry: SourceLock.Entry, received: Int) {
    let (path, before) = (result.path, lock[result.path])
    try makeFolders(for: path)
    let (entry, received) =
      switch location {
      case .stored(let entry): (try addToCache(entry), 0)
      case .local(let file): (try copy(file, as: result), 0)
      case .remote(let url, let bytes): try download(url, as: result, listedSize: bytes)
      }
    if request.isLocked, let before, before.sha256 != entry.sha256 {
      throw UserError.fetching(
        .refused, location.address,
        "this is not the file that the lock file names, which was fetched at \(before.fetched)",
        "Fetch without --locked to use the new file, or name a place that has the old one with --from.")
    }
    try request.cache.place(entry.sha256, at: request.file(path), scratch: part(path, "link"))
    // An unchanged file keeps the date of its first download.
    return (before?.sha256 == entry.sha256 && before?.url == entry.url ? before ?? entry : entry, received)
  }

  private func addToCache(_ entry: SourceLock.Entry) throws -> SourceLock.Entry {
    if !request.cache.holds(entry.sha256) {
      let scratch = try copied(request.file(entry.path), as: entry.path)
      try request.cache.add(scratch, as: entry.sha256)
    }
    progress.add(entry.bytes)
    return entry
  }

  private func copy(_ file: URL, as result: LookupResult) throws -> SourceLock.Entry {
    let scratch = try copied(file.resolvingSymlinksInPath(), as: result.path)
    let sha256 = try SHA256Hex(ofFile: scratch)
    let bytes = try scratch.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    try check(scratch, of: result, sha256, bytes, address: file.path, listedSize: nil)
    try request.cache.add(scratch, as: sha256)
    progress.add(bytes)
    return entry(
      result.path,
      .init(url: file.path, sha256: sha256, bytes: bytes, known: HTTPValidators(), fetched: "\(request.now)"))
  }

  private func copied(_ file: URL, as path: String) throws -> URL {
    let scratch = part(path, "copy")
    try? FileManager.default.removeItem(at: scratch)
    try FileManager.default.copyItem(at: file, to: scratch)
    return scratch
  }

  private func download(
    _ url: String, as result: LookupResult, listedSize: Int?
  ) throws -> (SourceLock.Entry, Int) {
    let known = request.cache.download(from: url)
    let scratch = part(result.path, nil)
    var seen = 0
    let download = HTTPDownload(
      from: url, to: scratch, limit: Transfers.limit, known: known?.known ?? HTTPValidators())
    let outcome = try hosts.run(URL(string: url)?.host ?? "") {
      try clients.withItem { client in
        try download.run(by: client, retry: request.retry) { bytes in
          progress.add(bytes - seen)
          seen = bytes
        }
      }
    }
    guard let whole = outcome else {
      guard let known else {
        throw HTTPError(.unusable, "the server answers \"not modified\" to an unconditional request")
      }
      progress.add(known.bytes)
      try checkEdition(request.cache.blob(known.sha256), of: result, known.sha256, known.bytes, address: url)
      return (entry(result.path, known), 0)
    }
    do {
      try check(scratch, of: result, whole.sha256, whole.bytes, address: url, listedSize: listedSize)
    } catch {
      try? FileManager.default.removeItem(at: scratch)
      throw error
    }
    let record = SourceCache.Download(
      url: url, sha256: whole.sha256, bytes: whole.bytes, known: whole.known, fetched: "\(request.now)")
    try request.cache.add(scratch, as: whole.sha256)
    try request.cache.record(record)
    return (entry(result.path, record), whole.received)
  }

  // MARK: - Checking and reporting

  private func check(
    _ file: URL, of result: LookupResult, _ sha256: SHA256Hex, _ bytes: Int, address: String, listedSize: Int?
  ) throws {
    try checkComplete(file, url: address, listedSize: listedSize)
    try checkEdition(file, of: result, sha256, bytes, address: address)
  }

  /// The error names the address, since the downloaded file is about to be removed.
  private func checkEdition(
    _ file: URL, of result: LookupResult, _ sha256: SHA256Hex, _ bytes: Int, address: String
  ) throws {
    do {
      try result.requirement.check(
        SourceFile(url: file, sha256: sha256, bytes: bytes, isFolder: false), result.path)
    } catch let error as UserError {
      throw UserError(
        error.kind, operation: "fetching", path: address, reason: error.reason, suggestion: error.suggestion,
        causes: [error])
    }
  }

  private func entry(_ path: String, _ download: SourceCache.Download) -> SourceLock.Entry {
    SourceLock.Entry(
      path: path, url: download.url, sha256: download.sha256, bytes: download.bytes,
      etag: download.known.etag, lastModified: download.known.lastModified, fetched: download.fetched)
  }

  private func report(
    _ result: LookupResult, _ entry: SourceLock.Entry, _ received: Int, from location: LookupResult.Location
  ) -> FetchedSource {
    let before = lock[result.path]
    let isSame = before?.sha256 == entry.sha256
    if let before, !isSame {
      progress.reporter.warn(result.path, "it changed since it was fetched at \(before.fetched)")
    }
    if isSame, received == 0 {
      progress.reporter.report(.skipped(step: result.path))
    } else {
      let origin =
        received > 0
        ? "\(Counts.bytes(received)) downloaded" : location.isLocal ? "copied" : "from the cache"
      progress.reporter.finish(result.path, "\(Counts.bytes(entry.bytes)), \(origin)")
    }
    return FetchedSource(
      path: result.path, state: isSame ? .here : .fetched, url: entry.url, bytes: entry.bytes,
      sha256: entry.sha256, received: received, products: result.products)
  }

  // MARK: - Folders

  /// Hidden, so that incomplete files are not taken for sources.
  private var partFolder: URL { request.folder.appending(path: ".fetching") }

  private func part(_ path: String, _ ending: String?) -> URL {
    let file = partFolder.appending(path: path)
    return ending.map { file.appendingPathExtension($0) } ?? file
  }

  private func makeFolders(for path: String) throws {
    guard
      path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy({ String($0).isPlainFileName })
    else { throw HTTPError(.unusable, "\"\(path)\" is not a valid name of a source") }
    for file in [request.file(path), part(path, nil)] { try file.deletingLastPathComponent().createFolder() }
  }

  /// Removes the incomplete files of this run and of killed runs, except downloads that a later run can resume.
  func removeLeftovers() {
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

/// Limits the number of connections to each host.
final class HostLimit: Sendable {
  private let connections: Int
  private let hosts = Mutex<[String: DispatchSemaphore]>([:])

  init(connections: Int) { self.connections = connections }

  /// Waits for a free connection, and blocks the thread meanwhile.
  func run<Value>(_ host: String, _ body: () throws -> Value) rethrows -> Value {
    let free = hosts.withLock { hosts in
      let free = hosts[host] ?? DispatchSemaphore(value: connections)
      hosts[host] = free
      return free
    }
    free.wait()
    defer { free.signal() }
    return try body()
  }
}

/// Reports the bytes of all files together.
final class TransferProgress: Sendable {
  let reporter: any ProgressReporter
  private let total: Int
  private let done = Mutex(0)

  init(total: Int, _ reporter: any ProgressReporter) { (self.total, self.reporter) = (total, reporter) }

  func add(_ bytes: Int) {
    let done = done.withLock { done in
      done += bytes
      return done
    }
    guard total > 0 else { return }
    reporter.report(.advanced(step: "fetch", done: min(done, total) / 1000, total: total / 1000, unit: "kB"))
  }
}

extension Transfers {
  /// Checks that a downloaded file is complete: a zip archive with correct checksums, and not an error page.
  ///
  /// - Parameters:
  ///   - url: the address for error messages.
  ///   - listedSize: the size in the server's listing of the folder.
  private func checkComplete(_ file: URL, url: String, listedSize: Int?) throws {
    func fault(_ problem: String, causes: [any Error] = []) -> UserError {
      .fetching(
        .badInput, url, problem,
        "The file was removed. Try again later, or name another place with --from.", causes: causes)
    }
    let (start, size) = (try file.firstBytes(512), file.byteCount ?? 0)
    guard !start.isEmpty else { throw fault("it is empty") }
    if Transfers.isPage(start) { throw fault("the server sent a web page in place of the file") }
    guard url.lowercased().hasSuffix(".zip") else { return }
    try explaining({ fault(Transfers.reason(size, listedSize, $0), causes: [$0]) }) {
      // Each member's CRC is compared when its end is reached.
      let archive = try ZipArchive(path: file.path)
      guard !archive.members.isEmpty else { throw ZipError.library("it has no members") }
      for member in archive.members where member.size > 0 {
        try archive.read(member, inPiecesOf: 1 << 18) { _ in }
      }
    }
  }

  private static func reason(_ size: Int, _ listedSize: Int?, _ error: any Error) -> String {
    if cutSizes.contains(size) {
      return "it is cut short at exactly \(Counts.grouped(size)) bytes, as copies in web archives are"
    }
    if let listedSize, size < listedSize {
      return
        "it is cut short: it has \(Counts.grouped(size)) bytes, the folder's listing says \(Counts.grouped(listedSize))"
    }
    return "the zip archive is cut short or damaged: \(error)"
  }

  /// The sizes at which web archives cut large files.
  private static let cutSizes = [1_048_576, 5_242_880]

  private static func isPage(_ start: [UInt8]) -> Bool {
    let text = String(decoding: start, as: UTF8.self).lowercased()
    return text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.hasPrefix("<")
      && ["<!doctype html", "<html", "<head", "<body"].contains { text.contains($0) }
  }
}
