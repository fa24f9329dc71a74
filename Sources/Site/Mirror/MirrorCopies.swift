internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline
internal import Synchronization

/// Brings the files that clients download: what is there stays, what came in part goes on, and nothing gets its name before its
/// bytes are proved to be those of its hash.
struct MirrorCopies: Sendable {
  private let request: SiteMirror.Request
  private let place: MirrorPlace

  init(_ request: SiteMirror.Request, _ place: MirrorPlace) {
    self.request = request
    self.place = place
  }

  /// - Returns: how many files had to be copied, and how many bytes these have.
  func bring(_ named: [FileReference], _ progress: any ProgressReporter) throws -> (files: Int, bytes: Int) {
    let lacking = try missing(of: MirrorCopies.distinct(named), progress)
    try place.checkRoom(for: lacking.expectedBytes)
    let tally = ByteTally("mirror", total: lacking.expectedBytes, progress)
    try processEach(lacking, width: request.jobs) { file in
      try bring(file) { count in
        try CancellationToken.current.check()
        tally.advance(by: count)
      }
    }
    tally.finish("\(Counts.of(lacking.count, "file")), \(Counts.bytes(lacking.expectedBytes))")
    return (lacking.count, lacking.expectedBytes)
  }

  /// Each file once, as no two threads may bring the same one.
  private static func distinct(_ named: [FileReference]) throws -> [FileReference] {
    var sizes: [String: Int] = [:]
    return try named.filter { file in
      let known = sizes.updateValue(file.bytes, forKey: file.path)
      let trouble =
        known.map { $0 == file.bytes } == false ? "the catalogue gives it two sizes" : file.trouble
      if let trouble { throw MirrorPass.Trouble(file.path, Unreadable(trouble)) }
      return known == nil
    }
  }

  private func missing(
    of named: [FileReference], _ progress: any ProgressReporter
  ) throws -> [FileReference] {
    var missing: [FileReference] = []
    try processInOrder(named, width: request.jobs) { [place, request] file in
      (file, place.has(file, rereading: request.checks))
    } consume: { file, isThere in
      guard !isThere else { return }
      missing.append(file)
      guard request.checks, place.has(file, rereading: false) else { return }
      progress.report(.warning(step: "mirror", message: "\(file.path) was damaged and comes again"))
    }
    return missing
  }

  private func bring(_ file: FileReference, _ advance: (Int) throws -> Void) throws {
    let part = place.part(of: file)
    do {
      // What an earlier mirroring left may be damaged, so its bytes are not the last word.
      guard try isWhole(part, file) || isRight(part, file, advance) || isRight(part, file, advance) else {
        throw Unreadable("its bytes are not those of its SHA-256")
      }
      try DurableFile.publish(part, as: place.file(file.path))
    } catch let trouble as Unreadable {
      throw MirrorPass.Trouble(file.path, trouble)
    } catch {
      throw told(error, part)
    }
  }

  /// Whether all of it came before a mirroring was killed.
  private func isWhole(_ part: URL, _ file: FileReference) throws -> Bool {
    let size = (try? FileManager.default.attributesOfItem(atPath: part.path))?[.size] as? Int
    return try size == file.bytes && SHA256Hex(ofFile: part) == file.sha256
  }

  private func isRight(_ part: URL, _ file: FileReference, _ advance: (Int) throws -> Void) throws -> Bool {
    var count = 0
    let found = try request.source.files.copy(file.path, to: part, limit: file.bytes) { more in
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

  /// What the file system says has no words for people yet.
  private func told(_ error: any Error, _ part: URL) -> any Error {
    if error is UserError || error is CancellationError { return error }
    return UserError(
      .failed, operation: "writing", path: part.path, reason: error.fileErrorReason,
      suggestion:
        "Check the folder's permissions and the free space. What the mirror has was left as it was.",
      causes: [error])
  }
}

/// Counts the bytes that several threads have dealt with, and tells of each megabyte.
final class ByteTally: Sendable {
  private let step: String
  private let total: Int
  private let progress: any ProgressReporter
  private let counts = Mutex((done: 0, told: 0))

  init(_ step: String, total: Int, _ progress: any ProgressReporter) {
    self.step = step
    self.total = total
    self.progress = progress
    progress.report(.started(step: step))
  }

  var done: Int { counts.withLock { $0.done } }

  /// - Parameter count: less than nothing where something has to come again.
  func advance(by count: Int) {
    let news = counts.withLock { counts -> Int? in
      counts.done += count
      guard abs(counts.done - counts.told) >= 1 << 20 || counts.done == total else { return nil }
      counts.told = counts.done
      return counts.done
    }
    if let news { progress.report(.advanced(step: step, done: max(0, news), total: total, unit: "bytes")) }
  }

  func finish(_ detail: String) { progress.report(.finished(step: step, detail: detail)) }
}
