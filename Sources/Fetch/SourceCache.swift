internal import Core
internal import CryptoIO
public import Foundation
internal import HTTPIO

/// A cache of source files for all cycles and work folders: files named by their hashes, `ab/<sha256>`, and a record of the last
/// download from each address.
///
/// Several runs may use it at the same time: files are added by renaming, and their hashes are verified at each use.
public struct SourceCache: Sendable {
  public let root: URL

  /// The record of the last download from an address.
  struct Download: Codable, Equatable {
    var url: String
    var sha256: SHA256Hex
    var bytes: Int
    var known: HTTPValidators
    var fetched: String
  }

  public init(_ root: URL) { self.root = root }

  /// The default folder: below `XDG_CACHE_HOME`, or else below `~/.cache`.
  public static func defaultFolder(_ environment: [String: String]) -> URL {
    let place = { (name: String) in environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let base =
      place("XDG_CACHE_HOME") ?? (place("HOME") ?? FileManager.default.temporaryDirectory.path) + "/.cache"
    return URL(filePath: base, directoryHint: .isDirectory).appending(path: "chartpipe")
  }

  func blob(_ sha256: SHA256Hex) -> URL { root.appending(path: "\(sha256.text.prefix(2))/\(sha256)") }

  /// Whether the cache has the file. A file with a wrong hash is removed.
  func holds(_ sha256: SHA256Hex) -> Bool {
    let file = blob(sha256)
    guard file.isRegularFile else { return false }
    if (try? SHA256Hex(ofFile: file)) == sha256 { return true }
    try? FileManager.default.removeItem(at: file)
    return false
  }

  /// Locks the scratch folder for adding files until the lock is released, and first removes what killed runs left in it.
  func startAdding() -> FolderLock? {
    guard (try? makeFolder(scratchFolder)) != nil else { return nil }
    return FolderLock(sharing: scratchFolder) {
      for name in scratchFolder.names {
        try? FileManager.default.removeItem(at: scratchFolder.appending(path: name))
      }
    }
  }

  // MARK: - Downloads by address

  /// Returns the last download from an address whose file is still in the cache.
  func download(from url: String) -> Download? {
    guard let file = try? downloadFile(url), let data = try? Data(contentsOf: file),
      let download = try? JSONDecoder().decode(Download.self, from: data), download.url == url
    else { return nil }
    return holds(download.sha256) ? download : nil
  }

  func record(_ download: Download) throws {
    let final = try downloadFile(download.url)
    try makeFolder(final.deletingLastPathComponent())
    try DurableFile.write(CanonicalJSON.pretty(download), to: final, scratch: scratch())
  }

  private func downloadFile(_ url: String) throws -> URL {
    let key = try SHA256Hex(of: Array(url.utf8))
    return root.appending(path: "addresses/\(key.text.prefix(2))/\(key).json")
  }

  // MARK: - Adding and using files

  /// Moves a file into the cache.
  func add(_ file: URL, as sha256: SHA256Hex) throws {
    let final = blob(sha256)
    try makeFolder(final.deletingLastPathComponent())
    // Read-only, because an edit of a linked file in the work folder would change the cache too.
    try? FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.path)
    if rename(file.path, final.path) == 0 { return }
    // The file is on another disk.
    let scratch = try scratch()
    defer { unlink(scratch.path) }  // an incomplete copy, if the disk is full
    try FileManager.default.copyItem(at: file, to: scratch)
    try DurableFile.publish(scratch, as: final)
    try FileManager.default.removeItem(at: file)
  }

  /// Links or copies a file of the cache to its place in a work folder.
  func place(_ sha256: SHA256Hex, at final: URL, scratch: URL) throws {
    if final.isRegularFile, FileStamp(final) == FileStamp(blob(sha256)) { return }
    if final.isRegularFile, try SHA256Hex(ofFile: final) == sha256 { return }
    try? FileManager.default.removeItem(at: scratch)
    if link(blob(sha256).path, scratch.path) != 0 {
      try FileManager.default.copyItem(at: blob(sha256), to: scratch)
    }
    try DurableFile.publish(scratch, as: final)
  }

  private var scratchFolder: URL { root.appending(path: "scratch") }

  private func scratch() throws -> URL {
    try makeFolder(scratchFolder)
    return scratchFolder.appending(path: UUID().uuidString)
  }

  private func makeFolder(_ folder: URL) throws {
    try UserError.wrapping(
      "writing into the cache", folder.path, suggestion: "Name another folder with --cache."
    ) { try folder.createFolder() }
  }
}

extension SourceCache {
  /// Removes the records of old downloads, and the files that no record and no work folder uses.
  ///
  /// - Parameters:
  ///   - oldest: Records of downloads before this date are removed.
  ///   - unused: Files added or linked since this date stay, since another run may not have recorded them yet.
  /// - Returns: the number of removed files and their bytes.
  func prune(downloadedBefore oldest: Date, unusedSince unused: Date) throws -> (files: Int, bytes: Int) {
    var recorded: Set<String> = []
    for file in files(below: "addresses") {
      if FileStamp(file).map({ $0.changed < oldest }) ?? true {
        try remove(file)
      } else if let download = try? JSONDecoder().decode(Download.self, from: Data(contentsOf: file)) {
        recorded.insert(download.sha256.text)
      }
    }
    var removed = (files: 0, bytes: 0)
    for file in blobs() where !recorded.contains(file.lastPathComponent) {
      guard file.isRegularFile, let stamp = FileStamp(file), !stamp.hasOtherNames, stamp.changed < unused
      else { continue }
      try remove(file)
      removed = (removed.files + 1, removed.bytes + stamp.bytes)
    }
    return removed
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

  private func names(in path: String) -> [String] { root.appending(path: path).names }

  private func remove(_ file: URL) throws {
    try UserError.wrapping(
      "pruning the cache", file.path, suggestion: "Check the permissions of the cache."
    ) { try FileManager.default.removeItem(at: file) }
  }
}
