public import Core
internal import CryptoIO
public import Foundation
internal import Synchronization

/// The SHA-256 of files, remembered as long as a file's identity, size and times stay the same.
///
/// A changed file is always noticed, even one of the same size with its old modification time: no program can set the time of
/// the inode's last change. A hash is remembered only if it was computed so long after that time that a later change would get
/// another one. What is not noticed: a disk that returns other bytes than were written, and a program that goes on writing through a
/// mapping of a file into memory. `verify` and `--rehash` read the files.
public final class FileHashes: Sendable {
  private struct Entry: Codable {
    let stamp: FileStamp
    let sha256: SHA256Hex
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var isChanged = false
  }

  private let state: Mutex<State>
  private let workspace: Workspace?

  /// Remembers hashes for this process only.
  public init() {
    workspace = nil
    state = Mutex(State())
  }

  /// Remembers hashes in a work folder.
  ///
  /// - Parameter rehash: whether to ignore the hashes of earlier runs.
  public init(in workspace: Workspace, rehash: Bool = false) {
    self.workspace = workspace
    state = Mutex(State(entries: rehash ? [:] : FileHashes.read(workspace), isChanged: rehash))
  }

  /// Returns the hash of a file, which is read only if it may have changed since it was hashed.
  public func sha256(of file: URL) throws -> SHA256Hex {
    if let known = known(file) { return known }
    return try hash(file).sha256
  }

  /// The same for a large file that was just finished: waits some milliseconds until its hash can be remembered.
  func sha256(ofFinished file: URL) throws -> SHA256Hex {
    let large = 1 << 18
    if let stamp = FileStamp(file), stamp.bytes >= large, known(file) == nil {
      let wait = stamp.unsettled(at: Date())
      if wait > 0, wait < 0.1 { Thread.sleep(forTimeInterval: wait) }
    }
    return try sha256(of: file)
  }

  /// Moves a finished scratch file to its final name, which changes the time of the inode.
  ///
  /// - Parameters:
  ///   - known: the hash, if the file's maker computed it; the file is not read again then.
  ///   - check: throws if the hash is wrong; the file is not moved then.
  public func publish(
    _ scratch: URL, as final: URL, knownAs known: SHA256Hex? = nil,
    check: (SHA256Hex) throws -> Void = { _ in }
  ) throws {
    let (sha256, before) = try known.map { ($0, FileStamp(scratch)) } ?? hash(scratch)
    try check(sha256)
    try DurableFile.publish(scratch, as: final)
    remember([final], sha256, ifSameAs: before)
  }

  /// Gives a file a second name (a hard link).
  ///
  /// - Parameters:
  ///   - scratch: a free name in the folder's disk, for the moment before the rename.
  ///   - check: throws if the hash is wrong; there is no second name then.
  /// - Returns: false if the file system has no such links, or the names are on different disks.
  func link(_ file: URL, as final: URL, scratch: URL, check: (SHA256Hex) throws -> Void) throws -> Bool {
    let sha256 = try sha256(of: file)
    try check(sha256)
    let before = FileStamp(file)
    guard (try? FileManager.default.linkItem(at: file.resolvingSymlinksInPath(), to: scratch)) != nil else {
      return false
    }
    try DurableFile.publish(scratch, as: final)
    remember([file, final], sha256, ifSameAs: before)
    return true
  }

  private func known(_ file: URL) -> SHA256Hex? {
    guard let entry = state.withLock({ $0.entries[file.path] }), entry.stamp == FileStamp(file) else {
      return nil
    }
    return entry.sha256
  }

  /// - Returns: the hash, and the stamp of the file before it was read; nil if it may have changed meanwhile.
  private func hash(_ file: URL) throws -> (sha256: SHA256Hex, stamp: FileStamp?) {
    let (begin, before) = (Date(), FileStamp(file))
    let sha256 = try SHA256Hex(ofFile: file)
    guard let before, before == FileStamp(file) else { return (sha256, nil) }
    if before.unsettled(at: begin) <= 0 { remember(file, Entry(stamp: before, sha256: sha256)) }
    return (sha256, before)
  }

  /// Remembers the hash of a file under its names, unless it changed since a stamp was taken.
  private func remember(_ names: [URL], _ sha256: SHA256Hex, ifSameAs before: FileStamp?) {
    guard let before, let after = FileStamp(names[0]), after.isSameContent(as: before) else { return }
    for name in names { remember(name, Entry(stamp: after, sha256: sha256)) }
  }

  private func remember(_ file: URL, _ entry: Entry) {
    state.withLock {
      $0.entries[file.path] = entry
      $0.isChanged = true
    }
  }

  // MARK: - The file

  /// The form of the file, which begins with a hash.
  static let form = "chartpipe file hashes 2"

  /// Returns the entries of a complete file; none for a missing or damaged one, which only costs time.
  private static func read(_ workspace: Workspace) -> [String: Entry] {
    let content = (try? Data(contentsOf: workspace.fileHashes))?.unsealed(as: form)
    let entries = content.flatMap { try? JSONDecoder().decode([String: Entry].self, from: $0) } ?? [:]
    let paths = entries.map { path, entry in
      (path.hasPrefix("/") ? path : "\(workspace.root.path)/\(path)", entry)
    }
    return Dictionary(paths) { _, last in last }
  }

  /// Writes the hashes of the files that still exist unchanged. A failure only costs the next run time.
  public func save() {
    guard let workspace else { return }
    let (entries, isChanged) = state.withLock { state in
      defer { state.isChanged = false }
      return (state.entries, state.isChanged)
    }
    guard isChanged else { return }
    let root = workspace.root.path + "/"
    let kept = entries.filter { FileStamp(URL(filePath: $0.key)) == $0.value.stamp }
    let paths = kept.map { path, entry in (String(path.trimmingPrefix(root)), entry) }
    guard let content = try? CanonicalJSON.line(Dictionary(uniqueKeysWithValues: paths)) else { return }
    try? DurableFile.write(
      content.sealed(as: FileHashes.form), to: workspace.fileHashes,
      scratch: workspace.scratchFile(workspace.fileHashes.lastPathComponent))
  }
}
