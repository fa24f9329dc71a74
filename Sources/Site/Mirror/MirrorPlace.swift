internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline

/// The folder of a mirror: a site, and beside it what is still coming.
struct MirrorPlace: Sendable {
  let site: SiteFolder
  /// Outlives a mirroring that is killed, so that the next one goes on with it.
  static let parts = ".mirror"
  private var parts: URL { site.root.appending(path: MirrorPlace.parts) }

  init(_ root: URL) {
    site = SiteFolder(root: root)
  }

  func prepare() throws {
    try reaching(parts) {
      try FileManager.default.createDirectory(at: parts, withIntermediateDirectories: true)
    }
  }

  func file(_ path: String) -> URL { site.root.appending(path: path) }

  /// Where a blob gathers.
  func part(of file: FileReference) -> URL {
    parts.appending(path: URL(filePath: file.path).lastPathComponent)
  }

  func has(_ file: FileReference, rereading: Bool) -> Bool {
    let place = self.file(file.path)
    let size = (try? FileManager.default.attributesOfItem(atPath: place.path))?[.size] as? Int
    guard size == file.bytes, place.isRegularFile else { return false }
    return !rereading || (try? SHA256Hex(ofFile: place)) == file.sha256
  }

  /// The catalogue that it has; nil in a new one.
  func catalogue() throws -> PublishedCatalogue? {
    do {
      let found = try FolderFiles(root: site.root).data(
        PublishedCatalogue.path, limit: PublishedCatalogue.limit)
      return try found.map { try PublishedCatalogue($0.data) }
    } catch let trouble as Unreadable {
      throw UserError(
        .badInput, operation: "reading", path: site.catalogue.path, reason: trouble.problem,
        suggestion: "Remove it to start the mirror again; complete files are not copied again.")
    }
  }

  /// The name of the key by which its catalogue is signed; nil for one that is not.
  func keyName() -> String? {
    let text = try? String(contentsOf: site.signature, encoding: .utf8)
    return text.flatMap(MinisignSignature.init)?.keyName
  }

  func checkRoom(for bytes: Int) throws {
    guard let free = DiskSpace(site.root).free, free < bytes else { return }
    throw UserError(
      .failed, operation: "mirroring into", path: site.root.path,
      reason: "\(Counts.bytes(bytes)) are to come, and the disk has room for \(Counts.bytes(free))",
      suggestion: "Make room. What the mirror has was left as it was.")
  }

  /// Removes what was gathered and not needed.
  func clear() throws {
    try reaching(parts) { try FileManager.default.removeItem(at: parts) }
  }

  private func reaching<Value>(_ place: URL, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw UserError(
        .failed, operation: "mirroring into", path: place.path, reason: error.fileErrorReason,
        suggestion: "Check the folder's permissions and the free space.", causes: [error])
    }
  }
}
