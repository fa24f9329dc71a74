internal import Core
internal import CryptoIO
public import Foundation
internal import HTTPIO
internal import Pipeline

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Files by their hashes, `ab/<sha256>`, for all cycles and work folders; beside them, by address, what was last had from there.
///
/// Several runs may use it at the same time: files come in by renaming, and are held against their hash before they go out.
public struct SourceCache: Sendable {
  public let root: URL

  /// What was last had from an address.
  struct Note: Codable, Equatable {
    var url: String
    var sha256: SHA256Hex
    var bytes: Int
    var known: HTTPValidators
    var fetched: String
  }

  public init(_ root: URL) { self.root = root }

  /// Where caches belong on this system.
  public static func usual(_ environment: [String: String]) -> URL {
    let place = { (name: String) in environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let base =
      place("XDG_CACHE_HOME") ?? (place("HOME") ?? FileManager.default.temporaryDirectory.path) + "/.cache"
    return URL(filePath: base, directoryHint: .isDirectory).appending(path: "chartpipe")
  }

  func blob(_ sha256: SHA256Hex) -> URL { root.appending(path: "\(sha256.text.prefix(2))/\(sha256)") }

  /// Whether the file is here with all its bytes; one that is not what it should be is removed.
  func holds(_ sha256: SHA256Hex) -> Bool {
    let file = blob(sha256)
    guard file.isRegularFile else { return false }
    if (try? SHA256Hex(ofFile: file)) == sha256 { return true }
    try? FileManager.default.removeItem(at: file)
    return false
  }

  /// Says that files come in, until it is let go of, and first clears what somebody who was killed left half made.
  func enter() -> FolderLock? {
    guard (try? makeFolder(scratchFolder)) != nil else { return nil }
    return FolderLock(sharing: scratchFolder) {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: scratchFolder.path)) ?? []
      for name in names { try? FileManager.default.removeItem(at: scratchFolder.appending(path: name)) }
    }
  }

  // MARK: - By address

  /// Nil when nothing is known, or what is known is not here any more.
  func note(of url: String) -> Note? {
    guard let file = try? noteFile(url), let data = try? Data(contentsOf: file),
      let note = try? JSONDecoder().decode(Note.self, from: data), note.url == url
    else { return nil }
    return holds(note.sha256) ? note : nil
  }

  func remember(_ note: Note) throws {
    let final = try noteFile(note.url)
    try makeFolder(final.deletingLastPathComponent())
    try DurableFile.write(CanonicalJSON.pretty(note), to: final, scratch: scratch())
  }

  private func noteFile(_ url: String) throws -> URL {
    let key = try SHA256Hex(of: Array(url.utf8))
    return root.appending(path: "addresses/\(key.text.prefix(2))/\(key).json")
  }

  // MARK: - In and out

  /// Takes a file in, which is then no longer where it was.
  func adopt(_ file: URL, as sha256: SHA256Hex) throws {
    let final = blob(sha256)
    try makeFolder(final.deletingLastPathComponent())
    // Whoever edits a file of the work folder would edit the cache too, where they are one.
    try? FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.path)
    if rename(file.path, final.path) == 0 { return }
    // On another disk.
    let scratch = try scratch()
    defer { unlink(scratch.path) }  // half of it, were the disk full
    try FileManager.default.copyItem(at: file, to: scratch)
    try DurableFile.publish(scratch, as: final)
    try FileManager.default.removeItem(at: file)
  }

  /// Brings a file that it holds to its place, as another name of the same file or as a copy.
  func place(_ sha256: SHA256Hex, at final: URL, scratch: URL) throws {
    if isSame(final, blob(sha256)) { return }
    if final.isRegularFile, try SHA256Hex(ofFile: final) == sha256 { return }
    try? FileManager.default.removeItem(at: scratch)
    if link(blob(sha256).path, scratch.path) != 0 {
      try FileManager.default.copyItem(at: blob(sha256), to: scratch)
    }
    try DurableFile.publish(scratch, as: final)
  }

  private func isSame(_ one: URL, _ other: URL) -> Bool {
    var (a, b) = (stat(), stat())
    return lstat(one.path, &a) == 0 && lstat(other.path, &b) == 0 && a.st_ino == b.st_ino
      && a.st_dev == b.st_dev
  }

  private var scratchFolder: URL { root.appending(path: "scratch") }

  private func scratch() throws -> URL {
    try makeFolder(scratchFolder)
    return scratchFolder.appending(path: UUID().uuidString)
  }

  private func makeFolder(_ folder: URL) throws {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw UserError(
        .failed, operation: "writing into the cache", path: folder.path, reason: error.fileErrorReason,
        suggestion: "Name a folder of your own with --cache.", causes: [error])
    }
  }
}

extension SourceCache {
  /// Removes the notes of what was not had since `noted`, and the files that neither a note nor a work folder has.
  ///
  /// - Parameter settled: younger files stay: another run may have just taken them in, and not noted them yet.
  /// - Returns: how many files were removed, and their bytes.
  public func prune(noted oldest: Date, settled: Date) throws -> (files: Int, bytes: Int) {
    var noted: Set<String> = []
    for file in files(below: "addresses") {
      if Facts(file).map({ $0.changed < oldest }) ?? true {
        try remove(file)
      } else if let note = try? JSONDecoder().decode(Note.self, from: Data(contentsOf: file)) {
        noted.insert(note.sha256.text)
      }
    }
    var removed = (files: 0, bytes: 0)
    for file in blobs() where !noted.contains(file.lastPathComponent) {
      guard let facts = Facts(file), facts.isAlone, facts.changed < settled else { continue }
      try remove(file)
      removed = (removed.files + 1, removed.bytes + facts.bytes)
    }
    return removed
  }

  /// Taking a file in, and giving it to a work folder as another name of it, both change it in this sense.
  private struct Facts {
    let changed: Date
    let isAlone: Bool
    let bytes: Int

    init?(_ file: URL) {
      var facts = stat()
      guard lstat(file.path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
      #if canImport(Glibc)
        changed = Date(timeIntervalSince1970: Double(facts.st_ctim.tv_sec))
      #else
        changed = Date(timeIntervalSince1970: Double(facts.st_ctimespec.tv_sec))
      #endif
      isAlone = facts.st_nlink == 1
      bytes = Int(facts.st_size)
    }
  }

  private func blobs() -> [URL] {
    names(in: "").filter { $0.utf8.count == 2 }.flatMap { files(below: $0) }
      .filter { $0.lastPathComponent.utf8.count == 64 }
  }

  private func files(below path: String) -> [URL] {
    names(in: path).flatMap { name in
      let inner = "\(path)/\(name)"
      return root.appending(path: inner).kindOnDisk == .folder
        ? files(below: inner) : [root.appending(path: inner)]
    }
  }

  private func names(in path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: path).path)) ?? []).sorted()
  }

  private func remove(_ file: URL) throws {
    do {
      try FileManager.default.removeItem(at: file)
    } catch {
      throw UserError(
        .failed, operation: "removing what is out of date", path: file.path, reason: error.fileErrorReason,
        suggestion: "Check the permissions of the cache.", causes: [error])
    }
  }
}
