internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A site that is published into a folder, such as the one that a web server hands out.
struct FolderStore: ObjectStore {
  let root: URL
  var name: String { root.path }
  /// A name beside the objects, under which one is made before it gets its own.
  private var scratch: URL { root.appending(path: FolderStore.scratchPrefix + UUID().uuidString) }

  private static let scratchPrefix = ".publishing-"

  private static let piece = 1 << 20
  /// A condition is decided in an instant, so whoever holds the folder for longer is not publishing, but staging into it.
  private static let patience = 10.0

  init(root: URL) {
    self.root = root.resolvingSymlinksInPath()
  }

  // MARK: - Reading

  func read(_ key: String) throws -> StoredObject? {
    let file = try place(of: key)
    guard file.kindOnDisk == .file else { return nil }
    return try using("reading", key) {
      let data = try Data(contentsOf: file)
      return StoredObject(data: data, tag: try tag(of: SHA256Hex(of: Array(data))))
    }
  }

  func read(_ key: String, _ receive: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
    let file = try place(of: key)
    guard file.kindOnDisk == .file else { return false }
    try pieces(of: file, key, receive)
    return true
  }

  func list(_ prefix: String) throws -> [ListedObject] {
    let folder = prefix.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    let start = folder.isEmpty ? root : try place(of: folder)
    guard start.kindOnDisk == .folder else { return [] }
    return try using("listing", prefix) { try objects(in: start, folder.isEmpty ? "" : folder + "/") }
      .filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }
  }

  /// What cannot be read is an error and not an empty folder: whoever removes what is no longer named relies on it.
  private func objects(in folder: URL, _ prefix: String) throws -> [ListedObject] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).flatMap { name -> [ListedObject] in
      guard !name.hasPrefix(FolderStore.scratchPrefix) else { return [] }
      let file = folder.appending(path: name)
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      switch attributes[.type] as? FileAttributeType {
      case .typeDirectory?: return try objects(in: file, prefix + name + "/")
      case .typeRegular?: return [ListedObject(key: prefix + name, bytes: attributes[.size] as? Int ?? 0)]
      default: return []
      }
    }
  }

  // MARK: - Writing

  @discardableResult
  func put(
    _ body: ObjectBody, at key: String, _ headers: ObjectHeaders, if condition: PutCondition
  ) throws -> ObjectTag? {
    try using("making", "") {
      try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }
    let final = try placeForWriting(key)
    if case .file(let source, _, let sha256) = body, condition == .always {
      return try copy(source, sha256, to: final, key)
    }
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    guard try holds(condition, key) else { return nil }
    switch body {
    case .file(let source, _, let sha256): return try copy(source, sha256, to: final, key)
    case .data(let data):
      try DurableFile.write(data, to: final, scratch: scratch)
      return tag(of: try SHA256Hex(of: Array(data)))
    }
  }

  func remove(_ key: String) throws {
    let file = try placeForWriting(key)
    guard (try? FileManager.default.attributesOfItem(atPath: file.path)) != nil else { return }
    try using("removing", key) { try FileManager.default.removeItem(at: file) }
    removeEmptyFolders(above: file)
  }

  func clearLeftovers() throws {
    guard root.kindOnDisk == .folder else { return }
    let lock = try lock()  // no other process is in the middle of a small one
    defer { withExtendedLifetime(lock) {} }
    try using("clearing", "") {
      for name in try leftovers() { try FileManager.default.removeItem(at: root.appending(path: name)) }
    }
  }

  func hasLeftovers() throws -> Bool {
    guard root.kindOnDisk == .folder else { return false }
    return try using("listing", "") { try !leftovers().isEmpty }
  }

  private func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.path)
      .filter { $0.hasPrefix(FolderStore.scratchPrefix) }
  }

  private func holds(_ condition: PutCondition, _ key: String) throws -> Bool {
    switch condition {
    case .always: true
    case .isAbsent: try read(key) == nil
    case .isStill(let tag): try read(key)?.tag == tag
    }
  }

  /// Hashes what it copies: what is damaged does not get a name.
  private func copy(_ source: URL, _ sha256: SHA256Hex, to final: URL, _ key: String) throws -> ObjectTag {
    let copy = scratch
    defer { try? FileManager.default.removeItem(at: copy) }  // there is none any more when all went well
    let hash = try using("writing", key) {
      // Not `createFile`, which writes a temporary file under a name of its own that a kill would leave behind.
      try Data().write(to: copy)
      let handle = try FileHandle(forWritingTo: copy)
      defer { try? handle.close() }
      let digest = try Digest(.sha256)
      try pieces(of: source, key) {
        try digest.update($0)
        try handle.write(contentsOf: Data($0))
      }
      return try SHA256Hex(finishing: digest)
    }
    guard hash == sha256 else {
      throw UserError(
        .badInput, operation: "publishing", path: source.path,
        reason: "its SHA-256 is not the one that its manifest gives", suggestion: "Stage that product again.")
    }
    try DurableFile.publish(copy, as: final)
    return tag(of: hash)
  }

  private func pieces(of file: URL, _ key: String, _ receive: (UnsafeRawBufferPointer) throws -> Void) throws
  {
    let handle = try using("reading", key) { try FileHandle(forReadingFrom: file) }
    defer { try? handle.close() }
    while let piece = try using("reading", key, { try handle.read(upToCount: FolderStore.piece) }),
      !piece.isEmpty
    {
      try piece.withUnsafeBytes(receive)
    }
  }

  private func tag(of hash: SHA256Hex) -> ObjectTag { ObjectTag(text: hash.text) }

  private func lock() throws -> FolderLock {
    try FolderLock(
      root, operation: "publishing to", suggestion: "Wait for it to end.", timeout: FolderStore.patience)
  }
}

extension FolderStore {
  /// The file that is an object; a key that would lead out of the folder is refused.
  func place(of key: String) throws -> URL {
    let parts = key.split(separator: "/", omittingEmptySubsequences: false)
    guard !key.utf8.contains(0), parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
      throw UserError(
        .badInput, operation: "publishing to", path: root.path, reason: "\"\(key)\" is no path of a site")
    }
    return root.appending(path: key)
  }

  /// Links may lead elsewhere within the folder. One that leads out would have others' files overwritten or removed.
  func placeForWriting(_ key: String) throws -> URL {
    let file = try place(of: key)
    var folder = file.deletingLastPathComponent()
    while folder.path.count > root.path.count, folder.kindOnDisk == nil { folder.deleteLastPathComponent() }
    let real = folder.resolvingSymlinksInPath().path
    guard real == root.path || real.hasPrefix(root.path + "/") else {
      throw UserError(
        .failed, operation: "publishing to", path: folder.path,
        reason: "it is a link that leads out of the site, to \(real)",
        suggestion: "Put a folder in its place, or publish to where it leads.")
    }
    return file
  }

  func removeEmptyFolders(above file: URL) {
    var folder = file.deletingLastPathComponent()
    while folder.path.count > root.path.count, rmdir(folder.path) == 0 { folder.deleteLastPathComponent() }
  }

  func using<T>(_ doing: String, _ key: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as CocoaError {
      throw UserError(
        .failed, operation: doing, path: key.isEmpty ? root.path : root.appending(path: key).path,
        reason: error.fileErrorReason, suggestion: "Check the folder's permissions and the free space.",
        causes: [error])
    }
  }
}
