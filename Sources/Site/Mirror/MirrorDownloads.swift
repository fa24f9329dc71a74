internal import Core
internal import CryptoIO
internal import Foundation

/// Copies the files that clients download. Present files stay, partial downloads continue, and a file gets its name only after its hash
/// was verified.
extension MirrorPass {
  /// - Returns: how many files had to be copied, and how many bytes these have.
  func copy(_ named: [FileReference]) throws -> (files: Int, bytes: Int) {
    let missing = try missing(of: MirrorPass.distinct(named))
    try folder.checkRoom(for: missing.expectedBytes)
    let bytes = ByteProgress("mirror", total: missing.expectedBytes, progress)
    bytes.start()
    try processEach(missing, width: mirror.jobs) { file in
      try copy(file) { count in
        try CancellationToken.current.check()
        bytes.advance(by: count)
      }
    }
    bytes.finish("\(Counts.of(missing.count, "file")), \(Counts.bytes(missing.expectedBytes))")
    return (missing.count, missing.expectedBytes)
  }

  /// Returns each file once, since no two threads may copy the same one.
  private static func distinct(_ named: [FileReference]) throws -> [FileReference] {
    var sizes: [String: Int] = [:]
    return try named.filter { file in
      let known = sizes.updateValue(file.bytes, forKey: file.path)
      let problem =
        known.map { $0 == file.bytes } == false ? "the catalogue gives it two sizes" : file.problem
      if let problem { throw FileProblem(path: file.path, problem: problem) }
      return known == nil
    }
  }

  private func missing(of named: [FileReference]) throws -> [FileReference] {
    var missing: [FileReference] = []
    try processInOrder(named, width: mirror.jobs) { [folder, mirror] file in
      (file, folder.has(file, rereading: mirror.checks))
    } consume: { file, isThere in
      guard !isThere else { return }
      missing.append(file)
      if isKnown || folder.has(file, rereading: false) { warn(ofLost: file.path) }
    }
    return missing
  }

  private func copy(_ file: FileReference, _ advance: (Int) throws -> Void) throws {
    let part = folder.part(of: file)
    do {
      // The partial file of an earlier run may be damaged, so a second attempt starts over.
      guard try isComplete(part, file) || download(part, file, advance) || download(part, file, advance)
      else {
        throw Unreadable("its bytes are not those of its SHA-256")
      }
      try DurableFile.publish(part, as: folder.file(file.path))
    } catch let error as Unreadable {
      throw FileProblem(path: file.path, problem: error.problem)
    } catch {
      throw userError(error, part)
    }
  }

  /// Whether an earlier run that was killed has downloaded all of it.
  private func isComplete(_ part: URL, _ file: FileReference) throws -> Bool {
    try part.byteCount == file.bytes && SHA256Hex(ofFile: part) == file.sha256
  }

  /// - Returns: whether the bytes are right.
  func download(_ part: URL, _ file: FileReference, _ advance: (Int) throws -> Void) throws -> Bool {
    var count = 0
    let found = try mirror.source.store.copy(file.path, to: part, limit: file.bytes) { more in
      count += more
      try advance(more)
    }
    guard let found else { throw Unreadable.absent() }
    guard found.bytes == file.bytes, found.sha256 == file.sha256 else {
      try advance(-count)
      try FileManager.default.removeItem(at: part)
      return false
    }
    return true
  }

  /// Errors of the file system name no operation and no path.
  private func userError(_ error: any Error, _ part: URL) -> any Error {
    if error is UserError || error is CancellationError { return error }
    return UserError(
      .failed, operation: "writing", path: part.path, reason: error.fileErrorReason,
      suggestion:
        "Check the folder's permissions and the free space. The mirror is unchanged.",
      causes: [error])
  }
}
