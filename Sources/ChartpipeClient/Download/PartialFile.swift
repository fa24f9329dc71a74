internal import Core
internal import Foundation

/// The bytes of a download so far, in a file beside its target. The `ETag` of the response that they came from is in a second file.
///
/// A later download continues, also after a crash.
final class PartialFile {
  let url: URL
  private let file: LockedFile
  private let etagFile: URL
  private(set) var count: Int
  private(set) var etag: String?

  /// Continues an earlier attempt.
  ///
  /// - Parameter sha256: The hash of the file to download. Another edition has another name, so no download continues a different file.
  init(for target: URL, sha256: SHA256Hex) throws {
    let name = "\(target.lastPathComponent).\(sha256.text.prefix(16)).part"
    url = target.deletingLastPathComponent().appendingPathComponent(name)
    etagFile = url.appendingPathExtension("etag")
    file = try LockedFile(url)
    count = file.count
    etag = (try? String(contentsOf: etagFile, encoding: .utf8)).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Discards all bytes. The next ones come from a response with this `ETag`.
  func restart(etag: String?) throws {
    // The bytes go first, so the tag never belongs to earlier ones.
    try file.empty()
    try Data((etag ?? "").utf8).write(to: etagFile)
    (count, self.etag) = (0, etag)
  }

  func append(_ data: Data) throws {
    try file.append(data)
    count += data.count
  }

  /// Gives the bytes their final name, durably.
  func publish(as target: URL) throws {
    try DurableFile.publish(url, as: target)
    removeTag()
  }

  /// Lets another download continue.
  func unlock() { file.unlock() }

  func remove() {
    try? FileManager.default.removeItem(at: url)
    removeTag()
  }

  private func removeTag() { try? FileManager.default.removeItem(at: etagFile) }
}
