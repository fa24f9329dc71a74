internal import Core
internal import CryptoIO
internal import Foundation

/// A site in a folder, such as the one that a web server publishes.
struct FolderStore: WritableObjectStore {
  let name: String
  /// With links resolved.
  let root: URL
  /// Where objects are written, and which a conditional write locks: the root, or the folder of another channel, so that the
  /// publishers of two channels do not wait for each other.
  private let room: URL
  /// The name of an object while it is written.
  private var scratch: URL { room.appending(path: FolderStore.scratchPrefix + UUID().uuidString) }

  private static let scratchPrefix = ".publishing-"
  private static let pieceBytes = 1 << 20
  /// In seconds. A conditional write takes an instant, so a process that keeps the lock for longer is staging into the folder.
  private static let lockTimeout = 10.0
  private static let leftoverSeconds = 900

  init(root: URL, for channel: SiteChannel = .cycles) {
    name = root.path
    let root = root.resolvingSymlinksInPath()
    self.root = root
    room = channel.folder.map { root.appending(path: $0) } ?? root
  }

  // MARK: - Reading

  func info(_ key: String) throws -> ObjectInfo? {
    guard let file = try regularFile(key) else { return nil }
    return try FolderStore.reading {
      let attributes = try FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)
      return ObjectInfo(bytes: attributes[.size] as? Int)
    }
  }

  func read(_ key: String) throws -> TaggedObject? {
    guard let file = try regularFile(key) else { return nil }
    return try using("reading", key) {
      let data = try Data(contentsOf: file)
      return (data, try tag(of: SHA256Hex(of: Array(data))))
    }
  }

  func read(_ key: String, _ receive: PieceReceiver) throws -> ObjectInfo? {
    guard let file = try regularFile(key) else { return nil }
    return ObjectInfo(bytes: try FolderStore.forEachPiece(of: file, receive))
  }

  func list(_ prefix: String) throws -> [ListedObject] {
    let folder = prefix.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    let start = folder.isEmpty ? root : try url(of: folder)
    guard start.kindOnDisk == .folder else { return [] }
    return try using("listing", prefix) { try objects(in: start, folder.isEmpty ? "" : folder + "/") }
      .filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }
  }

  /// What is not listed and a web server may serve: links, and names that are not UTF-8.
  var unlisted: [String] {
    let keys = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return keys.filter { key in
      let attributes = try? FileManager.default.attributesOfItem(atPath: root.appending(path: key).path)
      let type = attributes?[.type] as? FileAttributeType
      return type == .typeSymbolicLink || type == nil && key.contains("\u{FFFD}")
    }
  }

  /// An unreadable folder is an error, not an empty one: files are removed on the strength of the list. What another publisher removes
  /// meanwhile is none.
  private func objects(in folder: URL, _ prefix: String) throws -> [ListedObject] {
    func unlessRemoved<T>(_ item: URL, _ body: (String) throws -> T) throws -> T? {
      do { return try body(item.path) } catch let error as CocoaError where error.code == .fileReadNoSuchFile
      {
        return nil
      }
    }
    let names = try unlessRemoved(folder, FileManager.default.contentsOfDirectory(atPath:)) ?? []
    return try names.flatMap { name -> [ListedObject] in
      let file = folder.appending(path: name)
      guard !name.hasPrefix(FolderStore.scratchPrefix),
        let attributes = try unlessRemoved(file, FileManager.default.attributesOfItem(atPath:))
      else { return [] }
      switch attributes[.type] as? FileAttributeType {
      case .typeDirectory?: return try objects(in: file, prefix + name + "/")
      case .typeRegular?:
        let bytes = attributes[.size] as? Int ?? 0
        return [ListedObject(key: prefix + name, bytes: bytes, modified: FolderStore.modified(attributes))]
      default: return []
      }
    }
  }

  // MARK: - Writing

  @discardableResult
  func put(
    _ body: ObjectBody, at key: String, _ headers: ObjectHeaders, if condition: PutCondition
  ) throws -> ObjectTag? {
    try using("making", "") { try room.createFolder() }
    let final = try urlForWriting(key)
    if case .file(let source, _, let sha256) = body, condition == .always {
      return try copy(source, sha256, to: final, key)
    }
    let lock = try FolderLock(
      room, operation: "publishing to", suggestion: "Wait for it to end.", timeout: FolderStore.lockTimeout)
    defer { withExtendedLifetime(lock) {} }
    guard try isMet(condition, key) else { return nil }
    switch body {
    case .file(let source, _, let sha256): return try copy(source, sha256, to: final, key)
    case .data(let data):
      try DurableFile.write(data, to: final, scratch: scratch)
      return tag(of: try SHA256Hex(of: Array(data)))
    }
  }

  func remove(_ key: String) throws { try remove(urlForWriting(key), key) }

  /// Removes a file also through a link that leads out of the folder: a mirror may keep its blobs on another disk.
  func removeThroughLinks(_ key: String) throws { try remove(url(of: key), key) }

  private func remove(_ file: URL, _ key: String) throws {
    guard (try? FileManager.default.attributesOfItem(atPath: file.path)) != nil else { return }
    try using("removing", key) { try FileManager.default.removeItem(at: file) }
    var folder = file.deletingLastPathComponent()
    while folder.path.count > root.path.count, rmdir(folder.path) == 0 { folder.deleteLastPathComponent() }
  }

  /// A process that still writes a file has changed it a moment ago.
  func clearLeftovers() throws {
    guard room.kindOnDisk == .folder else { return }
    let end = FolderStore.instant(Date()).adding(-FolderStore.leftoverSeconds)
    try using("clearing", "") {
      for name in try FileManager.default.contentsOfDirectory(atPath: room.path)
      where name.hasPrefix(FolderStore.scratchPrefix) {
        let file = room.appending(path: name)
        // Another process may remove it, too.
        guard let facts = try? FileManager.default.attributesOfItem(atPath: file.path),
          FolderStore.modified(facts) < end
        else { continue }
        try? FileManager.default.removeItem(at: file)
      }
    }
  }

  private static func modified(_ attributes: [FileAttributeKey: Any]) -> Instant {
    instant(attributes[.modificationDate] as? Date ?? .distantFuture)
  }

  private static func instant(_ date: Date) -> Instant {
    Instant(secondsSince1970: Int(date.timeIntervalSince1970))
  }

  private func isMet(_ condition: PutCondition, _ key: String) throws -> Bool {
    switch condition {
    case .always: true
    case .isAbsent: try read(key) == nil
    case .isStill(let tag): try read(key)?.tag == tag
    }
  }

  /// Hashes the bytes that it copies, so a damaged file is never published.
  private func copy(_ source: URL, _ sha256: SHA256Hex, to final: URL, _ key: String) throws -> ObjectTag {
    let copy = scratch
    defer { try? FileManager.default.removeItem(at: copy) }  // it was renamed if all went well
    let hash = try using("writing", key) {
      // Not `createFile`: it writes a temporary file under another name, which a kill would leave.
      try Data().write(to: copy)
      let handle = try FileHandle(forWritingTo: copy)
      defer { try? handle.close() }
      let digest = try Digest(.sha256)
      _ = try FolderStore.forEachPiece(of: source) { piece, _ in
        try digest.update(piece)
        try handle.write(contentsOf: piece)
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

  private func tag(of hash: SHA256Hex) -> ObjectTag { ObjectTag(text: hash.text) }

  // MARK: - Files

  /// Returns the file of an object. A key that leads out of the folder is rejected.
  private func url(of key: String) throws -> URL {
    guard !key.utf8.contains(0), key.isPlainPath else {
      throw UserError(
        .badInput, operation: "opening the site", path: root.path,
        reason: "\"\(key)\" is not a path of a site")
    }
    return root.appending(path: key)
  }

  /// Opening anything else, such as a pipe, could block forever.
  private func regularFile(_ key: String) throws -> URL? {
    let file = try url(of: key)
    return file.isRegularFile ? file : nil
  }

  /// Links may lead elsewhere within the folder. Through one that leads out, files outside of the site would be overwritten.
  private func urlForWriting(_ key: String) throws -> URL {
    let file = try url(of: key)
    var folder = file.deletingLastPathComponent()
    while folder.path.count > root.path.count, folder.kindOnDisk == nil { folder.deleteLastPathComponent() }
    guard folder.isWithin(root) else {
      throw UserError(
        .failed, operation: "publishing to", path: folder.path,
        reason: "it is a link that leads out of the site, to \(folder.resolvingSymlinksInPath().path)",
        suggestion: "Replace the link with a folder, or publish to the folder that it leads to.")
    }
    return file
  }

  /// - Returns: the number of bytes.
  private static func forEachPiece(of file: URL, _ receive: PieceReceiver) throws -> Int {
    let handle = try reading { try FileHandle(forReadingFrom: file) }
    defer { try? handle.close() }
    var offset = 0
    while let piece = try reading({ try handle.read(upToCount: pieceBytes) }), !piece.isEmpty {
      try piece.withUnsafeBytes { try receive($0, offset) }
      offset += piece.count
    }
    return offset
  }

  private static func reading<T>(_ body: () throws -> T) throws -> T {
    return try explaining({ Unreadable("it cannot be read: \($0.fileErrorReason)") }) { try body() }
  }

  private func using<T>(_ operation: String, _ key: String, _ body: () throws -> T) throws -> T {
    let path = key.isEmpty ? root.path : root.appending(path: key).path
    return try UserError.wrapping(operation, path) {
      let remedy = "Check the permissions of the file."
      return try Unreadable.explained(
        { UserError(.failed, operation: operation, path: path, reason: $0, suggestion: remedy) }, body)
    }
  }
}
